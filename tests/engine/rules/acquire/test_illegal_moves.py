"""Illegal moves, each with its reason and the facts for a message."""

from typing import Any

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.moves import MOVES
from games.engine.rules.acquire.state import State
from games.engine.rules.rule_errors import IllegalMove
from tests.engine.rules.acquire.acquire_positions import play, position

MERGER = {"tower": "1A-3A", "american": "5A 6A", "luxor": "4B 4C"}


def table(kind: str) -> State:
    """A position in which seat 0 has this decision."""
    match kind:
        case "place":
            return position(MERGER, hands=["4A 12I", "9I", "8I"])
        case "buy":
            return position(MERGER, decision="buy 0", cash=[1000, 0, 0], shares={"luxor": [0, 0, 24]})
        case "found":
            state = position({"lone": "1I", "tower": "1A 2A"}, hands=["2I", "9I", "8I"])
            play(state, "place 2I")
        case "survivor":
            state = position({"tower": "1A-3A", "american": "5A-7A", "luxor": "4B 4C"}, hands=["4A", "", ""])
            play(state, "place 4A")
        case "next":
            state = position(MERGER, hands=["4A", "", ""])
            play(state, "place 4A")
        case "dispose":
            held = {"american": [5, 1, 0], "tower": [0, 0, 24]}
            state = position({"tower": "1A-3A", "american": "5A 6A"}, hands=["4A", "", ""], shares=held)
            play(state, "place 4A")
        case "stuck":
            chains = {"tower": "1A-12A", "american": "1C-12C"}
            state = position(chains, hands=["1B", "", ""], rules="course")
        case "over":
            state = position({"tower": "1A-12A"}, decision="buy 0")
            play(state, "buy nothing and end")
    assert state.decision.kind == kind
    return state


def refusal(state: State, text: str) -> tuple[str, dict[str, Any]]:
    before = acquire.state_to_json(state)
    with pytest.raises(IllegalMove) as refused:
        acquire.check_move(state, acquire.parse_move(text))
    assert acquire.state_to_json(state) == before
    assert str(refused.value) == refused.value.reason
    return refused.value.reason, refused.value.facts


@pytest.mark.parametrize(
    ("kind", "move", "reason", "facts"),
    [
        ("over", "buy nothing", "over", {}),
        ("over", "pass", "over", {}),
        ("over", "place 1I", "over", {}),
        ("place", "buy nothing", "other decision", {"asked": "place", "given": "buy"}),
        ("place", "pass", "other decision", {"asked": "place", "given": "pass"}),
        ("place", "redraw", "other decision", {"asked": "place", "given": "redraw"}),
        ("buy", "place 12I", "other decision", {"asked": "buy", "given": "place"}),
        ("dispose", "buy nothing", "other decision", {"asked": "dispose", "given": "buy"}),
        ("survivor", "next tower", "other decision", {"asked": "survivor", "given": "next"}),
        ("stuck", "place 1B", "other decision", {"asked": "stuck", "given": "place"}),
        ("stuck", "buy nothing", "other decision", {"asked": "stuck", "given": "buy"}),
        ("place", "place 9I", "not in hand", {"tile": "9I"}),
        ("place", "place 1A", "not in hand", {"tile": "1A"}),
        ("found", "found tower", "chain on the board", {"chain": "tower"}),
        ("survivor", "survivor luxor", "not among the largest", {"chain": "luxor"}),
        ("survivor", "survivor imperial", "not among the largest", {"chain": "imperial"}),
        ("next", "next tower", "not among the largest", {"chain": "tower"}),
        ("dispose", "dispose sell 6", "too few held", {"chain": "american", "held": 5}),
        ("dispose", "dispose trade 6", "too few held", {"chain": "american", "held": 5}),
        ("dispose", "dispose sell 2 trade 4", "too few held", {"chain": "american", "held": 5}),
        ("dispose", "dispose trade 4", "too few to trade for", {"chain": "tower", "stock": 1}),
        ("buy", "buy 1 imperial", "not on the board", {"chain": "imperial"}),
        ("buy", "buy 2 luxor", "too few in the bank", {"chain": "luxor", "stock": 1}),
        ("buy", "buy 3 tower", "too dear", {"dollars": 1500, "cash": 1000}),
        ("buy", "buy 2 tower 1 luxor", "too dear", {"dollars": 1200, "cash": 1000}),
        ("buy", "buy nothing and end", "end not allowed", {}),
        ("buy", "buy 1 tower and end", "end not allowed", {}),
        ("stuck", "redraw", "redraw not allowed", {}),
    ],
)
def test_illegal_move_has_reason(kind: str, move: str, reason: str, facts: dict[str, Any]) -> None:
    assert refusal(table(kind), move) == (reason, facts)


def test_dead_tile_is_refused() -> None:
    state = position({"tower": "1A-12A", "american": "1C-12C"}, hands=["1B 9I", "", ""])
    assert refusal(state, "place 1B") == ("dead", {"tile": "1B"})


def test_blocked_tile_is_refused() -> None:
    seven = {
        "tower": "1A 2A", "continental": "4A 5A", "american": "7A 8A", "imperial": "1C 2C",
        "festival": "4C 5C", "luxor": "7C 8C", "worldwide": "1E 2E", "lone": "12A",
    }  # fmt: skip
    state = position(seven, hands=["12B 9I", "", ""])
    assert refusal(state, "place 12B") == ("blocked", {"tile": "12B"})


def test_redraw_from_empty_bag_is_refused() -> None:
    state = position({"tower": "1A-12A", "american": "1C-12C"}, hands=["1B", "", ""], bag="")
    assert refusal(state, "redraw") == ("redraw not allowed", {})


@pytest.mark.plain
@pytest.mark.parametrize("kind", ["place", "stuck", "found", "survivor", "next", "dispose", "buy", "over"])
def test_every_move_is_legal_or_has_documented_reason(kind: str) -> None:
    state = table(kind)
    reasons = acquire.check_move.__doc__ or ""
    legal = set(acquire.legal_moves(state))
    for move in MOVES:
        if move in legal:
            acquire.check_move(state, move)
        else:
            reason, _ = refusal(state, move.text)
            assert f'"{reason}"' in reasons
