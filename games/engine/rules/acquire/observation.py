"""Observations: what one seat may know, and full states that fit it. Only observations leave the rules."""

from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from games.engine.rules.acquire.board import EMPTY, SQUARE_NAMES, SQUARES
from games.engine.rules.acquire.bonuses import worth
from games.engine.rules.acquire.chains import CHAIN_NAMES
from games.engine.rules.acquire.legal_moves import legal_moves
from games.engine.rules.acquire.moves import Move
from games.engine.rules.acquire.rule_options import Rules, to_options
from games.engine.rules.acquire.state import DECISIONS, OVER, Decision, State, empty_state
from games.engine.rules.acquire.state_json import board_to_text, names
from games.engine.rules.acquire.turns import ask_for_tile
from games.engine.rules.seeded_random import SEED_BYTES

HAS_HIDDEN_INFORMATION: Final = True


@dataclass(frozen=True, slots=True)
class Memory:
    """Cash and holdings as the public log reveals them when they are hidden: for bots, never for pages."""

    cash: tuple[int, ...]
    holdings: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Observation:
    """A game as one seat sees it, or a spectator (`seat` None).

    The fields are those of `State`, without its secrets: `cash`, `holdings` and
    `worth` are None where they are hidden, `hand` is the seat's own tiles in board
    order (None for a spectator), and for the other hands and the bag only the number
    of tiles is given. `legal` holds the moves this seat may make now. Only the seat on
    turn knows before its move that it has no playable tile.
    """

    rules: Rules
    seat: int | None
    seats: int
    board: tuple[int, ...]
    size: tuple[int, ...]
    bank: tuple[int, ...]
    cash: tuple[int | None, ...]
    holdings: tuple[tuple[int | None, ...], ...]
    worth: tuple[int | None, ...]
    hand: tuple[int, ...] | None
    hand_sizes: tuple[int, ...]
    bag_size: int
    set_aside: tuple[int, ...]
    first: int
    turn: int
    unchanged: int
    decision: Decision
    tile: int
    queue: tuple[int, ...]
    survivor: int
    defunct: int
    to_dispose: tuple[int, ...]
    ended: str
    legal: tuple[Move, ...]
    memory: Memory | None = field(default=None, repr=False)


def observe(
    state: State, seat: int | None, *, ended: str = "", memory: bool = False, openly: bool = False
) -> Observation:
    """The observation of a seat; `memory` adds, for bots, what it could have noted from the log.

    `ended` is a reason from outside the rules why the game is over: then nobody has to decide, and
    everything is shown that is shown at an end. `openly` shows the same of a past position of a
    finished game.
    """
    ended = state.ended or ended
    hidden = state.rules.holdings == "hidden" and not ended and not openly
    decision = OVER if ended else state.decision
    if decision.kind == "stuck" and decision.seat != seat:
        decision = DECISIONS["place"][decision.seat]

    def shown(values: list[int], *, openly: bool = False) -> tuple[int | None, ...]:
        if openly or not hidden:
            return tuple(values)
        return tuple(value if owner == seat else None for owner, value in enumerate(values))

    return Observation(
        rules=state.rules,
        seat=seat,
        seats=state.seats,
        board=tuple(state.board),
        size=tuple(state.size),
        bank=tuple(state.bank),
        cash=shown(state.cash),
        holdings=tuple(
            shown(held, openly=chain == state.defunct) for chain, held in enumerate(state.holdings)
        ),
        # A seat's worth includes bonuses, which would reveal what the others hold.
        worth=(None,) * state.seats if hidden else tuple(worth(state)),
        hand=None if seat is None else tuple(sorted(state.hands[seat])),
        hand_sizes=tuple(map(len, state.hands)),
        bag_size=len(state.bag),
        set_aside=tuple(sorted(state.aside)),
        first=state.first,
        turn=state.turn,
        unchanged=state.unchanged,
        decision=decision,
        tile=state.tile,
        queue=state.queue,
        survivor=state.survivor,
        defunct=state.defunct,
        to_dispose=state.to_dispose,
        ended=ended,
        legal=_legal(state) if decision.seat == seat and decision is not OVER else (),
        memory=Memory(tuple(state.cash), tuple(map(tuple, state.holdings))) if memory else None,
    )


