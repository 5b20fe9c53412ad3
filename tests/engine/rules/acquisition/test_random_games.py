"""Random games over all options and numbers of players, checked against the reference."""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from games.engine.rules.acquisition import parks, tile_placement, turns
from games.engine.rules.acquisition import rule_system as acquisition
from games.engine.rules.acquisition.board import EMPTY, PARK
from games.engine.rules.acquisition.buildings import built, count
from games.engine.rules.acquisition.events import KINDS, Event
from games.engine.rules.acquisition.legal_moves import legal_moves
from games.engine.rules.acquisition.moves import Place
from games.engine.rules.acquisition.rule_options import PARKS, Rules
from games.engine.rules.acquisition.state import State
from tests.engine.rules.acquisition import reference_acquisition
from tests.engine.rules.acquisition.acquisition_positions import ACQUISITION, dealt
from tests.support.proof import seeds

PARTS = 8
GAMES = 6


def play_game(number: int, seen: Counter[str] | None = None) -> State:
    """Play a random game with checks after every move; raises AssertionError for a fault."""
    rng = Random(number)
    state = dealt(rng)
    tiles = 0
    while legal := legal_moves(state):
        move = rng.choice(legal)
        before = state.copy()
        events = acquisition.play(state, move)
        assert acquisition.invariants(state) == []
        placed = [kind(event) for event in events].count("placed")
        tiles += placed
        assert_turn(state, tiles)
        # A tile that is placed without asking has no move to compare.
        if placed == 1 and isinstance(move, Place):
            buyer = reference_acquisition.asked(before, move.square)
            assert (state.decision.seat if state.decision.kind == "buyout" else None) == buyer
        if seen is not None:
            seen.update(map(kind, events))
            seen[f"{before.decision.kind} out of turn"] += before.decision.seat != before.turn
    return state


def kind(event: Event) -> str:
    return str(acquisition.event_to_json(event)["kind"])


def assert_turn(state: State, tiles: int) -> None:
    """Check the turn by the number of pieces, and the buildings by the board."""
    on_board = sum(value not in (EMPTY, PARK) for value in state.board)
    assert on_board == tiles
    settled = PARKS[state.seats] - state.parks + tiles - (state.tile >= 0)
    assert state.turn == settled % state.seats
    if state.ended or state.turn == 0:
        counted = [list(built(state, seat)) for seat in range(state.seats)]
        assert counted == reference_acquisition.scores(state)


@pytest.mark.parametrize("part", seeds(2, PARTS))
def test_rules_hold_after_every_move(part: int) -> None:
    for number in range(part, GAMES * PARTS, PARTS):
        play_game(number)


def test_random_games_cover_all_events() -> None:
    seen: Counter[str] = Counter()
    for number in range(25):
        play_game(number, seen)
    assert {name for name in seen if " " not in name} == set(KINDS)
    assert seen["buyout out of turn"] > 10


@pytest.mark.parametrize("part", seeds(2, 4))
def test_legal_moves_match_reference(part: int) -> None:
    """Compare all 290 moves."""
    rng = Random(part)
    kinds = set()
    for _ in range(6):
        state = dealt(rng)
        while moves := legal_moves(state):
            if state.parks == 1 or rng.random() < 0.15:
                ACQUISITION.check_legal_moves(state, reference_acquisition.legal_moves(state), REASONS)
                kinds.add(state.decision.kind)
            acquisition.apply(state, rng.choice(moves))
        ACQUISITION.check_legal_moves(state, reference_acquisition.legal_moves(state), REASONS)
    assert kinds == {"park", "place", "buyout"}


REASONS = ("over", "other decision", "park there", "tile there", "symmetrical", "too large")


@pytest.mark.plain
def test_every_reason_is_documented() -> None:
    assert all(f'"{reason}"' in (acquisition.check_move.__doc__ or "") for reason in REASONS)


def no_limit(state: State, square: int) -> bool:
    return True


def buyer_without_reserve(state: State, squares: list[int]) -> int | None:
    owners = [state.board[square] - 1 for square in squares]
    return next((owner for owner in owners if owners.count(owner) == 2), None)


def count_without_removal(state: State, squares: list[int], by: int) -> None:
    if by > 0:
        count(state, squares, by)


def always_first(state: State) -> None:
    state.turn = -1
    turns.next_turn(state)


def check_last_park() -> None:
    """Check the last park of a nearly symmetrical set, as random parks are hardly ever symmetrical."""
    state = acquisition.deal(Rules(), 4, bytes(32))
    for text in ("park a1", "park l1", "park a12"):
        acquisition.apply(state, acquisition.parse_move(text))
    assert set(legal_moves(state)) == reference_acquisition.legal_moves(state)


SABOTAGE: list[tuple[object, str, Callable[..., object]]] = [
    (turns, "has_room", no_limit),
    (tile_placement, "has_room", no_limit),
    (tile_placement, "buyer_of", buyer_without_reserve),
    (tile_placement, "count", count_without_removal),
    (tile_placement, "next_turn", always_first),
    (tile_placement, "_close", lambda state, squares: None),
    (tile_placement, "group", lambda board, square: [square]),
    (parks, "is_symmetrical", lambda parks, symmetries: False),
]


@pytest.mark.plain
@pytest.mark.parametrize(("module", "name", "instead"), SABOTAGE, ids=[row[1] for row in SABOTAGE])
def test_fault_in_rules_is_found(
    module: object, name: str, instead: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, instead)
    with pytest.raises(AssertionError):
        for number in range(20):
            play_game(number)
            check_last_park()
