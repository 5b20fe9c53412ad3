"""The words of the lessons: there for every step, and true by the rules."""

import re
from typing import Any

import pytest

from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.bonuses import bonuses
from games.engine.rules.acquire.chains import CHAIN_BY_NAME, END_SIZE, SAFE, SHARES
from games.engine.rules.acquire.chains import STEPS as SIZES
from games.engine.rules.acquire.deal import deal
from games.engine.rules.rule_systems import SYSTEMS
from games.engine.rules.seeded_random import SEED_BYTES
from games.lessons.course import COURSE, PRESET, SYSTEM
from games.lessons.lesson_answers import check_answer, solved_position, step_position
from games.web.lessons.lesson_text import STEPS, TITLES

PLACES = {(lesson.name, step.name): step for lesson in COURSE for step in lesson.steps}


def words(name: str, step: str) -> str:
    text = STEPS[name, step]
    return " ".join(map(str, (text.goal, text.note, text.hint, text.why)))


def seen(name: str, step: str) -> Any:
    return step_position(PLACES[name, step]).seen


def after(name: str, step: str) -> Any:
    solved = solved_position(PLACES[name, step], PLACES[name, step].example)
    assert solved is not None
    return solved.seen


def price(position: Any, chain: str) -> int:
    number = CHAIN_BY_NAME[chain]
    return position.rules.prices[number][position.size[number]]


def bonus(position: Any, chain: str, seat: int = 0) -> int:
    held = position.holdings[CHAIN_BY_NAME[chain]]
    return next(
        one.dollars for one in bonuses(position.rules, held, price(position, chain)) if one.seat == seat
    )


def test_every_lesson_and_step_has_its_words() -> None:
    assert list(TITLES) == [lesson.name for lesson in COURSE]
    assert list(STEPS) == list(PLACES)


@pytest.mark.parametrize("place", STEPS)
def test_sentences_are_short(place: tuple[str, str]) -> None:
    text = STEPS[place]
    for sentence in re.split(r"(?<=[.?]) ", words(*place)):
        assert len(sentence.split()) <= 20, sentence
    assert len(f"{text.goal} {text.note}") <= 150 and len(str(text.why)) <= 110


@pytest.mark.parametrize("place", STEPS)
def test_squares_that_are_named_matter_in_the_position(place: tuple[str, str]) -> None:
    position = seen(*place)
    named = [*re.findall(r"\b\d+[A-I]\b", words(*place)), *filter(None, [STEPS[place].spot])]
    for name in named:
        square = SQUARE_NAMES.index(name)
        assert position.board[square] or square in (position.hand or ()), name


def test_prices_and_money_are_those_of_the_positions() -> None:
    little = seen("shares", "afford")
    assert (little.cash[0], price(little, "tower"), price(little, "worldwide")) == (1000, 500, 300)
    assert all(word in words("shares", "afford") for word in ("$1,000", "$500", "$300", "$900"))

    before, grown = seen("growth", "grow"), after("growth", "grow")
    assert (price(before, "festival"), price(grown, "festival")) == (400, 600)
    assert grown.size[CHAIN_BY_NAME["festival"]] == 5 and before.holdings[CHAIN_BY_NAME["festival"]][0] == 3
    assert price(after("growth", "prices"), "imperial") == 700
    assert SIZES[-4:] == (11, 21, 31, 41) and seen("growth", "prices").size[CHAIN_BY_NAME["imperial"]] == 5

    assert price(seen("defunct", "sell"), "festival") * 3 == 1200 and seen("defunct", "sell").cash[0] == 100
    assert after("defunct", "sell").cash[0] == 100 + 1200


def test_bonuses_are_those_that_the_rules_pay() -> None:
    assert bonus(after("bonuses", "majority"), "american") == 6000
    assert bonus(after("bonuses", "minority"), "continental") == 3000
    assert after("mergers", "merge").cash[0] - seen("mergers", "merge").cash[0] == 3000
    assert after("mergers", "survivor").cash[0] - seen("mergers", "survivor").cash[0] == 5000
    assert bonus(seen("ending", "count"), "continental") == 9000
    assert [bonus(after("ending", "count"), "continental", seat) for seat in (0, 1)] == [12000, 6000]


def test_holdings_are_those_that_the_texts_tell() -> None:
    def held(name: str, step: str, chain: str) -> list[int]:
        return list(seen(name, step).holdings[CHAIN_BY_NAME[chain]])

    assert held("bonuses", "majority", "american")[:2] == [3, 4]
    assert held("bonuses", "minority", "continental") == [0, 8, 1]
    assert held("defunct", "trade", "imperial")[:2] == [4, 5]
    assert after("defunct", "trade").holdings[CHAIN_BY_NAME["imperial"]][:2] == (6, 5)
    tied = held("ending", "count", "continental")
    assert tied[0] == tied[1] > tied[2]
    cash = seen("ending", "count").cash
    assert cash[1] > cash[0]


def test_limits_are_those_of_the_rules() -> None:
    assert f"{SAFE} or more tiles" in words("safety", "safe")
    assert seen("safety", "safe").size[CHAIN_BY_NAME["tower"]] == SAFE - 1 == 10
    assert f"{END_SIZE} or more tiles" in words("ending", "declare")
    assert f"{SHARES} shares of each chain" in words("tiles", "choose")


def test_start_of_a_game_is_that_of_the_rules() -> None:
    game: Any = deal(SYSTEMS[SYSTEM].PRESETS[PRESET], 3, bytes(SEED_BYTES))
    assert f"in a game {len(game.hands[0])}" in words("tiles", "place")
    assert f"${game.cash[0]:,}" in words("shares", "buy")


def test_defunct_chain_can_be_founded_with_the_tile_that_is_named() -> None:
    founding = seen("defunct", "hold")
    assert {"9E", "9F"} <= set(re.findall(r"\b\d[A-I]\b", words("defunct", "hold")))
    assert SQUARE_NAMES.index("9E") in founding.hand
    assert founding.board[SQUARE_NAMES.index("9F")]


def test_reader_wins_both_ends() -> None:
    for step in ("declare", "count"):
        worth = after("ending", step).worth
        assert max(worth) == worth[0] > max(worth[1:])


def test_hint_for_too_few_shares_follows_a_tie() -> None:
    assert check_answer(PLACES["bonuses", "minority"], "buy 1 continental") == ("buy 1 continental", False)
