"""Totals over public games that ended by the rules: record candidates and openings."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.db.models import F

from games.log import rulings
from games.log.positions import standing_moves
from games.log.standings import Place
from games.models import Game, GameOutcome, LogEntry, OpeningTally, Record, Seat

# A win in the unit of `OpeningTally.wins`.
WIN: Final = 60

# Kinds of records in every rule system: the highest winning points, and a win in the fewest own turns.
MOST, TURNS = "most", "turns"

# Rulings that give a seat to another player.
_HANDOVER_KINDS: Final = ("keeps", "leaves", "takes", "adopts", "stands in", "appoints")


def game_totals(
    game: Game, seats: Sequence[Seat], log: Sequence[LogEntry], standings: Sequence[Place]
) -> dict[str, Any] | None:
    """A game's contribution as plain values; None for a game that is not public or did not end by the rules.

    A team game has none: partners help each other to money.

    "feats" are triples of a kind, its score, and the key of its owner (None: the table's); there are none if
    rule options were changed. "tallies" are triples of a kind, a key, and the part of a win.
    """
    if game.visibility != Game.Visibility.PUBLIC or game.deleted is not None or game.is_practice:
        return None
    if game.ending != Game.Ending.RULES or not standings or game.teams:
        return None
    system = game.rule_system
    events = [event for entry in standing_moves(log) for event in _events(system, entry)]
    first = [seat for rank, seat, _ in standings if rank == 1]
    return {
        "feats": _feats(system, _sole_players(seats, log), events, standings) if game.is_by_preset else [],
        "tallies": [
            *(("seat", str(seat.number), _part(first, seat.number)) for seat in seats),
            *(("first", key, _part(first, seat)) for key, seat in system.opening(events)),
            *(
                ("level", seat.bot_level, _part(first, seat.number))
                for seat in seats
                if seat.bot_level and seat.user_id is None and seat.replaced_at is None
            ),
        ],
    }


def replace_totals(outcome: GameOutcome, game: Game, new: dict[str, Any] | None) -> None:
    """Replace the previous contribution of a game to the totals; does not save `outcome`."""
    kinds: dict[str, Any] = {"system": game.system, "preset": game.preset, "players": outcome.players}
    for kind, key, wins in (outcome.counted_totals or {}).get("tallies", ()):
        found = OpeningTally.objects.filter(**kinds, kind=kind, key=key)
        found.update(games=F("games") - 1, wins=F("wins") - wins)
    for kind, key, wins in (new or {}).get("tallies", ()):
        tally, _made = OpeningTally.objects.get_or_create(**kinds, kind=kind, key=key)
        OpeningTally.objects.filter(pk=tally.pk).update(games=F("games") + 1, wins=F("wins") + wins)
    Record.objects.filter(game=game).delete()
    Record.objects.bulk_create(
        Record(game=game, kind=kind, score=merit, user_id=user, finished=outcome.finished, **kinds)
        for kind, merit, user in (new or {}).get("feats", ())
    )
    outcome.counted_totals = new


def _events(system: Any, entry: LogEntry) -> Iterable[Any]:
    return map(system.event_from_json, entry.events)


def _part(first: Sequence[int], seat: int) -> int:
    return WIN // len(first) if seat in first else 0


def _sole_players(seats: Sequence[Seat], log: Sequence[LogEntry]) -> dict[int, int]:
    """The keys of people by seat, for seats that no bot and no other person has played."""
    rulings_of = (rulings.parse_ruling(entry.text) for entry in log if entry.kind == LogEntry.Kind.RULING)
    handed = {ruling.number for ruling in rulings_of if ruling.kind in _HANDOVER_KINDS}
    return {
        seat.number: seat.user_id
        for seat in seats
        if seat.user_id is not None and not (seat.bot_level or seat.is_bot_account or seat.number in handed)
    }


def _feats(
    system: Any, persons: Mapping[int, int], events: Sequence[Any], standings: Sequence[Place]
) -> list[tuple[str, int, int | None]]:
    """The record candidates of a game: those of the table, and the best of these people."""
    turns = system.turns(events)
    merits: dict[str, Mapping[int | None, int]] = {
        MOST: {seat: points for _, seat, points in standings},
        TURNS: {seat: -turns[seat] for rank, seat, _ in standings if rank == 1 and turns.get(seat)},
        **system.record_marks(events),
    }
    found = []
    for kind, by_seat in merits.items():
        holders = [seat for seat in by_seat if seat is None or seat in persons]
        if holders:
            best = max(holders, key=by_seat.__getitem__)
            found.append((kind, by_seat[best], None if best is None else persons[best]))
    return found
