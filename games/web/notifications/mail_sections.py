"""Sections of mails: the notifications of one game, from what its reader may see."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.conf import settings
from django.http import Http404
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from games.log.positions import rollback_target
from games.models import Game, Kind, Notification
from games.notifications.deadlines import deadline_of
from games.play.automation import order_view, plan_view
from games.play.game_view import GameView, game_view
from games.web.notifications import notification_text, stranger_text
from games.web.notifications.addressee import addressed_to
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import people
from games.web.text import log_view
from games.web.text.game_titles import rules_title, title_for, titles_in_brackets
from games.web.text.seat_names import table_persons

# Turns that a mail tells, the latest ones.
MAX_NEWS = 20

_ASKING = (Kind.DECISION, Kind.REMINDER)

# The kind of a section's subject is the first of these among its rows: the most urgent.
_WEIGHT = sorted(Kind, key=lambda kind: kind not in (Kind.LATE, Kind.REMINDER))


@dataclass(frozen=True)
class Section:
    """A section of a mail, for a game or for notifications outside games.

    `rows` are the notifications in the section. `title` names the game by its people, and so do
    `titles_in_brackets`, the longest first; `details` are its rules and id. `subject` is the most urgent
    notification, without the name of the game; `sentences` tell what happened; `asked` is what the reader
    must decide, "" for nothing. `deadline` is the end of the time for what is asked, or for a vote. `table`
    is the context of the templates `template`, None before the start.
    """

    rows: Sequence[Notification]
    game: Game | None
    title: str
    titles_in_brackets: Sequence[str]
    url: str
    subject: str
    sentences: tuple[str, ...]
    details: str = ""
    asked: str = ""
    deadline: datetime | None = None
    template: str = ""
    table: dict[str, Any] | None = None

    @property
    def is_plain_turn(self) -> bool:
        """Return whether the reader is asked, and neither reminded nor late nor told of more time."""
        besides = (Kind.LATE, Kind.REMINDER, Kind.MODERATED)
        return bool(self.asked) and not any(row.kind in besides for row in self.rows)

    @property
    def link_label(self) -> str:
        """The words of the link to what the section is about."""
        if self.asked:
            return _("Make your move")
        kinds = {row.kind for row in self.rows}
        if Kind.MENTION in kinds:
            return _("Read the chat")
        if Kind.INVITATION in kinds:
            return _("View invitation")
        return _("View game") if self.game else _("View your reports")

    def without_table(self) -> "Section":
        """The same section without its table, which the page shows."""
        return replace(self, table=None)

    @property
    def as_text(self) -> str:
        """The table in plain text."""
        # Strip only line breaks: the board may come first, and its first line begins with blanks.
        return render_to_string(f"{self.template}.txt", self.table).strip("\n") if self.table else ""

    @property
    def as_html(self) -> str:
        """The table in HTML."""
        return render_to_string(f"{self.template}.html", self.table) if self.table else ""


def section(rows: Sequence[Notification], user: User | None) -> Section | None:
    """Build the section of these rows of one game; None when none of them applies any more."""
    game = rows[0].game
    if game is None:
        return _without_game(rows)
    look = _look(game, user) if user and game.is_dealt else None
    if look is None:
        return _without_table(game, rows, user)
    told = [row for row in rows if row.kind not in _ASKING or row.version == look.game.version]
    if not told:
        return None
    table = PRESENTERS[look.game.system]
    asked = table.mail_subject_question(look.seen) if any(_asks(row, look.game) for row in told) else ""
    reader = people(table_persons(look.seats), look.seat)
    entries = log_view.log_entry_views(look, _since_last_move(look))
    return Section(
        rows=told,
        game=look.game,
        **_names(look.game, user, _heaviest(told)),
        url=_address(look.game, _heaviest(told)) + ("#headline" if asked else ""),
        subject=notification_text.subject(_heaviest(told), asked),
        sentences=tuple(
            filter(None, [*map(notification_text.sentence, told), *(_why_asked(look) if asked else ())])
        ),
        asked=asked,
        deadline=look.game.deadline if asked else _deadline(told),
        template=table.LETTER_TEMPLATE,
        table=_shortened(table.mail_context(look.seen, reader, entries)),
    )


def _shortened(table: dict[str, Any]) -> dict[str, Any]:
    """The context of a table with the latest news alone: a reader who was away for long has the log."""
    news = table["news"]
    return {**table, "news": news[-MAX_NEWS:], "earlier": len(news[:-MAX_NEWS])}


def _asks(row: Notification, game: Game) -> bool:
    """Return whether the row asks its reader for a decision: in time, in the extension, or with more time."""
    tells_of_time = row.kind == Kind.LATE or row.moderator_action == "more-time"
    return row.kind in _ASKING or (tells_of_time and game.waiting_for_id == row.user_id)


def _deadline(rows: Sequence[Notification]) -> datetime | None:
    """The earliest deadline of what the rows are about."""
    return min((ends for row in rows if (ends := deadline_of(row))), default=None)


def _names(game: Game, user: User | None, row: Notification) -> dict[str, Any]:
    """The columns of a section that name the game; `row` is the one in its subject."""
    return {
        "title": title_for(game, user),
        "titles_in_brackets": _brackets(game, user, row),
        "details": _("{rules}, game {id}").format(rules=rules_title(game), id=game.public_id),
    }


def _brackets(game: Game, user: User | None, row: Notification) -> list[str]:
    """The names of the game in brackets, without the person whom the subject names."""
    if row.kind == Kind.INVITATION and not game.name and game.seats_taken == 1:
        return [PRESENTERS[game.system].name()]
    return titles_in_brackets(game, user, row.about if row.who_id else "")


def _why_asked(look: GameView) -> tuple[str, str]:
    """Sentences on why the reader is asked in spite of a plan or a standing order, "" for none."""
    return _plan_stopped(look), _order_asks(look)


def _order_asks(look: GameView) -> str:
    """Return why the reader's standing order leaves the decision to them, or ""."""
    ask = order_view.order_that_asks(look)
    if ask is None:
        return ""
    why = PRESENTERS[look.game.system].why_asked(ask, look.seen.rules)
    return " ".join([_("Your standing order could not decide this."), why])


