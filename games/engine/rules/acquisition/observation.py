"""Observations: what one seat may know, and full states that fit it. Only observations leave the rules.

Only the seed is hidden in this game, and nothing after the deal of the seats depends on it.
"""

from dataclasses import dataclass
from random import Random
from typing import Any, Final

from games.engine.rules.acquisition.board import SQUARE_NAMES, group
from games.engine.rules.acquisition.legal_moves import legal_moves
from games.engine.rules.acquisition.moves import PARKS_AT, PLACE, Move
from games.engine.rules.acquisition.rule_options import Rules, to_options
from games.engine.rules.acquisition.state import LARGE, MEDIUM, OVER, SMALL, Decision, State, empty_state
from games.engine.rules.acquisition.state_json import board_to_text
from games.engine.rules.seeded_random import SEED_BYTES

HAS_HIDDEN_INFORMATION: Final = False


@dataclass(frozen=True, slots=True)
class Observation:
    """A game as one seat sees it, or a spectator (`seat` None).

    The fields are those of `State` without the seed. `group` holds the squares that a buyout is
    about, in board order, while one is asked. `legal` holds the moves this seat may make now;
    `open`, for everybody, the squares where a piece may go.
    """

    rules: Rules
    seat: int | None
    seats: int
    board: tuple[int, ...]
    size: tuple[int, ...]
    reserve: tuple[int, ...]
    buildings: tuple[tuple[int, ...], ...]
    worth: tuple[int, ...]
    parks: int
    turn: int
    decision: Decision
    open: tuple[int, ...]
    tile: int
    group: tuple[int, ...]
    ended: str
    legal: tuple[Move, ...]


def observe(
    state: State, seat: int | None, *, ended: str = "", memory: bool = False, openly: bool = False
) -> Observation:
    """The observation of a seat; `memory` and `openly` change nothing in this game.

    `ended` is a reason from outside the rules why the game is over: then nobody has to decide.
    """
    ended = state.ended or ended
    decision = OVER if ended else state.decision
    mine = decision is not OVER and decision.seat == seat
    return Observation(
        rules=state.rules,
        seat=seat,
        seats=state.seats,
        board=tuple(state.board),
        size=tuple(state.size),
        reserve=tuple(state.reserve),
        buildings=tuple(map(tuple, state.buildings)),
        worth=tuple(state.buildings[LARGE]),
        parks=state.parks,
        turn=state.turn,
        decision=decision,
        open=tuple([move.square for move in state.open]),
        tile=state.tile,
        group=tuple(group(state.board, state.tile)) if state.tile >= 0 else (),
        ended=ended,
        legal=tuple(legal_moves(state)) if mine else (),
    )


def hidden_information(state: State) -> dict[str, Any]:
    """Return an empty dictionary, as an observation leaves out nothing in this game."""
    return {}


def observation_to_json(seen: Observation) -> dict[str, Any]:
    """The observation as plain values, with names for squares."""
    return {
        "rules": to_options(seen.rules),
        "seat": seen.seat,
        "seats": seen.seats,
        "board": board_to_text(seen.board),
        "reserve": list(seen.reserve),
        "large": list(seen.buildings[LARGE]),
        "medium": list(seen.buildings[MEDIUM]),
        "small": list(seen.buildings[SMALL]),
        "parks": seen.parks,
        "turn": seen.turn,
        "decision": None if seen.decision is OVER else [seen.decision.kind, seen.decision.seat],
        "open": [SQUARE_NAMES[square] for square in seen.open],
        "tile": None if seen.tile < 0 else SQUARE_NAMES[seen.tile],
        "group": [SQUARE_NAMES[square] for square in seen.group],
        "ended": seen.ended,
        "legal": [move.text for move in seen.legal],
    }


def sample_state(seen: Observation, rng: Random) -> State:
    """The full state that fits the observation, with a new seed, which decides nothing."""
    state = empty_state(seen.rules, seen.seats, rng.randbytes(SEED_BYTES))
    state.board = list(seen.board)
    state.size = list(seen.size)
    state.reserve = list(seen.reserve)
    state.buildings = [list(owned) for owned in seen.buildings]
    state.parks = seen.parks
    state.turn = seen.turn
    state.decision = seen.decision
    moves = PARKS_AT if seen.parks else PLACE
    state.open = tuple([moves[square] for square in seen.open])  # type: ignore[assignment]
    state.tile = seen.tile
    state.ended = seen.ended
    return state
