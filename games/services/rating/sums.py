"""What a public game that the rules ended adds to the sums of all games: feats, and tallies of openings."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.db.models import F

from games.models import Feat, Game, Move, Outcome, Seat, Tally
from games.services import rulings
from games.services.results import Place
from games.services.standing import standing_moves

# A win in the unit of `Tally.wins`.
WIN: Final = 60

# Feats of every rule system: the most that a game was won with, and a win in the fewest own turns.
MOST, TURNS = "most", "turns"

# The rulings by which somebody else comes into a seat.
_HANDING: Final = ("keeps", "takes", "adopts", "stands in", "appoints")


def told(
    game: Game, seats: Sequence[Seat], log: Sequence[Move], standings: Sequence[Place]
) -> dict[str, Any] | None:
    """What a game adds, as plain values; None for one that is not for everybody, or ended otherwise.

    "feats" are triples of a kind, its merit, and the key of whose it was (None: the table's); there are none
    where options of the rules were changed. "tallies" are triples of a kind, a key, and the part of a win.
    """
    if game.visibility != Game.Visibility.PUBLIC or game.deleted is not None or game.practice:
        return None
    if game.ending != Game.Ending.RULES or not standings:
        return None
    system = game.rule_system
    events = [event for entry in standing_moves(log) for event in _events(system, entry)]
    first = [seat for rank, seat, _ in standings if rank == 1]
    return {
        "feats": _feats(system, _themselves(seats, log), events, standings) if game.is_by_preset else [],
        "tallies": [
            *(("seat", str(seat.number), _part(first, seat.number)) for seat in seats),
            *(("first", key, _part(first, seat)) for key, seat in system.opening(events)),
            *(
                ("level", seat.computer, _part(first, seat.number))
                for seat in seats
                if seat.computer and seat.user_id is None and seat.vacated is None
            ),
        ],
    }


def put(outcome: Outcome, game: Game, new: dict[str, Any] | None) -> None:
    """Take out of the sums what a game has added before, and add this instead; `outcome` is not saved."""
    kinds: dict[str, Any] = {"system": game.system, "preset": game.preset, "players": outcome.players}
    for kind, key, wins in (outcome.told or {}).get("tallies", ()):
        found = Tally.objects.filter(**kinds, kind=kind, key=key)
        found.update(games=F("games") - 1, wins=F("wins") - wins)
    for kind, key, wins in (new or {}).get("tallies", ()):
        tally, _made = Tally.objects.get_or_create(**kinds, kind=kind, key=key)
        Tally.objects.filter(pk=tally.pk).update(games=F("games") + 1, wins=F("wins") + wins)
    Feat.objects.filter(game=game).delete()
    Feat.objects.bulk_create(
        Feat(game=game, kind=kind, merit=merit, user_id=user, finished=outcome.finished, **kinds)
        for kind, merit, user in (new or {}).get("feats", ())
    )
    outcome.told = new


def _events(system: Any, entry: Move) -> Iterable[Any]:
    return map(system.event_from_json, entry.events)


def _part(first: Sequence[int], seat: int) -> int:
    return WIN // len(first) if seat in first else 0


def _themselves(seats: Sequence[Seat], log: Sequence[Move]) -> dict[int, int]:
    """The keys of people by their seats, where nobody else has played: no computer, nor another person."""
    rulings_of = (rulings.read(entry.text) for entry in log if entry.kind == Move.Kind.RULING)
    handed = {ruling.number for ruling in rulings_of if ruling.kind in _HANDING}
    return {
        seat.number: seat.user_id
        for seat in seats
        if seat.user_id is not None and not (seat.computer or seat.is_programs or seat.number in handed)
    }


def _feats(
    system: Any, persons: Mapping[int, int], events: Sequence[Any], standings: Sequence[Place]
) -> list[tuple[str, int, int | None]]:
    """The feats of a game: those of the table, and the best of these people."""
    turns = system.turns(events)
    merits: dict[str, Mapping[int | None, int]] = {
        MOST: {seat: points for _, seat, points in standings},
        TURNS: {seat: -turns[seat] for rank, seat, _ in standings if rank == 1 and turns.get(seat)},
        **system.feats(events),
    }
    found = []
    for kind, by_seat in merits.items():
        holders = [seat for seat in by_seat if seat is None or seat in persons]
        if holders:
            best = max(holders, key=by_seat.__getitem__)
            found.append((kind, by_seat[best], None if best is None else persons[best]))
    return found
