"""Random games of Acquisition and their invariants, a part of `tests.fuzz`."""

from random import Random

from games.engine.rules.acquisition import rule_system as acquisition
from games.engine.rules.acquisition.board import EMPTY, PARK, SQUARE_NAMES
from games.engine.rules.acquisition.events import BoughtOut, Event, Landmark, Parked, Placed
from games.engine.rules.acquisition.moves import Move
from games.engine.rules.acquisition.rule_options import Rules
from games.engine.rules.acquisition.state import State


def new_game(rng: Random) -> State:
    """Deal a game with the full or any agreed number of tiles, for any number of players."""
    usual = acquisition.PRESETS["standard"]
    rules = usual if rng.random() < 0.5 else Rules(rng.choice(acquisition.OPTIONS["tiles"]))
    return acquisition.deal(rules, rng.choice(acquisition.SEATS), rng.randbytes(32))


def any_move(state: State, rng: Random) -> Move:
    """A random move."""
    return rng.choice(acquisition.legal_moves(state))


class Look:
    """Checks between the moves of a dealt game."""

    def __init__(self, state: State) -> None:
        self.parks = self.tiles = 0
        self.large = [0] * state.seats
        self.bought: set[str] = set()
        self.before(state)

    def before(self, state: State) -> None:
        self.board = state.board[:]

    def after(self, events: list[Event]) -> None:
        """Assert that pieces and large buildings appear only as events tell."""
        assert events, "nothing was told"
        self.bought = {square for event in events if isinstance(event, BoughtOut) for square in event.squares}
        for event in events:
            if isinstance(event, Parked):
                self.parks += 1
            elif isinstance(event, Placed):
                self.tiles += 1
            elif isinstance(event, Landmark | BoughtOut):
                self.large[event.seat] += 1

    def at(self, state: State) -> None:
        """Raise every fault of the state as one error."""
        faults = acquisition.invariants(state)
        if self.parks != state.board.count(PARK):
            faults.append(f"{self.parks} parks were told of, {state.board.count(PARK)} are on the board")
        on_board = sum(EMPTY < value < PARK for value in state.board)
        if self.tiles != on_board:
            faults.append(f"{self.tiles} tiles were told of, {on_board} are on the board")
        if self.large != acquisition.worth(state):
            faults.append(
                f"large buildings are {acquisition.worth(state)}, and {self.large} by what was told"
            )
        if (self.parks + self.tiles - (state.tile >= 0)) % state.seats != state.turn:
            faults.append(f"after so many pieces it is not the turn of seat {state.turn}")
        for square, (was, now) in enumerate(zip(self.board, state.board, strict=True)):
            if was not in (EMPTY, now) and SQUARE_NAMES[square] not in self.bought:
                faults.append(f"{SQUARE_NAMES[square]} changed without a buyout")
        assert not faults, "; ".join(faults)
