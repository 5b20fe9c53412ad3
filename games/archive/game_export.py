"""Export of a game as JSON values, in the format of docs/export.md.

While a game runs this is what a spectator may know, even for its players. Once it is over it includes the
seed, from which everything else follows.
"""

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from django.db.models import Prefetch, QuerySet
from django.http import Http404

from accounts.models import User
from games.archive.import_file import FIRST_VERSION, FORMAT, VERSION
from games.archive.replay import RedealView, redeals
from games.log import rulings
from games.log.positions import states_by_entry
from games.log.public_times import entry_time
from games.log.rulings import Ruling
from games.log.standings import standings
from games.models import Game, LogEntry, Seat
from games.play.spectator_position import shown_to

# Origins that reveal nothing before the game is over, as in the log.
_TOLD_AT_ONCE: Final = (LogEntry.Origin.FORCED_MOVE,)


def exported(public_id: str, user: Any) -> dict[str, Any]:
    """Return the export of a game for this user. Raises Http404 unless it has begun and is visible."""
    game = prefetch_for_export(Game.objects.shown_to(user).filter(public_id=public_id)).first()
    if game is None:
        raise Http404
    return export_game(shown_to(game, user))


def prefetch_for_export(games: QuerySet[Game]) -> QuerySet[Game]:
    """Restrict to games that have begun and prefetch what `export_game` reads, in three queries."""
    return (
        games.filter(state__isnull=False)
        .defer(None)
        .prefetch_related(Prefetch("seats", Seat.objects.select_related("user")), "moves")
    )


def export_game(game: Game) -> dict[str, Any]:
    """Return a game from `prefetch_for_export` as JSON values."""
    seats, system = list(game.seats.all()), game.rule_system
    # Entries from after a reopening could be read here as those of a game that is over.
    entries = [entry for entry in game.moves.all() if entry.number <= game.version]
    record = {
        "format": FORMAT,
        "version": VERSION if _was_reopened(entries) else FIRST_VERSION,
        "rules": {
            "system": game.system,
            "version": system.VERSION,
            "preset": game.preset,
            "options": game.options,
        },
        "game": _game(game),
        "commitment": game.seed_hash,
        "seats": [_seat(seat) for seat in seats],
        "log": list(_log(game, entries)),
        "position": system.observation_to_json(spectator_view(game)),
    }
    if record["version"] > FIRST_VERSION:
        record["redeals"] = [_redeal(one) for one in redeals(game)]
    if game.is_finished:
        record["seed"] = bytes(game.seed or b"").hex()
        record["standings"] = [
            {"rank": rank, "seat": seat, "points": points} for rank, seat, points in standings(game, seats)
        ]
    return record


def spectator_view(game: Game) -> Any:
    """The current observation of a spectator."""
    system = game.rule_system
    return system.observe(system.state_from_json(game.state), None, ended=game.ending)


def seen_after(game: Game, numbers: Collection[int]) -> dict[int, Any]:
    """A spectator's observations after these log entries, by entry number; 0 is the deal.

    The game comes from `prefetch_for_export`. Raises ValueError while it runs.
    """
    if not game.is_finished:
        raise ValueError("A running game keeps its past to itself.")
    found = {}
    for number, state in states_by_entry(game, game.moves.all()):
        if number in numbers:
            over = game.ending if number == game.version else ""
            found[number] = game.rule_system.observe(state, None, ended=over, openly=True)
    return found


def moment(when: datetime | None) -> str | None:
    """Format a time for JSON: "2026-11-20T12:00:00Z", with a fraction if it has one."""
    return None if when is None else when.astimezone(UTC).isoformat().replace("+00:00", "Z")


def entry_written(game: Game, entry: LogEntry) -> dict[str, Any]:
    """A log entry of a game, as in `export_game`."""
    [record] = _log(game, [entry])
    return record


def _was_reopened(entries: Sequence[LogEntry]) -> bool:
    """Return whether a ruling among the entries let the game go on after its end."""
    told = (rulings.parse_ruling(entry.text) for entry in entries if entry.kind == LogEntry.Kind.RULING)
    return any(ruling.kind in rulings.REOPENS for ruling in told)


def _redeal(one: RedealView) -> dict[str, Any]:
    seed = {} if one.seed is None else {"seed": one.seed}
    return {"entry": one.number, "commitment": one.seed_hash, **seed}


def _game(game: Game) -> dict[str, Any]:
    return {
        "id": game.public_id,
        "name": game.name,
        "status": game.status,
        "rated": game.rated,
        "started": moment(entry_time(game, game.started) if game.started else None),
        "finished": moment(game.finished),
        "ending": (game.ending or "rules") if game.is_finished else None,
    }


def _seat(seat: Seat) -> dict[str, Any]:
    return {
        "name": seat.name,
        "program": seat.is_bot_account,
        "computer": seat.bot_level or None,
        "conceded": seat.concession_order,
    }


def _log(game: Game, entries: Sequence[LogEntry]) -> Iterator[dict[str, Any]]:
    names = _names(entries)
    for entry in entries:
        origin = entry.origin if game.is_finished or entry.origin in _TOLD_AT_ONCE else ""
        record = {
            "number": entry.number,
            "kind": entry.kind,
            "seat": entry.seat,
            "text": names.get(entry.number, entry.text),
            "author": entry.author,
            "made": moment(entry_time(game, entry.created_at)),
        }
        # Most entries have none of these.
        optional = {"events": entry.events, "origin": origin, "reason": entry.reason}
        yield record | {name: value for name, value in optional.items() if value}


def _names(entries: Sequence[LogEntry]) -> dict[int, str]:
    """Texts of entries that contain user keys, with names instead, by entry number."""
    found = {entry.number: _handed_over(entry) for entry in entries if entry.kind == LogEntry.Kind.RULING}
    rulings_by_key = {number: ruling for number, ruling in found.items() if ruling is not None}
    keys = {key for ruling in rulings_by_key.values() for key in _holders(ruling) if key.isdigit()}
    users = {str(key): user for key, user in User.objects.in_bulk({int(key) for key in keys}).items()}

    def name(holder: str) -> str:
        return users[holder].get_short_name() if holder in users else holder

    return {
        number: str(Ruling(ruling.kind, ruling.number, " from ".join(map(name, _holders(ruling)))))
        for number, ruling in rulings_by_key.items()
    }


def _handed_over(entry: LogEntry) -> Ruling | None:
    ruling = rulings.parse_ruling(entry.text)
    imported = entry.game.imported is not None
    return ruling if ruling.kind in ("adopts", "appoints") and not imported else None


def _holders(ruling: Ruling) -> list[str]:
    """The new and, unless an old log lacks it, the previous holder of the seat: keys or names."""
    now, _from, before = ruling.name.partition(" from ")
    return [now, before] if before else [now]
