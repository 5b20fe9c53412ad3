"""The answers of plans to each decision, and when the owner must decide."""

from typing import Any

import pytest

from games.engine.owner_must_decide import OwnerMustDecide
from games.engine.planned_turns.acquire.turn_plan import board_seen
from games.engine.planned_turns.plan_systems import PLANS
from games.engine.rules.acquire import rule_system as acquire_rule_system
from games.engine.rules.acquire.state import State
from tests.engine.rules.acquire.acquire_positions import play, position

plans = PLANS["acquire"]


def plan(tile: str = "", *, seen: Any = None, end: bool = False, **answers: list[str]) -> Any:
    """A plan; with `seen` the tile is placed only if nothing changes next to it."""
    board = board_seen(seen) if seen else ""
    return plans.plan_from_json({"tile": tile, "board": board, "answers": answers, "end": end})


def answered(plan: Any, state: State, seat: int = 0) -> str:
    """The move that the plan answers, "ask: …" with the reason, or ""."""
    found = plans.answer(plan, acquire_rule_system.observe(state, seat, memory=True))
    return f"ask: {found.reason}" if isinstance(found, OwnerMustDecide) else str(found or "")


def played_by(plan: Any, state: State) -> list[str]:
    """All consecutive answers of the plan."""
    moves: list[str] = []
    while (move := answered(plan, state)) and not move.startswith("ask"):
        play(state, move)
        moves.append(move)
    return moves


# -- The tile ----------------------------------------------------------------------------------------------


def test_planned_tile_is_placed() -> None:
    assert answered(plan("5A"), position(hands=("5A 9I", "1A", "2A"))) == "place 5A"


def test_plan_answers_only_for_its_seat() -> None:
    state = position(hands=("5A 9I", "1A", "2A"))
    assert answered(plan("1A"), state, seat=1) == ""


def test_dead_tile_is_not_placed() -> None:
    state = position({"tower": "1A-11A", "luxor": "1C-11C"}, hands=("5B 9I", "12I", "11I"))
    assert answered(plan("5B"), state) == "ask: dead"


def test_tile_founding_eighth_chain_is_not_placed() -> None:
    chains = {
        "tower": "1A-2A", "luxor": "4A-5A", "american": "7A-8A", "imperial": "10A-11A",
        "festival": "1C-2C", "worldwide": "4C-5C", "continental": "7C-8C", "lone": "5F",
    }  # fmt: skip
    assert answered(plan("6F"), position(chains, hands=("6F 9I", "12I", "11I"))) == "ask: blocked"


def test_hand_without_playable_tile_asks_owner() -> None:
    state = position({"tower": "1A-11A", "luxor": "1C-11C"}, hands=("5B", "12I", "11I"))
    assert acquire_rule_system.observe(state, 0).decision.kind == "stuck"
    assert answered(plan("5B"), state) == "ask: stuck"


def test_change_next_to_tile_stops_watching_plan() -> None:
    before = acquire_rule_system.observe(position({"lone": "4A"}, hands=("5A 9I", "6A", "2I")), 0)
    after = position({"lone": "4A 6A"}, hands=("5A 9I", "1C", "2I"))
    watching = plans.answer(plan("5A", seen=before), acquire_rule_system.observe(after, 0))
    assert watching == OwnerMustDecide("changed", {"tile": "5A", "square": "6A"})
    assert answered(plan("5A"), after) == "place 5A"


def test_new_chain_from_lone_tile_counts_as_change() -> None:
    before = acquire_rule_system.observe(position({"lone": "4A"}, hands=("5A 9I", "3A", "2I")), 0)
    after = position({"tower": "3A-4A"}, hands=("5A 9I", "1C", "2I"))
    assert answered(plan("5A", seen=before), after) == "ask: changed"


def test_change_elsewhere_does_not_matter() -> None:
    before = acquire_rule_system.observe(position({"lone": "4A"}, hands=("5A 9I", "12I", "2I")), 0)
    after = position({"lone": "4A 12I 5C"}, hands=("5A 9I", "1C", "2I"))
    assert answered(plan("5A", seen=before), after) == "place 5A"


