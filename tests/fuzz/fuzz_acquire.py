"""Random games of Acquire and their invariants, a part of `tests.fuzz`."""

from collections.abc import Iterator
from random import Random

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.events import BonusPaid, Bought, Disposed, Event, SoldAtEnd
from games.engine.rules.acquire.moves import Buy, Move
from games.engine.rules.acquire.state import HAND, State
from games.engine.rules.acquire.tile_placement import tile_effect


def new_game(rng: Random) -> State:
    """Deal a game under a preset or any mix of options, for any number of players."""
    if rng.random() < 0.4:
        rules = rng.choice(list(acquire.PRESETS.values()))
    else:
        rules = acquire.from_options({name: rng.choice(values) for name, values in acquire.OPTIONS.items()})
    return acquire.deal(rules, rng.choice(acquire.seat_counts(rules)), rng.randbytes(32))


def any_move(state: State, rng: Random) -> Move:
    """A random move; most declarations of the end are skipped, so that games are longer."""
    moves = acquire.legal_moves(state)
    move = moves[int(rng.random() * len(moves))]
    if isinstance(move, Buy) and move.end and rng.random() < 0.9:
        move = acquire.parse_move(move.text.removesuffix(" and end"))
    return move


class Look:
    """Checks between the moves of a dealt game."""

    def __init__(self, state: State) -> None:
        self.cash = state.cash[:]
        self.out = len(state.aside)

    def before(self, state: State) -> None:
        self.cash = state.cash[:]

    def after(self, events: list[Event]) -> None:
        """Assert that money moves only as events tell."""
        assert events, "nothing was told"
        for event in events:
            if isinstance(event, Bought):
                self.cash[event.seat] -= event.dollars
            elif isinstance(event, BonusPaid | Disposed | SoldAtEnd):
                self.cash[event.seat] += event.dollars

    def at(self, state: State) -> None:
        """Raise every fault of the state as one error."""
        faults = [*acquire.invariants(state), *played_faults(state)]
        if self.cash != state.cash:
            faults.append(f"cash is {state.cash}, and {self.cash} by what was told")
        if len(state.aside) < self.out:
            faults.append("tiles came back that were out of the game")
        self.out = len(state.aside)
        assert not faults, "; ".join(faults)


def played_faults(state: State) -> Iterator[str]:
    """Faults that a dealt game must not have, though a given position may."""
    rules = state.rules
    if state.decision.kind != "over" and state.unchanged > state.seats:
        yield "nothing has changed for longer than a round"
    for seat, hand in enumerate(state.hands):
        missing = HAND - len(hand)
        placed = seat == state.turn and state.decision.kind not in ("place", "stuck")
        if state.bag and missing > placed:
            yield f"seat {seat} holds {len(hand)} tiles, and the bag is not empty"
    if state.aside and not rules.redraw_hand and rules.dead_tiles == "stay":
        yield "tiles are out of the game, and nothing takes them out"
    if rules.rounding == "up100" and any(cash % 100 for cash in state.cash):
        yield "money that is no whole hundred"
    if state.decision.kind == "place" and any(
        tile_effect(state, move.square).kind in ("dead", "blocked") for move in state.playable
    ):
        yield "a dead or blocked tile can be played"
