"""The form of a planned turn: choices, posted values, and words."""

from typing import Any

import pytest

from games.engine.owner_must_decide import OwnerMustDecide
from games.engine.planned_turns.acquire.turn_plan import board_seen
from games.engine.planned_turns.plan_errors import InvalidPlan, PlanView
from games.engine.planned_turns.plan_systems import PLANS
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.state import State
from games.web.presenters.acquire.plan_form import Form, plan_form
from tests.engine.rules.acquire.acquire_positions import play, position
from tests.support import wording
from tests.web.presenters.presenter_cases import ACQUIRE, Played

plans = PLANS["acquire"]


def form(state: State, seat: int | None, planned: PlanView | None = None) -> Form:
    found = plan_form(acquire.observe(state, seat), planned)
    assert found is not None
    return found


def posted(form: Form) -> dict[str, str]:
    """Fields that a browser would send with the form unchanged."""
    fields = form.fields
    assert fields is not None
    selects = {"survivor": fields.survivor, "next": fields.next, "otherwise": fields.otherwise}
    selects |= {"tile": fields.tiles}
    selects |= dict(zip(("found", "found2"), fields.found, strict=False))
    selects |= {name: picks for wish in fields.wishes for name, picks in wish.shares}
    data = {name: next((pick.value for pick in picks if pick.chosen), "") for name, picks in selects.items()}
    boxes = {"unchanged": fields.unchanged, "end": fields.end}
    return {**data, "board": fields.board, **{name: "1" for name, ticked in boxes.items() if ticked}}


def founding(seat: int = 1) -> State:
    """A game in which seat 1 waits; 5A would found a chain."""
    return position({"lone": "4A", "tower": "1I-2I"}, hands=("12A", "5A 9I", "12C"))


def record(state: State, **changes: Any) -> dict[str, Any]:
    seen = acquire.observe(state, 1)
    answers = {
        "found": ["found imperial", "found luxor"],
        "buy": ["buy 2 imperial", "buy 1 tower 1 american", "buy nothing"],
    }
    return {"tile": "5A", "board": board_seen(seen), "answers": answers, "end": False, **changes}


def test_form_posts_the_plan_it_was_filled_with() -> None:
    state = founding()
    for plan in (record(state), record(state, board="", end=True), record(state, answers={})):
        shown = form(state, 1, PlanView(plan))
        sent = plans.plan_from_json(ACQUIRE.read_plan(posted(shown)))
        assert sent == plans.plan_from_json(plan)


def test_empty_form_watches_for_changes_and_leaves_everything_open() -> None:
    sent = ACQUIRE.read_plan(posted(form(founding(), 1)))
    assert sent["board"]
    assert not any(sent["answers"].values())


@pytest.mark.parametrize(
    ("data", "answers"),
    [
        ({"found": "tower", "found2": "tower"}, {"found": ["found tower"]}),
        ({"found2": "luxor"}, {"found": ["found luxor"]}),
        ({"buy1a": "tower", "buy1b": "luxor", "buy1c": "tower"}, {"buy": ["buy 2 tower 1 luxor"]}),
        ({"buy2b": "tower", "buy3a": "tower"}, {"buy": ["buy 1 tower"]}),
        ({"otherwise": "nothing"}, {"buy": ["buy nothing"]}),
        ({"next": "tower", "survivor": "luxor"}, {"next": ["next tower"], "survivor": ["survivor luxor"]}),
    ],
)
def test_posted_form_is_read(data: dict[str, str], answers: dict[str, list[str]]) -> None:
    read = ACQUIRE.read_plan(data)["answers"]
    assert {kind: texts for kind, texts in read.items() if texts} == answers


def test_malformed_form_is_refused_with_a_message() -> None:
    with pytest.raises(InvalidPlan) as error:
        plans.plan_from_json(ACQUIRE.read_plan({"buy1a": "moon"}))
    assert ACQUIRE.why_not(error.value, acquire.PRESETS["classic"]).endswith("Choose again.")


# -- Choices -------------------------------------------------------------------------------------------------


def test_waiting_player_plans_a_turn_and_the_decider_sends_one() -> None:
    state = founding()
    assert form(state, 1).mode == "plan"
    assert form(state, 0).mode == "turn"


def test_rest_of_my_turn_can_be_planned_during_disposals() -> None:
    chains = {"tower": "2A-4A", "luxor": "6A-7A"}
    state = position(chains, hands=("5A 9I", "1C", "2I"), shares={"luxor": [0, 1, 0]})
    play(state, "place 5A")
    rest = form(state, 0)
    assert rest.mode == "rest"
    assert rest.fields is not None and not rest.fields.tiles
    assert form(state, 1).mode == "plan"