def hidden_information(state: State) -> dict[str, Any]:
    """The information that observations leave out, as plain values, for viewers of a finished game.

    These are the `hands` by seat, and the `bag` in drawing order.
    """
    return {
        "hands": [[SQUARE_NAMES[tile] for tile in sorted(hand)] for hand in state.hands],
        "bag": [SQUARE_NAMES[tile] for tile in reversed(state.bag)],
    }


def _legal(state: State) -> tuple[Move, ...]:
    moves = tuple(legal_moves(state))
    # The hand is in the order in which its tiles were drawn, which must stay secret.
    return tuple(sorted(moves, key=lambda move: move.square)) if state.decision.kind == "place" else moves  # type: ignore[attr-defined]


def observation_to_json(seen: Observation) -> dict[str, Any]:
    """The observation as plain values, with names for chains and squares; `memory` is left out."""
    return {
        "rules": to_options(seen.rules),
        "seat": seen.seat,
        "seats": seen.seats,
        "board": board_to_text(seen.board),
        "sizes": _by_chain(seen.size),
        "bank": _by_chain(seen.bank),
        "cash": list(seen.cash),
        "holdings": {name: list(held) for name, held in _by_chain(seen.holdings).items()},
        "worth": list(seen.worth),
        "hand": None if seen.hand is None else names(seen.hand),
        "hand_sizes": list(seen.hand_sizes),
        "bag_size": seen.bag_size,
        "aside": names(seen.set_aside),
        "first": seen.first,
        "turn": seen.turn,
        "unchanged": seen.unchanged,
        "decision": None if seen.decision is OVER else [seen.decision.kind, seen.decision.seat],
        "tile": None if seen.tile < 0 else SQUARE_NAMES[seen.tile],
        "merger": {
            "survivor": CHAIN_NAMES[seen.survivor],
            "defunct": CHAIN_NAMES[seen.defunct],
            "queue": [CHAIN_NAMES[chain] for chain in seen.queue],
            "to_dispose": list(seen.to_dispose),
        },
        "ended": seen.ended,
        "legal": [move.text for move in seen.legal],
    }


def _by_chain(values: tuple[Any, ...]) -> dict[str, Any]:
    return {name: values[chain] for chain, name in enumerate(CHAIN_NAMES) if name}


def sample_state(seen: Observation, rng: Random) -> State:
    """A random full state that fits the observation; every such state is equally likely.

    Tiles that the seat cannot see are dealt anew to the other hands and the bag, and
    future randomness gets a new seed. With hidden holdings the observation must have
    its `memory`, else ValueError.
    """
    if seen.memory is None and None in seen.cash:
        raise ValueError("Hidden holdings can only be filled in from an observation with memory.")
    state = empty_state(seen.rules, seen.seats, rng.randbytes(SEED_BYTES))
    known = seen.memory or seen
    state.board = list(seen.board)
    state.size = list(seen.size)
    state.bank = list(seen.bank)
    state.cash = list(known.cash)  # type: ignore[arg-type]
    state.holdings = [list(held) for held in known.holdings]  # type: ignore[arg-type]
    state.aside = seen.set_aside
    state.first = seen.first
    state.turn = seen.turn
    state.unchanged = seen.unchanged
    state.decision = seen.decision
    state.tile = seen.tile
    state.queue = seen.queue
    state.survivor = seen.survivor
    state.defunct = seen.defunct
    state.to_dispose = seen.to_dispose
    state.ended = seen.ended
    _deal_unseen(state, seen, rng)
    if seen.decision.kind in ("place", "stuck"):
        ask_for_tile(state)
    return state


def _deal_unseen(state: State, seen: Observation, rng: Random) -> None:
    visible = {*seen.set_aside, *(seen.hand or ())}
    unseen = [square for square in SQUARES if seen.board[square] == EMPTY and square not in visible]
    # As good as rng.shuffle, and five times as fast.
    random = rng.random
    unseen.sort(key=lambda _: random())
    for seat, size in enumerate(seen.hand_sizes):
        if seat == seen.seat:
            state.hands[seat] = list(seen.hand or ())
        else:
            state.hands[seat] = [unseen.pop() for _ in range(size)]
    state.bag = unseen