def _plan_stopped(look: GameView) -> str:
    """Return why the reader's planned turn stopped, or ""."""
    planned = plan_view.planned(look)
    if planned is None or planned.stopped is None:
        return ""
    why = PRESENTERS[look.game.system].why_not(planned.stopped, look.seen.rules)
    return " ".join([_("Your plan stopped."), why])


def _without_game(rows: Sequence[Notification]) -> Section:
    return Section(
        rows=rows,
        game=None,
        title=_("Your reports"),
        titles_in_brackets=[_("Your reports")],
        url=_absolute_to(rows[0], reverse("my-reports")),
        subject=notification_text.subject(_heaviest(rows)),
        sentences=tuple(filter(None, map(notification_text.sentence, rows))),
    )


def _without_table(game: Game, rows: Sequence[Notification], user: User | None) -> Section | None:
    told = [row for row in rows if row.kind not in _ASKING]
    if not told:
        return None
    is_stranger = user is None
    return Section(
        rows=told,
        game=game,
        **_names(game, user, _heaviest(told)),
        url=_address(game, told[0]),
        subject=notification_text.subject(_heaviest(told)),
        sentences=(
            *filter(None, map(notification_text.sentence, told)),
            *(stranger_text.introduction(game) if is_stranger else ()),
        ),
        deadline=_deadline(told),
        template="games/notifications/_mail_sample" if is_stranger else "",
        table={"picture": PRESENTERS[game.system].sample_picture()} if is_stranger else None,
    )


def _look(game: Game, user: User) -> GameView | None:
    """The game as the user's seat sees it now; None for users without a seat."""
    try:
        look = game_view(game.public_id, user)
    except Http404:
        return None
    return look if look and look.seat is not None else None


def _since_last_move(look: GameView) -> list[Any]:
    """The log entries since the reader's last move.

    Automatic moves do not count as the reader's moves; moves taken back are left out.
    """
    user_id = look.seats[look.seat].user_id if look.seat is not None else None
    mine = [move.number for move in look.entries if move.user_id == user_id and not move.origin]
    news = [move for move in look.entries if move.number > max(mine, default=0)]
    return [move for move in news if move.number not in look.gone and rollback_target(move) is None]


def _heaviest(rows: Sequence[Notification]) -> Notification:
    return min(rows, key=lambda row: _WEIGHT.index(Kind(row.kind)))


def _address(game: Game, row: Notification) -> str:
    """The URL of the game, its chat or the invitation, depending on the notification."""
    return _absolute_to(row, _path(game, row))


def _path(game: Game, row: Notification) -> str:
    if row.invitation is not None and row.kind == Kind.INVITATION and game.is_open:
        return reverse("invite-link", args=[row.invitation.code])
    if game.deleted is not None:
        return reverse("home")
    if row.kind == Kind.MENTION:
        return reverse("chat", args=[game.public_id])
    return game.get_absolute_url()


def _absolute_to(row: Notification, path: str) -> str:
    return absolute(addressed_to(row.user, path, by_mail=row.endpoint_id is None))


def absolute(path: str) -> str:
    """Prefix the path with the site's URL."""
    return f"{settings.SITE_URL}{path}"