def test_chain_outgrowing_another_elsewhere_counts_as_change() -> None:
    before = acquire_rule_system.observe(
        position({"tower": "2A-4A", "luxor": "6A-7A"}, hands=("5A", "8A", "9A")), 0
    )
    same = position({"tower": "1A-4A", "luxor": "6A-7A"}, hands=("5A", "8A", "9A"))
    grown = position({"tower": "2A-4A", "luxor": "6A-9A"}, hands=("5A", "8B", "9B"))
    assert answered(plan("5A", seen=before), same) == "place 5A"
    assert answered(plan("5A", seen=before), grown) == "ask: does something else"
    assert answered(plan("5A"), grown) == "place 5A"


# -- Founding and mergers ------------------------------------------------------------------------------------


def test_whole_turn_is_played() -> None:
    state = position({"lone": "4A"}, hands=("5A 9I", "1C", "2I"))
    turn = plan("5A", found=["found imperial"], buy=["buy 3 imperial"])
    assert played_by(turn, state) == ["place 5A", "found imperial", "buy 3 imperial"]


def test_second_choice_is_founded_if_first_is_on_board() -> None:
    state = position({"lone": "4A", "imperial": "1I-2I"}, hands=("5A 9I", "1C", "2C"))
    turn = plan("5A", found=["found imperial", "found tower"])
    assert played_by(turn, state) == ["place 5A", "found tower"]


def test_tile_is_not_placed_if_no_planned_chain_can_be_founded() -> None:
    state = position({"lone": "4A", "imperial": "1I-2I"}, hands=("5A 9I", "1C", "2C"))
    assert answered(plan("5A", found=["found imperial"]), state) == "ask: chain on the board"


def test_unplanned_choice_is_left_to_owner() -> None:
    state = position({"lone": "4A"}, hands=("5A 9I", "1C", "2I"))
    turn = plan("5A", buy=["buy 2 tower"])
    assert played_by(turn, state) == ["place 5A"]
    play(state, "found tower")
    assert played_by(turn, state) == ["buy 2 tower"]


def test_planned_survivor_is_chosen() -> None:
    state = position({"tower": "2A-4A", "luxor": "6A-8A"}, hands=("5A 9I", "1C", "2I"))
    turn = plan("5A", survivor=["survivor luxor"], buy=["buy 1 luxor"])
    assert played_by(turn, state) == ["place 5A", "survivor luxor", "buy 1 luxor"]


def test_tile_is_not_placed_if_planned_survivor_is_too_small() -> None:
    chains = {"tower": "2A-4A", "luxor": "6A-8A", "american": "5B-5C"}
    turn = plan("5A", survivor=["survivor american"])
    assert answered(turn, position(chains, hands=("5A 9I", "1C", "2I"))) == "ask: not among the largest"


def test_planned_defunct_chain_goes_first() -> None:
    chains = {"tower": "1B-4B", "luxor": "5C-5D", "american": "6B-7B"}
    shares = {"tower": [0, 0, 0], "luxor": [0, 2, 0], "american": [0, 2, 0]}
    state = position(chains, hands=("5B 9I", "1I", "2I"), shares=shares)
    turn = plan("5B", next=["next luxor"], buy=["buy 1 tower"])
    assert played_by(turn, state) == ["place 5B", "next luxor"]
    play(state, "dispose sell 2", "dispose sell 2")
    assert played_by(turn, state) == ["buy 1 tower"]


# -- The purchase --------------------------------------------------------------------------------------------


def test_first_possible_purchase_is_made() -> None:
    wishes = ["buy 3 imperial", "buy 1 tower", "buy nothing"]
    chains = {"imperial": "1A-2A", "tower": "1C-2C"}
    for cash, expected in ((6000, "buy 3 imperial"), (899, "buy 1 tower"), (100, "buy nothing")):
        state = position(chains, hands=("5E 9I", "1H", "2I"), cash=[cash, 6000, 6000])
        assert played_by(plan("5E", buy=wishes), state) == ["place 5E", expected]


