"""What a public game that the rules ended adds to the sums of all games: feats, and tallies of openings."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.db.models import F

from games.models import Feat, Game, Move, Outcome, Seat, Tally
from games.services.results import Place
from games.services.standing import standing_moves

# A win in the unit of `Tally.wins`.
WIN: Final = 60

# Feats of every rule system: the most that a game was won with, and a win in the fewest own turns.
MOST, TURNS = "most", "turns"


def told(
    game: Game, seats: Sequence[Seat], log: Sequence[Move], standings: Sequence[Place]
) -> dict[str, Any] | None:
    """What a game adds, as plain values; None for one that is not for everybody, or ended otherwise.

    "feats" are triples of a kind, its merit, and the key of whose it was (None: the table's); those of
    computers and programs are none. "tallies" are triples of a kind, a key, and the part of a win.
    """
    if game.visibility != Game.Visibility.PUBLIC or game.deleted is not None or game.practice:
        return None
    if game.ending != Game.Ending.RULES or not standings:
        return None
    system = game.rule_system
    events = [event for entry in standing_moves(log) for event in _events(system, entry)]
    first = [seat for rank, seat, _ in standings if rank == 1]
    return {
        "feats": _feats(system, seats, events, standings, first),
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


def _feats(
    system: Any,
    seats: Sequence[Seat],
    events: Sequence[Any],
    standings: Sequence[Place],
    first: Sequence[int],
) -> list[tuple[str, int, int | None]]:
    """The feats of a game: those of the table, and those of people who sat in their seats themselves."""
    turns = system.turns(events)
    person = {
        seat.number: seat.user_id
        for seat in seats
        if seat.user is not None and not seat.computer and not seat.user.is_program
    }
    found: list[tuple[str, int, int | None]] = []
    won = [(points, person[seat]) for _, seat, points in standings if seat in person]
    if won:
        found.append((MOST, *max(won, key=lambda one: one[0])))
    fast = [(-turns[seat], person[seat]) for seat in first if seat in person and turns.get(seat)]
    if fast:
        found.append((TURNS, *max(fast, key=lambda one: one[0])))
    for kind, (merit, seat) in system.feats(events).items():
        if seat is None or seat in person:
            found.append((kind, merit, None if seat is None else person[seat]))
    return found
