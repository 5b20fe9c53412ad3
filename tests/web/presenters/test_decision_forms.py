"""Decision forms offer every legal answer and nothing else, and are read as that answer."""

from random import Random

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.state import State
from games.web.presenters.acquire.decision_forms import DecisionForm, decision
from tests.engine.rules.acquire.acquire_positions import midgame, position
from tests.support.proof import seeds
from tests.web.presenters.presenter_cases import ACQUIRE, WANTED, readers

KINDS = ("place", "stuck", "found", "survivor", "next", "dispose", "buy")


def form(state: State, seat: int | None = None) -> DecisionForm:
    seat = state.decision.seat if seat is None else seat
    found = decision(acquire.observe(state, seat), readers(state.seats, seat))
    assert found is not None
    return found


def answers(asked: DecisionForm) -> dict[str, str]:
    """The move of each choice of the form, by the label of the button."""
    if not asked.choices:
        return {
            option.text: ACQUIRE.read_move({"kind": asked.kind, "move": option.value})
            for option in asked.options
        }
    posted = {
        words["label"]: {
            "kind": asked.kind,
            **dict(zip(asked.fields, key.split(","), strict=bool(asked.fields))),
        }
        for key, words in asked.choices.items()
    }
    return {label: ACQUIRE.read_move(data) for label, data in posted.items()}


@pytest.mark.parametrize("seed", seeds(40, 150))
def test_choices_and_legal_moves_are_one_to_one(seed: int) -> None:
    state = midgame(Random(seed))
    if acquire.decider(state) is None:
        assert decision(acquire.observe(state, 0), readers(state.seats, 0)) is None
        return
    offered = answers(form(state))
    legal = [move.text for move in acquire.legal_moves(state)]
    assert sorted(acquire.parse_move(text).text for text in offered.values()) == sorted(legal)
    assert len(offered) == len(legal), "two answers carry the same label"


@pytest.mark.parametrize("kind", KINDS)
def test_only_the_seat_that_is_asked_has_a_form(kind: str) -> None:
    state = WANTED[kind]()
    assert form(state).kind == kind
    for seat in (None, *range(state.seats)):
        if seat != state.decision.seat:
            assert decision(acquire.observe(state, seat), readers(state.seats, seat)) is None


def test_button_names_the_purchase() -> None:
    state = WANTED["buy"]()
    offered = {text: label for label, text in answers(form(state)).items()}
    assert offered["buy 1 tower 2 american"] == "Buy 1 Tower, 2 American for $1,100"
    assert offered["buy nothing"] == "Buy nothing"


def test_purchase_shows_what_is_left() -> None:
    asked = form(WANTED["buy"]())
    assert asked.choices["1,2"] == {
        "label": "Buy 1 Tower, 2 American for $1,100",
        "note": "$4,900 left after this",
    }


def test_end_is_offered_only_when_allowed() -> None:
    assert "end" not in form(WANTED["buy"]()).fields
    late = form(position({"tower": "1A-12A"}, decision="buy 0"))
    assert late.fields[-1] == "end"
    assert answers(late)["Buy nothing and end the game"] == "buy nothing and end"


def test_button_names_the_trade_and_sale() -> None:
    asked = form(WANTED["dispose"]())
    assert asked.choices["4,1"] == {
        "label": "Trade 4 for 2 Tower, sell 1 for $300",
        "note": "You would have 2 Tower and $6,300.",
        "got": "2",
        "dollars": "$300",
        "hold": "0",
    }
    assert asked.choices["0,0"]["label"] == "Hold all 5"


def test_button_names_the_effect_of_a_tile() -> None:
    chains = {"tower": "1A-3A", "american": "5A-6A", "lone": "9I"}
    state = position(chains, hands=("4A 1B 10I 12E", "", ""), decision="place 0")
    assert set(answers(form(state))) == {
        "Place 4A: merge American into Tower",
        "Place 1B: grow Tower",
        "Place 10I: found a chain",
        "Place 12E",
    }


@pytest.mark.parametrize(
    ("data", "move"),
    [
        ({}, ""),
        ({"kind": "nonsense"}, ""),
        ({"move": "redraw"}, "redraw"),
        ({"kind": "place"}, "place "),
        ({"kind": "place", "tile": "5A", "square": "6A"}, "place 6A"),
        ({"kind": "found", "chain": "tower"}, "found tower"),
        ({"kind": "dispose", "sell": "0", "trade": ""}, "dispose nothing"),
        ({"kind": "dispose", "sell": "03", "trade": " 2 "}, "dispose sell 3 trade 2"),
        ({"kind": "buy", "tower": "2", "american": "0"}, "buy 2 tower"),
        ({"kind": "buy", "end": "1"}, "buy nothing and end"),
        ({"kind": "buy", "tower": "-1"}, "buy -1 tower"),
    ],
)
def test_form_is_read_into_the_notation(data: dict[str, str], move: str) -> None:
    assert ACQUIRE.read_move(data) == move
