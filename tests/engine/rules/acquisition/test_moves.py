"""The notation of moves, and the reasons of illegal moves."""

from typing import Any

import pytest

from games.engine.rules.acquisition import rule_system as acquisition_rule_system
from games.engine.rules.acquisition.board import SQUARE_NAMES
from games.engine.rules.acquisition.moves import MOVES, parse_move
from games.engine.rules.acquisition.state import State
from games.engine.rules.rule_errors import IllegalMove, InvalidMove
from tests.engine.rules.acquisition.acquisition_positions import play, position


def test_moves_are_290_with_distinct_texts() -> None:
    kinds = [move.kind for move in MOVES]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "park": 144, "place": 144, "buyout": 1, "decline": 1,
    }  # fmt: skip
    assert len({move.text for move in MOVES}) == 290


def test_squares_are_named_by_column_and_row() -> None:
    assert SQUARE_NAMES[:3] == ("a1", "b1", "c1")
    assert SQUARE_NAMES[12] == "a2"
    assert SQUARE_NAMES[-1] == "l12"
    assert len(SQUARE_NAMES) == len(set(SQUARE_NAMES)) == 144


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "place", "park", "place m1", "place a0", "place a13", "place 1a", "place a01", "place a1 b1",
        "buy", "buy out a1", "buyout", "buy nothing", "decline a1", "pass", "redraw", "place a1;",
        "place a1\x00", "place a١", "decline" * 100, "x" * 100_000,
    ],
)  # fmt: skip
def test_unknown_move_is_refused(text: str) -> None:
    with pytest.raises(InvalidMove) as refusal:
        parse_move(text)
    assert len(str(refusal.value)) <= 200


def table(kind: str) -> State:
    """A position with this decision."""
    match kind:
        case "park":
            return position(parks="b1 a2 c4 d3 e5")
        case "place":
            return position({"B": "a1 b1", "S": "c1"})
        case "buyout":
            state = position({"B": "a1", "S": "b1"})
            play(state, "place c1")
        case "over":
            state = position({"B": "a1", "S": "c1"}, tiles_each=1, ended="no tile")
    assert state.decision.kind == kind
    return state


@pytest.mark.parametrize(
    ("kind", "move", "reason", "facts"),
    [
        ("over", "place e1", "over", {}),
        ("over", "decline", "over", {}),
        ("park", "place e1", "other decision", {"asked": "park", "given": "place"}),
        ("park", "park b1", "park there", {"square": "b1"}),
        ("park", "park h8", "symmetrical", {"square": "h8"}),
        ("place", "park e1", "other decision", {"asked": "place", "given": "park"}),
        ("place", "buy out", "other decision", {"asked": "place", "given": "buyout"}),
        ("place", "decline", "other decision", {"asked": "place", "given": "decline"}),
        ("place", "place c1", "tile there", {"square": "c1", "owner": 1}),
        ("place", "place l12", "park there", {"square": "l12"}),
        ("place", "place d1", "too large", {"square": "d1", "size": 4}),
        ("buyout", "place e1", "other decision", {"asked": "buyout", "given": "place"}),
        ("buyout", "park e1", "other decision", {"asked": "buyout", "given": "park"}),
    ],
)
def test_illegal_move_has_reason_and_facts(kind: str, move: str, reason: str, facts: dict[str, Any]) -> None:
    state = table(kind)
    before = acquisition_rule_system.state_to_json(state)
    with pytest.raises(IllegalMove) as refused:
        acquisition_rule_system.check_move(state, parse_move(move))
    assert (refused.value.reason, refused.value.facts) == (reason, facts)
    assert acquisition_rule_system.state_to_json(state) == before
