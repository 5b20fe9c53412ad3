"""Turns of the others in a search, in which they buy what the valuation would have them buy."""

from random import Random
from typing import Any

import pytest

from games.engine.bots.acquire import plan_search
from games.engine.bots.acquire.bonus_cache import payments_for
from games.engine.bots.acquire.foresight import play_on, purchases
from games.engine.bots.acquire.plan_search import PlanSearch, judge_in_use
from games.engine.bots.acquire.rollout_policy import roll_out
from games.engine.bots.acquire.valuation import Valuation
from games.engine.bots.acquire.valuation_weights import weights
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.chains import CHAIN_BY_NAME
from games.engine.rules.acquire.observation import Observation, sample_state
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.state import State
from tests.engine.bots.bot_positions import TEAM_RULES, after_turns, any_time, last_purchase, seen_in
from tests.engine.bots.share_lover import ShareLover
from tests.engine.rules.acquire.acquire_positions import position
from tests.support.hidden_tiles import shuffle_tiles

QUICK = PlanSearch(tries=20, foresight_every=1)
FOUR_CHAINS = {"tower": "1A-3A", "luxor": "1C-4C", "american": "1E-2E", "festival": "1G-6G"}
# Tiles that touch nothing, and leave room for more of them.
HANDS = ["9A 11A", "9C 11C", "9E 11E"]
BAG = "9G 11G 9I 11I 7I 5I"


def lover(**points: float) -> Any:
    """A judge that counts these points for each share, by name of the chain."""
    by_chain = [0.0] * 8
    for name, value in points.items():
        by_chain[CHAIN_BY_NAME[name]] = value
    return ShareLover(by_chain)


def bought(state: State, judge: Any) -> str:
    (purchase,) = purchases([state], judge, payments_for(state.rules, state.seats))
    return purchase.text


def asks_to_buy(cash: int = 6000, **fields: object) -> State:
    return position(FOUR_CHAINS, hands=HANDS, bag=BAG, cash=[cash, 6000, 6000], decision="buy 0", **fields)  # type: ignore[arg-type]


def running(seed: int, count: int) -> list[State]:
    """Positions under any rules, in each of which the game goes on."""
    rng = Random(seed)
    found: list[State] = []
    while len(found) < count:
        state = any_time(rng)
        if not state.ended:
            found.append(state)
    return found


def test_shares_are_bought_in_the_order_of_their_worth() -> None:
    assert bought(asks_to_buy(), lover(luxor=2, tower=1)) == "buy 3 luxor"


def test_no_more_is_bought_than_the_bank_has() -> None:
    state = asks_to_buy(shares={"luxor": [0, 12, 12]})
    assert bought(state, lover(luxor=2, tower=1)) == "buy 2 tower 1 luxor"


def test_no_more_is_bought_than_there_is_money_for() -> None:
    price = asks_to_buy().rules.prices[CHAIN_BY_NAME["luxor"]][4]
    assert bought(asks_to_buy(cash=2 * price), lover(luxor=1)) == "buy 2 luxor"


def test_share_that_lowers_the_value_is_not_bought() -> None:
    assert bought(asks_to_buy(), lover(luxor=-1, tower=-2)) == "buy nothing"


def test_more_shares_are_of_the_two_chains_whose_first_share_gains_most() -> None:
    state = asks_to_buy(shares={"luxor": [0, 12, 12], "tower": [0, 12, 12]})
    assert bought(state, lover(luxor=3, tower=2, american=1)) == "buy 1 tower 1 luxor"
    assert bought(state, lover(luxor=1, tower=2, american=3)) == "buy 3 american"


def test_each_position_gets_its_own_purchase() -> None:
    rich, poor, bare = asks_to_buy(), asks_to_buy(cash=0), asks_to_buy(shares={"luxor": [0, 13, 12]})
    found = purchases([rich, poor, bare], lover(luxor=2, tower=1), payments_for(rich.rules, 3))
    assert [purchase.text for purchase in found] == ["buy 3 luxor", "buy nothing", "buy 3 tower"]


def test_others_buy_what_the_judge_ranks_first() -> None:
    state = position(FOUR_CHAINS, hands=HANDS, bag=BAG, turn=1, decision="place 1")
    play_on([state], [Random(1)], 0, lover(american=1), payments_for(state.rules, 3))
    assert state.turn == 0
    assert state.decision.kind == "place"
    assert state.holdings[CHAIN_BY_NAME["american"]] == [0, 3, 3]


def test_seat_itself_buys_as_the_policy_does() -> None:
    state, copy = asks_to_buy(), asks_to_buy()
    payments = payments_for(state.rules, 3)
    roll_out(copy, 1, Random(1).random, payments)
    play_on([state], [Random(1)], 0, lover(tower=-1, luxor=-1, american=-1, festival=-1), payments)
    shares = [[held[seat] for held in state.holdings] for seat in range(3)]
    assert shares == [[held[0] for held in copy.holdings], [0] * 8, [0] * 8]
    assert sum(shares[0]) == 3


