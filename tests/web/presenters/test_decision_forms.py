"""Decision forms offer every legal answer and nothing else, and are read as that answer."""

import re
from random import Random

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.chains import CHAIN_BY_NAME
from games.engine.rules.acquire.state import State
from games.engine.rules.rule_errors import InvalidMove
from games.web.presenters.acquire.decision_forms import DecisionForm, decision
from games.web.presenters.acquire.prefilled_form import kept
from tests.engine.rules.acquire.acquire_positions import midgame, position
from tests.support import wording
from tests.support.proof import seeds
from tests.web.presenters.presenter_cases import ACQUIRE, WANTED, Played, readers

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
    assert offered["buy 1 tower 2 american"] == "Buy 1 Tower and 2 American for $1,100"
    assert offered["buy nothing"] == wording.BUY_NOTHING


def test_purchase_shows_what_is_left() -> None:
    asked = form(WANTED["buy"]())
    assert asked.choices["1,2"] == {
        "label": "Buy 1 Tower and 2 American for $1,100",
        "note": "You will have $4,900 left.",
        "worth": "$18,000",
    }


def test_end_is_offered_only_when_allowed() -> None:
    assert "end" not in form(WANTED["buy"]()).fields
    late = form(position({"tower": "1A-12A"}, decision="buy 0"))
    assert late.fields[-1] == "end"
    assert answers(late)[wording.BUY_NOTHING_AND_END] == "buy nothing and end"


def test_button_names_the_trade_and_sale() -> None:
    asked = form(WANTED["dispose"]())
    assert asked.choices["4,1"] == {
        "label": "Trade 4 for 2 Tower, sell 1 for $300",
        "note": "You will have 2 Tower and $6,300.",
        "got": "2",
        "dollars": "$300",
        "hold": "0",
    }
    assert asked.choices["0,0"]["label"] == "Hold all 5"


@pytest.mark.parametrize(
    ("answer", "owned", "note"),
    [
        ("4,1", 0, "You will have 2 Tower and $6,300."),
        ("0,5", 0, "You will have $7,500."),
        ("0,5", 1, "You will have 1 Tower and $7,500."),
        ("0,2", 0, "You will have 3 American and $6,600."),
        ("2,1", 1, "You will have 2 Tower, 2 American and $6,300."),
        ("0,0", 1, "You keep 5 American."),
    ],
)
def test_summary_of_a_disposal_names_only_what_is_there(answer: str, owned: int, note: str) -> None:
    state = WANTED["dispose"]()
    state.holdings[CHAIN_BY_NAME["tower"]][0] = owned
    assert form(state).choices[answer]["note"] == note


def test_chains_to_found_show_the_price_and_the_free_share() -> None:
    state = WANTED["found"]()
    state.bank[CHAIN_BY_NAME["festival"]] = 0
    costs = {option.value: option.cost for option in form(state).options}
    assert costs["tower"] == "$400, 1 free"
    assert costs["american"] == "$300, 1 free"
    assert costs["festival"] == "$300, none free"


def ways(state: State) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(way.move.text, way.title, way.gains) for way in form(state).ways]


def test_whole_answers_about_shares_tell_what_they_bring() -> None:
    assert ways(WANTED["dispose"]()) == [
        ("dispose sell 5", "Sell all 5", ("+$1,500",)),
        ("dispose sell 1 trade 4", "Trade 4, sell 1", ("+2 Tower", "+$300")),
        ("dispose nothing", "Hold all 5", ("$0",)),
    ]


def test_a_single_share_is_sold_or_held() -> None:
    state = WANTED["dispose"]()
    state.holdings[CHAIN_BY_NAME["american"]][0] = 1
    assert [title for _move, title, _gains in ways(state)] == ["Sell it", "Hold it"]
    assert not form(state).facts["mixes"]


@pytest.mark.parametrize("kind", KINDS)
def test_no_answer_is_chosen_at_first(kind: str) -> None:
    state = WANTED[kind]()
    page = Played(state).page(state.decision.seat)
    bar = page[page.index('<form id="decision"') :]
    assert not re.search(r"<input[^>]*\schecked", page)
    assert not re.search(r'type="number"[^>]*value="[^"]', page)
    assert kind not in ("dispose", "buy") or form(state).go in bar


