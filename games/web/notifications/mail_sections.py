"""Sections of mails: the notifications of one game, from what its reader may see."""

from collections.abc import Sequence
from dataclasses import dataclass
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
from games.play.automation import order_view, plan_view
from games.play.game_view import GameView, game_view
from games.web.notifications import notification_text
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import people
from games.web.text import log_view
from games.web.text.game_titles import title
from games.web.text.seat_names import table_persons

_ASKING = (Kind.DECISION, Kind.REMINDER)

# The kind of a section's subject is the first of these among its rows.
_WEIGHT = list(Kind)


@dataclass(frozen=True)
class Section:
    """One game in a mail, or notifications outside games: events, the decision and the table.

    `rows` are the notifications in the section. `subject` is the most important one, without the name of the
    game; `sentences` tell what happened; `asked` is what the reader must decide, "" for nothing. `table` is
    the context of the templates `template`, None before the start.
    """

    rows: Sequence[Notification]
    game: Game | None
    title: str
    url: str
    subject: str
    sentences: tuple[str, ...]
    asked: str = ""
    deadline: datetime | None = None
    template: str = ""
    table: dict[str, Any] | None = None

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
        return _without_table(game, rows)
    told = [row for row in rows if row.kind not in _ASKING or row.version == look.game.version]
    if not told:
        return None
    table = PRESENTERS[look.game.system]
    asked = table.mail_subject_question(look.seen) if any(row.kind in _ASKING for row in told) else ""
    reader = people(table_persons(look.seats), look.seat)
    entries = log_view.log_entry_views(look, _since_last_move(look))
    return Section(
        rows=told,
        game=look.game,
        title=title(look.game),
        url=_address(look.game, _heaviest(told)) + ("#decision" if asked else ""),
        subject=notification_text.subject(_heaviest(told), asked),
        sentences=tuple(
            filter(None, [*map(notification_text.sentence, told), *(_why_asked(look) if asked else ())])
        ),
        asked=asked,
        deadline=look.game.deadline if asked else None,
        template=table.LETTER_TEMPLATE,
        table=table.mail_context(look.seen, reader, entries),
    )


def _why_asked(look: GameView) -> tuple[str, str]:
    """Sentences on why the reader is asked in spite of a plan or a standing order, "" for none."""
    return _plan_stopped(look), _order_asks(look)


def _order_asks(look: GameView) -> str:
    """Return why the reader's standing order leaves the decision to them, or ""."""
    ask = order_view.order_that_asks(look)
    if ask is None:
        return ""
    why = PRESENTERS[look.game.system].why_asked(ask, look.seen.rules)
    return _("Your standing order leaves this to you: {why}.").format(why=why)


def _plan_stopped(look: GameView) -> str:
    """Return why the reader's planned turn stopped, or ""."""
    planned = plan_view.planned(look)
    if planned is None or planned.stopped is None:
        return ""
    why = PRESENTERS[look.game.system].why_not(planned.stopped, look.seen.rules)
    return _("Your plan stopped. {why}").format(why=why)


def _without_game(rows: Sequence[Notification]) -> Section:
    return Section(
        rows=rows,
        game=None,
        title=_("Your reports"),
        url=absolute(reverse("my-reports")),
        subject=notification_text.subject(_heaviest(rows)),
        sentences=tuple(filter(None, map(notification_text.sentence, rows))),
    )


def _without_table(game: Game, rows: Sequence[Notification]) -> Section | None:
    told = [row for row in rows if row.kind not in _ASKING]
    if not told:
        return None
    return Section(
        rows=told,
        game=game,
        title=title(game),
        url=_address(game, told[0]),
        subject=notification_text.subject(_heaviest(told)),
        sentences=tuple(filter(None, map(notification_text.sentence, told))),
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
    if row.invitation is not None and row.kind == Kind.INVITATION and game.is_open:
        return absolute(reverse("invite-link", args=[row.invitation.code]))
    if game.deleted is not None:
        return absolute(reverse("home"))
    if row.kind == Kind.MENTION:
        return absolute(reverse("chat", args=[game.public_id]))
    return absolute(game.get_absolute_url())


def absolute(path: str) -> str:
    """Prefix the path with the site's URL."""
    return f"{settings.SITE_URL}{path}"
