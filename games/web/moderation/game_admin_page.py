"""Contexts of the admin pages of one game.

All facts of the game come from a spectator's observation: a moderator who plays in it will go on playing with
what they read here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import AuditEntry
from games.archive.replay import worth_by_turn
from games.log.public_times import deadline_shown
from games.models import Game, Seat
from games.moderation import moderator_view, site_health
from games.moderation.actions.action_lock import moderator_bar
from games.moderation.integrity_check import examine
from games.play.finished_game import result_final_at
from games.play.game_view import GameView
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import people
from games.web.text.game_titles import format_pace, rules_title, title
from games.web.text.log_view import log_entry_views
from games.web.text.seat_names import level_name, table_persons
from games.web.text.terms_text import options

LISTED = 20


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat on the page: the player, the admin page of their account, and the state of the seat."""

    number: int
    name: str
    url: str
    state: str
    asked: bool


def context(game: Game, user: Any) -> dict[str, Any]:
    """The context of the page of a game."""
    look, now = moderator_view.spectated(game), timezone.now()
    shown = {
        "title": title(game),
        "subtitle": game.public_id,
        "facts": list(_facts(game, now)),
        "sittings": [_sitting(game, seat) for seat in look.seats],
        "turns": _turns(look),
        "pages": _pages(game),
        "barred": moderator_bar(game, user),
    }
    if shown["barred"]:
        return shown
    around = moderator_view.moderator_context(game)
    return {**shown, "around": around, "audit": AuditEntry.objects.filter(game=game.public_id)[:LISTED]}


def table_context(game: Game, user: Any) -> dict[str, Any]:
    """The context of the table as a spectator sees it; without `table_template` if it cannot be shown."""
    look = moderator_view.spectated(game)
    shown = {"title": title(game), "subtitle": _("the table"), "pages": _pages(game)}
    if look.seen is None:
        return shown
    table = PRESENTERS[game.system]
    worth = () if game.is_running else worth_by_turn(look.game)
    return {
        **shown,
        **table.context(
            look.seen, people(table_persons(look.seats), None), log_entry_views(look, look.entries), worth
        ),
        "cover": None,
        "table_template": table.TEMPLATE,
        "stylesheet": table.STYLESHEET,
        "version": game.version,
        "deadline": deadline_shown(game.deadline, timezone.now()),
        "stopped": game.time_left is not None,
    }


def doctor_context(game: Game, user: Any) -> dict[str, Any]:
    """The result of the integrity check in sentences that reveal nothing hidden."""
    secret = Game.all_games.defer(None).get(pk=game.pk)
    faults = examine(secret, timezone.now())
    return {
        "title": title(game),
        "subtitle": _("health check"),
        "pages": _pages(game),
        "faults": faults,
        "is_dealt": game.is_dealt,
    }


def health_of(game: Game, now: datetime) -> str:
    """Return the health of a game in a word or two."""
    if site_health.is_stuck(game, now):
        return _("stuck")
    if site_health.is_overdue(game, now):
        return _("overdue")
    if game.deleted is not None:
        return _("deleted")
    return _("paused") if game.paused is not None else _("fine")


def _pages(game: Game) -> list[tuple[str, str, str]]:
    """The name, label and address of each admin page of the game, for the tabs."""
    found = [("page", _("Overview"), "change")]
    if game.is_dealt:
        found += [("table", _("Table"), "table"), ("integrity", _("Health check"), "doctor")]
    return [(name, label, reverse(f"admin:games_game_{view}", args=[game.pk])) for name, label, view in found]


def _facts(game: Game, now: datetime) -> Iterator[tuple[str, Any]]:
    yield _("Status"), game.get_status_display()
    yield _("Health"), health_of(game, now)
    yield _("Rules"), rules_title(game)
    for option in options(game):
        if option.changed:
            yield option.name, option.sentence
    yield _("Time"), format_pace(game)
    yield _("Visibility"), game.get_visibility_display()
    yield _("Host"), game.host
    for label, at in (
        (_("Created"), game.opened),
        (_("Started"), game.started),
        (_("Last log entry"), game.last_change_at if game.started else None),
        (_("Finished"), game.finished),
        (_("Result is final"), result_final_at(game) if game.is_finished and not game.is_practice else None),
        (_("Paused since"), game.paused),
        (_("Paused by a moderator since"), game.held_at),
        (_("Deleted"), game.deleted),
        (_("Computer player moves at"), game.bot_due_at),
        (_("Deadline"), game.deadline),
    ):
        if at is not None:
            yield label, date_format(timezone.localtime(at), "j M Y H:i")
    if game.time_left is not None:
        yield _("Time left on the paused clock"), game.time_left


def _sitting(game: Game, seat: Seat) -> SeatRow:
    name = seat.name or level_name(game.system, seat.bot_level)
    url = reverse("admin:accounts_user_change", args=[seat.user_id]) if seat.user_id else ""
    return SeatRow(seat.number + 1, name, url, _state(game, seat), game.seat_to_move == seat.number)


def _state(game: Game, seat: Seat) -> str:
    if seat.is_replaced:
        level = level_name(game.system, seat.bot_level)
        return _("a computer player has taken over ({level})").format(level=level)
    if seat.bot_level:
        return _("computer player")
    if seat.concession_order is not None:
        return _("conceded")
    return _("vote on the seat in progress") if seat.replacement_vote_open else ""


def _turns(look: GameView) -> Any:
    """The log as a spectator reads it, or None if it is unreadable."""
    try:
        told_to_all = people(table_persons(look.seats), None), log_entry_views(look, look.entries)
        return PRESENTERS[look.game.system].log_context(look.game.rules, *told_to_all)["turns"]
    except Exception:  # the integrity check says more and reveals nothing
        return None