def test_purchases_tell_the_net_worth_after_them() -> None:
    rivals = {"tower": [2, 4, 0], "american": [0, 0, 0]}
    state = position({"tower": "1A-3A", "american": "1C-4C"}, shares=rivals, decision="buy 0")
    asked = form(state)
    assert asked.facts["worth"] == f"${acquire.worth(state)[0]:,}"
    for key, words in asked.choices.items():
        after = state.copy()
        data = {"kind": "buy", **dict(zip(asked.fields, key.split(","), strict=True))}
        acquire.apply(after, acquire.parse_move(ACQUIRE.read_move(data)))
        assert words["worth"] == f"${acquire.worth(after)[0]:,}", words["label"]
    assert len({words["worth"] for words in asked.choices.values()}) > 3


def test_purchases_tell_no_worth_that_hidden_shares_would_reveal() -> None:
    asked = form(position({"tower": "1A-3A"}, decision="buy 0", rules="avalon-hill holdings=hidden"))
    assert asked.facts["worth"] == ""
    assert all("worth" not in words for words in asked.choices.values())


def test_buying_nothing_has_a_quiet_button_behind_the_one_that_buys() -> None:
    page = Played(WANTED["buy"]()).page(0)
    bar = page[page.index('<form id="decision"') :]
    assert bar.index("data-go") < bar.index("data-nothing")
    assert re.search(r'class="button quiet nothing"[^>]*name="nothing"', bar)


def test_one_button_remains_where_nothing_can_be_bought() -> None:
    page = Played(position({"tower": "1A-3A"}, cash=[0, 0, 0], decision="buy 0")).page(0)
    bar = page[page.index('<form id="decision"') :]
    assert bar.count(f"{wording.BUY_NOTHING}</button>") == 1
    assert "data-nothing" not in bar


def test_form_keeps_what_was_posted_to_it() -> None:
    asked = form(WANTED["dispose"]())
    again = kept(asked, {"kind": "dispose", "move": "", "trade": "3", "sell": "7"})
    assert again is not None
    assert again.chosen["move"] == ""
    assert {name: number.value for name, number in again.numbers.items()} == {"trade": 3, "sell": 7}
    assert kept(asked, {"kind": "buy", "sell": "7"}) is asked
    assert kept(None, {"kind": "buy"}) is None


@pytest.mark.parametrize("text", ["", "-1", "x", "1e3", "99999999999999999999", "³"])
def test_form_keeps_no_number_that_is_none(text: str) -> None:
    again = kept(form(WANTED["buy"]()), {"kind": "buy", "tower": text})
    assert again is not None
    assert again.numbers["tower"].value == 0


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
    "data",
    [
        {"kind": "buy", "tower": "", "american": " "},
        {"kind": "buy", "tower": "", "end": "1"},
        {"kind": "dispose"},
        {"kind": "dispose", "move": "", "sell": "", "trade": " "},
    ],
)
def test_no_choice_is_refused_and_not_taken_for_an_answer(data: dict[str, str]) -> None:
    with pytest.raises(InvalidMove) as refused:
        acquire.parse_move(ACQUIRE.read_move(data))
    assert ACQUIRE.refusal(refused.value, WANTED["buy"]().rules).startswith("You have not chosen")


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
        ({"kind": "buy", "tower": "2", "nothing": "1"}, "buy nothing"),
        ({"kind": "buy", "nothing": "1", "end": "1"}, "buy nothing and end"),
        ({"kind": "buy"}, "buy nothing"),
        ({"kind": "dispose", "move": "dispose nothing", "sell": "2"}, "dispose nothing"),
        ({"kind": "dispose", "move": "", "sell": "2"}, "dispose sell 2"),
    ],
)
def test_form_is_read_into_the_notation(data: dict[str, str], move: str) -> None:
    assert ACQUIRE.read_move(data) == move


def test_without_money_the_end_is_declared_beside_the_quiet_button_alone() -> None:
    asked = form(position({"tower": "1A-12A"}, decision="buy 0", cash=[100, 6000, 6000]))
    assert (asked.go, asked.nothing, asked.fields) == ("", wording.BUY_NOTHING, ("end",))
    assert [("question" in words) for words in asked.choices.values()] == [
        key == "1" for key in asked.choices
    ]


def test_without_money_or_an_end_the_turn_is_ended_by_the_main_button() -> None:
    asked = form(position({"tower": "1A-3A"}, decision="buy 0", cash=[100, 6000, 6000]))
    assert (asked.go, asked.nothing, asked.fields) == (wording.BUY_NOTHING, "", ())
