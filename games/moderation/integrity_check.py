"""Integrity check of one game; its findings reveal no secrets."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.archive.replay import replay
from games.clocks import clock_hours, game_clock
from games.models import Game, LogEntry, Seat
from games.moderation import site_health
from games.play.game_lock import while_locked

# A clock is set a little after the log entry that starts it.
SLACK = timedelta(minutes=1)

# Rulings that give extra time, so that a deadline may be later.
_GIVES_TIME = (
    *("grace", "more time", "vote on", "resume", "go on"),
    *(
        "moderator gives",
        "moderator resumes",
        "moderator restores",
        "moderator goes back",
        "moderator reopens",
    ),
)


def examine(game: Game, now: datetime) -> list[str]:
    """All problems of a game, as sentences. Needs a game with its secrets."""
    found = faults(game)
    if site_health.is_stuck(game, now):
        found.append(site_health.why_stuck(game, now))
    if site_health.is_overdue(game, now):
        found.append(_("A player ran out of time and nothing happened."))
    return found


def faults(game: Game) -> list[str]:
    """Faults in the stored data of a game.

    Replays the log from the seed, checks the state by itself and compares the columns with both. Needs a game
    with its secrets.
    """
    # The game may have moved on between two reads, so only what is found while it is locked counts.
    return while_locked(game, _faults) if _faults(game) else []


def _faults(game: Game) -> list[str]:
    if game.state is None:
        return []
    try:
        state = game.rule_system.state_from_json(game.state)
        broken = len(game.rule_system.invariants(state))
    except Exception as error:  # a state that cannot be decoded
        return [_("Its position cannot be read ({error}).").format(error=type(error).__name__)]
    found = []
    if broken:
        found.append(
            ngettext(
                "Its position breaks {n} rule that every position must follow.",
                "Its position breaks {n} rules that every position must follow.",
                broken,
            ).format(n=broken)
        )
    found += _log_faults(game)
    if game.is_running and game.paused is None:
        seats = list(game.seats.select_related("user"))
        found += _column_faults(game, game.rule_system.decider(state), seats)
        found += _clock_faults(game)
    return found


def _log_faults(game: Game) -> Iterator[str]:
    numbers = list(game.moves.order_by("number").values_list("number", flat=True))
    last = numbers[-1] if numbers else 0
    if missing := sorted(set(range(1, last)) - set(numbers)):
        told = ", ".join(map(str, missing[:5]))
        yield ngettext(
            "Log entry {numbers} is missing.", "Log entries {numbers} are missing.", len(missing)
        ).format(numbers=told)
    if last != game.version:
        sentence = _("It is at version {version}, but its log ends with entry {last}.")
        yield sentence.format(version=game.version, last=last)
    try:
        for fault in replay(game).faults:
            yield _without_secrets(fault)
    except Exception as error:
        yield _("Its log cannot be replayed ({error}).").format(error=type(error).__name__)


def _without_secrets(fault: str) -> str:
    """A sentence on a fault of the replay, with the entry at most: the rest may name tiles of a hand."""
    place, colon, _words = fault.partition(":")
    number = place.removeprefix("entry ")
    if not colon:
        return _("The log does not lead to the stored position.")
    return _("Log entry {number} does not replay.").format(number=number)


def _column_faults(game: Game, asked: int | None, seats: list[Seat]) -> Iterator[str]:
    """Differences between the columns used by lists and clocks and the position."""
    if asked is None:
        yield _("It is in progress, but its position is final.")
        return
    if game.seat_to_move != asked:
        yield _lists_differ(asked, game.seat_to_move)
        return
    seat = seats[asked]
    if seat.bot_level:
        if game.bot_due_at is None:
            sentence = _("The computer player in seat {seat} is to move, but no task is waiting for it.")
            yield sentence.format(seat=asked + 1)
    elif not game.is_practice and game.waiting_for_id != seat.user_id:
        yield _("Seat {seat} is to move, but the game is not waiting for its player.").format(seat=asked + 1)


def _lists_differ(asked: int, listed: int | None) -> str:
    if listed is None:
        sentence = _("The position says seat {seat} is to move, but the lists say nobody.")
        return sentence.format(seat=asked + 1)
    sentence = _("The position says seat {seat} is to move, but the lists say seat {other}.")
    return sentence.format(seat=asked + 1, other=listed + 1)


def _clock_faults(game: Game) -> Iterator[str]:
    if game.waiting_for_id is None or game.seconds_per_move is None:
        return  # a database constraint forbids a clock then
    if game.deadline is None and game.time_left is None:
        yield _("No clock is running, although the game has a time limit.")
    elif _is_too_late(game):
        yield _("Its deadline is later than the time per move allows.")


def _is_too_late(game: Game) -> bool:
    """Return whether a deadline is too late although no ruling gave extra time."""
    if game.deadline is None or game.seat_to_move is None:
        return False
    most = game_clock.full_time(game, game.seats.get(number=game.seat_to_move))
    since = (
        game.moves.filter(kind=LogEntry.Kind.MOVE)
        .order_by("-number")
        .values_list("number", flat=True)
        .first()
    )
    rulings = game.moves.filter(kind=LogEntry.Kind.RULING, number__gt=since or 0).values_list(
        "text", flat=True
    )
    if any(text.startswith(_GIVES_TIME) for text in rulings):
        return False
    return game.deadline > clock_hours.deadline(game.last_change_at, most, game_clock.hours(game)) + SLACK