def test_nothing_can_be_planned_once_the_purchase_is_asked() -> None:
    state = position({"tower": "1A-2A"}, hands=("5E 9I", "12I", "11I"))
    play(state, "place 9I")
    assert plan_form(acquire.observe(state, 0), None) is None


def test_spectators_have_no_form() -> None:
    assert plan_form(acquire.observe(founding(), None), None) is None


def test_only_choices_that_the_hand_may_call_for_are_offered() -> None:
    lone = position({"tower": "1I-2I"}, hands=("12A", "5A 9C", "12C"))
    fields = form(lone, 1).fields
    assert fields is not None
    assert not fields.found and not fields.survivor and not fields.next
    tied = position({"tower": "2A-4A", "luxor": "6A-8A", "american": "5B-5C"}, hands=("12A", "5A", "12C"))
    fields = form(tied, 1).fields
    assert fields is not None
    assert {pick.value for pick in fields.survivor} == {"tower", "luxor"}
    assert {pick.value for pick in fields.next} == {"tower", "luxor", "american"}
    assert fields.tiles[0].calls == "survivor next"


def test_dead_tile_cannot_be_planned() -> None:
    chains = {"tower": "1A-11A", "luxor": "1C-11C"}
    fields = form(position(chains, hands=("12I", "5B 9I", "11I")), 1).fields
    assert fields is not None
    assert [pick.value for pick in fields.tiles] == ["9I"]


# -- Words ---------------------------------------------------------------------------------------------------


def test_plan_is_read_back() -> None:
    shown = form(founding(), 1, PlanView(record(founding(), end=True)))
    assert shown.kept == (
        f"{wording.PLACE_IF_NOTHING_CHANGES.format(tile='5A')} Found Imperial, otherwise Sackson. "
        "Buy 2 Imperial, otherwise 1 Tower and 1 American, otherwise nothing. Declare the end, if allowed."
    )


def test_plan_that_only_declares_the_end_says_that_it_buys_nothing() -> None:
    shown = form(founding(), 1, PlanView(record(founding(), board="", answers={}, end=True)))
    assert shown.kept == "Place 5A. Declare the end without buying anything, if allowed."


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (
            OwnerMustDecide("changed", {"tile": "5A", "square": "6A"}),
            wording.BOARD_CHANGED_NEXT_TO.format(tile="5A", square="6A"),
        ),
        (
            OwnerMustDecide("too dear", {"dollars": 900, "cash": 100}),
            wording.COSTS_MORE_THAN_CASH.format(dollars="$900", cash="$100"),
        ),
        (OwnerMustDecide("stuck"), "You cannot place any of your tiles."),
    ],
)
def test_reason_for_stopping_is_a_sentence(reason: OwnerMustDecide, words: str) -> None:
    state = position(hands=("5A 9I", "12A", "12C"))
    shown = form(state, 0, PlanView({"tile": "5A"}, stopped=reason))
    assert (shown.stopped, shown.open) == (words, True)


# -- Decision with the plan filled in ------------------------------------------------------------------------


def page(state: State, seat: int, planned: PlanView) -> str:
    urls = {"plan_url": "/plan/", "turn_url": "/turn/"}
    return Played(state).page(seat, planned=planned, **urls)  # type: ignore[arg-type]


def test_tile_of_a_stopped_plan_is_preselected() -> None:
    state = position({"lone": "4A"}, hands=("5A 9I", "12A", "12C"))
    html = page(
        state, 0, PlanView({"tile": "5A"}, stopped=OwnerMustDecide("changed", {"tile": "5A", "square": "4A"}))
    )
    chosen = html.split('id="tile-5A"')[1].split(">")[0]
    assert "checked" in chosen
    assert "checked" not in html.split('id="tile-9I"')[1].split(">")[0]
    assert wording.YOUR_PLAN_STOPPED in html


def test_chain_and_purchase_of_a_plan_are_filled_in() -> None:
    state = position({"lone": "4A"}, hands=("5A 9I", "12A", "12C"))
    plan = {"tile": "5A", "answers": {"found": ["found tower"], "buy": ["buy 2 tower"]}}
    planned = PlanView(plan, stopped=OwnerMustDecide("stuck"))
    play(state, "place 5A")
    assert "checked" in page(state, 0, planned).split('id="chain-tower"')[1].split(">")[0]
    play(state, "found tower")
    number = page(state, 0, planned).split('id="number-tower"')[1].split(">")[0]
    assert 'value="2"' in number
