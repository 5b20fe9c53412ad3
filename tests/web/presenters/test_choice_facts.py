"""Facts that a board without its table shows for a choice among some answers."""

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.board import SQUARE_BY_NAME
from games.engine.rules.acquire.state import State
from tests.engine.rules.acquire.acquire_positions import position
from tests.web.presenters.presenter_cases import ACQUIRE, readers

CHAINS = {"continental": "1A-3A", "tower": "5C-6C"}


def facts(state: State, *moves: str) -> list[str]:
    seen = acquire.observe(state, state.decision.seat)
    people = readers(state.seats, state.decision.seat)
    return ACQUIRE.choice_facts(seen, people, [acquire.parse_move(move) for move in moves])


def test_purchases_come_with_cash_and_the_standing_in_each_chain() -> None:
    state = position(CHAINS, shares={"tower": [2, 4, 0]}, decision="buy 0")
    told = facts(state, "buy 3 tower", "buy nothing")
    assert told[0] == "You have $6,000."
    assert told[1].startswith("Tower costs $400 a share: 2nd with 2")
    assert len(told) == 2


def test_tiles_come_with_the_chains_that_they_touch() -> None:
    state = position(CHAINS, decision="place 0", hands=["4A 9I", "", ""])
    told = facts(state, "place 4A", "place 9I")
    assert told[1] == "The board marks the tiles you can place: 4A and 9I."
    assert [fact.split(" costs ")[0] for fact in told[2:]] == ["Continental"]
    seen = acquire.observe(state, 0)
    placing, buying = acquire.parse_move("place 4A"), acquire.parse_move("buy nothing")
    assert ACQUIRE.choice_squares(seen, [placing]) == sorted(SQUARE_BY_NAME[name] for name in ("4A", "9I"))
    assert ACQUIRE.choice_squares(seen, [buying]) == []