def test_tile_is_not_placed_if_no_planned_purchase_is_possible() -> None:
    state = position({"imperial": "1A-2A"}, hands=("5E 9I", "1C", "2I"), cash=[100, 6000, 6000])
    refused = plans.answer(plan("5E", buy=["buy 3 imperial"]), acquire_rule_system.observe(state, 0))
    assert refused == OwnerMustDecide("too dear", {"dollars": 900, "cash": 100})


def test_purchase_after_merger_is_checked_when_due() -> None:
    chains = {"tower": "2A-4A", "luxor": "6A-7A"}
    shares = {"luxor": [10, 0, 0]}
    state = position(chains, hands=("5A 9I", "1C", "2I"), cash=[0, 0, 0], shares=shares)
    turn = plan("5A", buy=["buy 3 tower"])
    assert played_by(turn, state) == ["place 5A"]
    play(state, "dispose sell 10")
    assert played_by(turn, state) == ["buy 3 tower"]


def test_impossible_purchase_after_merger_asks_owner() -> None:
    chains = {"tower": "2A-4A", "luxor": "6A-7A"}
    state = position(chains, hands=("5A 9I", "1C", "2I"), cash=[0, 0, 0])
    play(state, "place 5A")
    assert answered(plan("5A", buy=["buy 3 tower"]), state) == "ask: too dear"


def test_plan_for_end_only_buys_nothing() -> None:
    hands = ("5E 9I", "12I", "11I")
    state = position({"tower": "1A-11A"}, hands=hands)
    assert played_by(plan("5E", end=True), state) == ["place 5E", "buy nothing and end"]


def test_plan_for_end_only_leaves_purchase_to_owner_before_end() -> None:
    state = position({"tower": "1A-4A"}, hands=("5E 9I", "12I", "11I"))
    assert played_by(plan("5E", end=True), state) == ["place 5E"]
    assert answered(plan(end=True), state) == ""


def test_end_with_impossible_purchase_asks_owner() -> None:
    state = position({"tower": "1A-11A"}, hands=("5E 9I", "12I", "11I"), cash=[0, 0, 0])
    play(state, "place 5E")
    assert answered(plan(end=True, buy=["buy 1 tower"]), state) == "ask: too dear"


def test_end_is_declared_with_purchase_if_allowed() -> None:
    wish = plan("5E", buy=["buy 1 tower"], end=True)
    hands = ("5E 9I", "12I", "11I")
    assert played_by(wish, position({"tower": "1A-11A"}, hands=hands)) == ["place 5E", "buy 1 tower and end"]
    assert played_by(wish, position({"tower": "1A-9A"}, hands=hands)) == ["place 5E", "buy 1 tower"]


def test_planned_purchase_needs_planned_tile() -> None:
    state = position({"tower": "1A-2A"}, hands=("5E 9I", "12I", "11I"))
    play(state, "place 9I")
    assert answered(plan("5E", buy=["buy 1 tower"]), state) == ""


def test_rest_of_turn_needs_no_tile() -> None:
    state = position({"tower": "1A-2A"}, hands=("5E 9I", "12I", "11I"))
    rest = plan(buy=["buy 1 tower"])
    assert answered(rest, state) == ""
    play(state, "place 9I")
    assert answered(rest, state) == "buy 1 tower"


def test_plan_with_hidden_holdings_needs_memory() -> None:
    state = position({"tower": "1A-2A"}, rules="avalon-hill holdings=hidden", hands=("5E 9I", "12I", "11I"))
    wish = plan("5E", buy=["buy 1 tower"])
    assert answered(wish, state) == "place 5E"
    with pytest.raises(ValueError, match="memory"):
        plans.answer(wish, acquire_rule_system.observe(state, 0))
