"""Plans: parsing, checking, and only legal moves as answers."""

from random import Random
from typing import Any

import pytest

from games.engine.owner_must_decide import OwnerMustDecide
from games.engine.planned_turns.plan_errors import InvalidPlan
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.state import State
from tests.engine.rules.acquire.acquire_positions import dealt, play, position
from tests.support.planned_turns import plans, random_plan

WHOLE = {
    "tile": "5A",
    "board": "." * 108,
    "answers": {"found": ["found imperial", "found tower"], "buy": ["buy 2 imperial", "buy nothing"]},
    "end": True,
}


def test_plan_survives_plain_values() -> None:
    plan = plans.plan_from_json(WHOLE)
    assert plans.plan_to_json(plan) == WHOLE
    assert plans.plan_from_json(plans.plan_to_json(plan)) == plan


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (None, "no plan"),
        ([], "no plan"),
        ({"answers": []}, "no plan"),
        ({"tile": "13A"}, "no tile of the game"),
        ({"tile": 5}, "no tile of the game"),
        ({"board": "...."}, "no plan"),
        ({"board": 5}, "no plan"),
        ({"answers": {"place": ["place 5A"]}}, "no plan"),
        ({"answers": {"found": "found tower"}}, "no plan"),
        ({"answers": {"found": ["survivor tower"]}}, "no plan"),
        ({"answers": {"found": [None]}}, "no plan"),
        ({"answers": {"buy": ["buy 2 moons"]}}, "no purchase"),
        ({"answers": {"buy": ["buy 4 tower"]}}, "no purchase"),
        ({"answers": {"buy": ["buy nothing"] * 5}}, "too many"),
    ],
)
def test_invalid_plan_is_refused(record: Any, reason: str) -> None:
    with pytest.raises(InvalidPlan) as error:
        plans.plan_from_json(record)
    assert error.value.reason == reason


def test_tile_in_hand_can_be_planned_while_others_decide() -> None:
    seen = acquire.observe(position(hands=("1A", "5A 6A", "2A")), 1)
    plans.check(plans.plan_from_json({"tile": "5A"}), seen)


@pytest.mark.parametrize(("tile", "reason"), [("", "choose a tile"), ("1I", "not in hand"), ("5D", "dead")])
def test_impossible_tile_is_refused(tile: str, reason: str) -> None:
    chains = {"tower": "1C-11C", "luxor": "1E-11E"}
    seen = acquire.observe(position(chains, hands=("1I", "5D 9A", "2I")), 1)
    with pytest.raises(InvalidPlan) as error:
        plans.check(plans.plan_from_json({"tile": tile}), seen)
    assert error.value.reason == reason


def test_only_rest_of_turn_under_way_can_be_planned() -> None:
    state = position(
        {"tower": "2A-4A", "luxor": "6A-7A"}, hands=("5A 9I", "1C", "2I"), shares={"luxor": [0, 1, 0]}
    )
    play(state, "place 5A")
    seen = acquire.observe(state, 0)
    plans.check(plans.plan_from_json({"answers": {"buy": ["buy 1 tower"]}}), seen)
    for record, reason in (({"tile": "9I"}, "under way"), ({}, "nothing planned")):
        with pytest.raises(InvalidPlan) as error:
            plans.check(plans.plan_from_json(record), seen)
        assert error.value.reason == reason


def test_plan_needs_seat_in_running_game() -> None:
    plan = plans.plan_from_json({"tile": "5A"})
    state = position({"tower": "1A-11A"}, hands=("5E 9I", "12I", "11I"))
    for seen in (acquire.observe(state, None), _ended(state)):
        with pytest.raises(InvalidPlan) as error:
            plans.check(plan, seen)
        assert error.value.reason == "over"


def _ended(state: State) -> acquire.Observation:
    play(state, "place 5E", "buy nothing and end")
    return acquire.observe(state, 0)


@pytest.mark.parametrize("seed", range(12))
def test_random_plans_answer_with_legal_moves(seed: int) -> None:
    """Plans answer where they can, else random moves, under all rules and with any number of players."""
    rng = Random(seed)
    state = dealt(rng)
    stored: dict[int, Any] = {}
    played = 0
    while (seat := acquire.decider(state)) is not None:
        for owner in range(state.seats):
            if rng.random() < 0.3:
                seen = acquire.observe(state, owner, memory=True)
                plan = plans.plan_from_json(random_plan(seen, rng))
                try:
                    plans.check(plan, seen)
                except InvalidPlan:
                    continue
                stored[owner] = plan
        seen = acquire.observe(state, seat, memory=True)
        found = plans.answer(stored[seat], seen) if seat in stored else None
        assert found is None or isinstance(found, OwnerMustDecide) or found in seen.legal
        if found is None or isinstance(found, OwnerMustDecide):
            found = rng.choice(seen.legal)
        else:
            played += 1
        turn = state.turn
        acquire.apply(state, found)
        if state.turn != turn:
            stored.pop(turn, None)
    assert played > 10