def test_leader_ends_the_game_where_the_end_may_be_declared() -> None:
    state = position(
        {"continental": "1H-12H 1I-12I 8G-12G 8F-12F 8E-12E 11D-12D"},
        hands=["1A", "3A", "5A"],
        bag="7A 9A 11A",
        shares={"continental": [0, 9, 0]},
        turn=1,
        decision="place 1",
    )
    play_on([state], [Random(1)], 0, lover(continental=1), payments_for(state.rules, 3))
    assert state.ended == "declared"


def test_policy_buys_other_shares() -> None:
    """The twin: what the judge says counts for nothing."""
    state = position(FOUR_CHAINS, hands=HANDS, bag=BAG, turn=1, decision="place 1")
    roll_out(state, 2, Random(1).random, payments_for(state.rules, 3))
    assert state.holdings[CHAIN_BY_NAME["american"]] != [0, 3, 3]


def test_positions_side_by_side_go_on_as_each_would_alone() -> None:
    rng = Random(3)
    states = [after_turns(Rules(), 4, turns, rng) for turns in (12, 30, 50, 60, 70, 80, 90) for _ in range(3)]
    chances = [Random(number) for number, _ in enumerate(states)]
    alone = [state.copy() for state in states]
    payments = payments_for(Rules(), 4)
    play_on(states, chances, 2, judge_in_use(), payments)
    for number, state in enumerate(alone):
        play_on([state], [Random(number)], 2, judge_in_use(), payments)
    assert [acquire.position_to_text(state) for state in states] == [
        acquire.position_to_text(state) for state in alone
    ]


def test_play_stops_when_the_next_turn_of_the_seat_begins() -> None:
    for number, state in enumerate(running(4, 60)):
        seat, after = number % state.seats, state.copy()
        play_on([after], [Random(number)], seat, judge_in_use(), payments_for(state.rules, state.seats))
        assert after.ended or after.turn == seat
        assert acquire.position_to_text(after) != acquire.position_to_text(state)


def test_game_that_ends_with_this_purchase_ends() -> None:
    state = last_purchase([6000, 6000, 6000], {"tower": [1, 2, 3]}, seat=1)
    play_on([state], [Random(1)], 0, judge_in_use(), payments_for(state.rules, 3))
    assert state.ended


@pytest.mark.parametrize("part", range(2))
def test_choice_is_legal_under_any_rules_and_repeatable(part: int) -> None:
    for number, state in enumerate(running(part, 12)):
        seen = seen_in(state)
        first, again = (QUICK.choose(seen, seen.legal, Random(number)) for _ in range(2))
        assert first is again
        assert first in seen.legal


def test_search_out_of_time_still_answers() -> None:
    for state in running(8, 10):
        seen = seen_in(state)
        assert QUICK.choose(seen, seen.legal, Random(1), lambda: True) in seen.legal


def test_hidden_tiles_do_not_change_the_choice() -> None:
    for number, state in enumerate(running(5, 15)):
        seen, other = seen_in(state), seen_in(shuffle_tiles(state, Random(number)))
        choices = [QUICK.choose(view, view.legal, Random(number)) for view in (seen, other)]
        assert choices[0] is choices[1]


@pytest.mark.parametrize("with_network", [True, False])
def test_partners_are_foreseen_too(with_network: bool) -> None:
    judge = Valuation(weights(), with_network=with_network)
    for rules in TEAM_RULES.values():
        seats = max(acquire.seat_counts(rules))
        state = after_turns(rules, seats, 30, Random(6))
        payments = payments_for(rules, seats)
        values = judge.judge_each([state] * seats, range(seats), payments)
        for team in acquire.teams(rules, seats):
            assert len({values[seat] for seat in team}) == 1
        play_on([state], [Random(1)], 0, judge, payments)
        assert state.ended or state.turn == 0


def test_foresight_changes_what_is_chosen() -> None:
    """Otherwise the search would ignore its setting."""
    changed = 0
    for number, state in enumerate(running(7, 30)):
        seen = seen_in(state)
        plain = PlanSearch(QUICK.tries).choose(seen, seen.legal, Random(number))
        changed += QUICK.choose(seen, seen.legal, Random(number)) is not plain
    assert changed > 3


@pytest.mark.plain
@pytest.mark.parametrize("every", [0, 1, 2])
def test_foresight_comes_in_the_deals_that_are_asked_for(every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    deals: list[str] = []

    def deal(seen: Observation, rng: Random) -> State:
        deals.append("policy")
        return sample_state(seen, rng)

    def play_on_noted(*positions: Any) -> None:
        deals[-1] = "foresight"
        play_on(*positions)

    monkeypatch.setattr(plan_search, "sample_state", deal)
    monkeypatch.setattr(plan_search, "play_on", play_on_noted)
    (state,) = running(7, 1)
    seen = seen_in(state)
    search = PlanSearch(tries=100, foresight_every=every)
    search.choose(seen, seen.legal, Random(1))
    of_choice = deals.copy()
    deals.clear()
    search.rate(seen, seen.legal, seen.legal[0], Random(1))
    for dealt in (of_choice, deals):
        assert len(dealt) > 2
        assert dealt.count("foresight") == (len(dealt) // every if every else 0)
