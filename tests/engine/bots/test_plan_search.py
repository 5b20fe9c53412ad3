"""Search over whole turns."""

from collections import Counter
from random import Random

import pytest

from games.engine.bots.acquire import plan_search, valuation
from games.engine.bots.acquire.bonus_cache import payments_for
from games.engine.bots.acquire.plan_search import MIN_TRIES, PlanSearch, judge_in_use
from games.engine.bots.acquire.turn_plans import (
    ENDINGS,
    MAX_PLANS,
    PLANNED_PURCHASES,
    TRIED_PURCHASES,
    follow,
    plans,
)
from games.engine.bots.acquire.valuation import Valuation
from games.engine.bots.acquire.valuation_weights import weights
from games.engine.bots.bot_levels import BOTS, YARDSTICKS
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.chains import CHAIN_BY_NAME
from games.engine.rules.acquire.moves import Buy, Move, parse_move
from games.engine.rules.acquire.observation import sample_state
from games.engine.rules.acquire.state import State
from tests.engine.bots.bot_positions import any_time, last_purchase, seen_in
from tests.engine.bots.share_lover import ShareLover
from tests.engine.rules.acquire.acquire_positions import midgame, position
from tests.support.hidden_tiles import shuffle_tiles

QUICK = PlanSearch(tries=20)


def plans_for(state: State) -> list[tuple[Move, ...]]:
    seen = seen_in(state)
    return plans(seen, seen.legal, judge_in_use(), payments_for(state.rules, state.seats), Random(1))


def decided(state: State, chance: int = 1, search: PlanSearch = QUICK) -> Move:
    seen = seen_in(state)
    return search.choose(seen, seen.legal, Random(chance))


def states(seed: int, count: int) -> list[State]:
    """Positions of all kinds in which there is something to decide."""
    rng = Random(seed)
    found: list[State] = []
    while len(found) < count:
        state = midgame(rng) if len(found) % 2 else any_time(rng)
        if acquire.legal_moves(state):
            found.append(state)
    return found


@pytest.mark.parametrize("part", range(3))
def test_choice_is_legal_under_any_rules(part: int) -> None:
    for state in states(part, 40):
        assert decided(state) in acquire.legal_moves(state)


def test_choice_is_repeatable() -> None:
    for number, state in enumerate(states(4, 20)):
        assert decided(state, number) is decided(state, number)


def test_hidden_tiles_do_not_change_the_choice() -> None:
    for number, state in enumerate(states(5, 20)):
        other = shuffle_tiles(state, Random(number))
        assert decided(state, number) is decided(other, number)


def test_search_out_of_time_still_answers() -> None:
    for state in states(6, 20):
        seen = seen_in(state)
        assert QUICK.choose(seen, seen.legal, Random(1), lambda: True) in seen.legal


def test_search_answers_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(valuation, "network", lambda: None)
    search = PlanSearch(tries=20, judge=lambda: Valuation(weights()))
    for state in states(7, 10):
        assert decided(state, search=search) in acquire.legal_moves(state)


def test_plan_for_a_tile_is_a_whole_turn() -> None:
    state = position(
        {"tower": "1A-3A", "lone": "5E"}, hands=["5F 9I", "1I 2I", "3I 4I"], bag="1G 2G 3G 4G 5G 6G"
    )
    found = plans_for(state)
    assert {plan[0].text for plan in found} == {"place 5F", "place 9I"}
    assert {tuple(move.kind for move in plan) for plan in found} == {
        ("place", "buy"),
        ("place", "found", "buy"),
    }


def test_every_tile_keeps_a_plan_and_plans_are_few() -> None:
    for state in states(8, 30):
        if state.decision.kind == "place":
            found = plans_for(state)
            assert {plan[0] for plan in found} == set(acquire.legal_moves(state))
            assert len(found) <= max(MAX_PLANS, 7 * len(acquire.legal_moves(state)))


SIX_CHAINS = {
    "tower": "1A-3A",
    "luxor": "1C-4C",
    "american": "1E-2E",
    "festival": "1G-6G",
    "imperial": "9A-12A",
    "continental": "9I-12I",
}


# The game may be ended.
LONG_CONTINENTAL = {
    "tower": "1A-3A",
    "luxor": "1C-4C",
    "american": "1E-2E",
    "imperial": "9A-12A",
    "continental": "1H-12H 1I-12I 8G-12G 8F-12F 8E-12E 11D-12D",
}
PAIRED = ("tower", "american", "luxor", "festival")


@pytest.mark.parametrize("seed", range(20))
def test_best_of_many_purchases_is_found_without_judging_all(seed: int) -> None:
    state = position(SIX_CHAINS, hands=["12E", "", ""], cash=[9000] * 3, bag="1I", decision="buy 0")
    rng = Random(seed)
    judge = ShareLover([rng.uniform(-1, 2) for _ in state.holdings])
    seen = seen_in(state)
    found = plans(seen, seen.legal, judge, payments_for(state.rules, 3), rng)  # type: ignore[arg-type]
    purchases = [move for move in seen.legal if isinstance(move, Buy)]
    best = max(purchases, key=lambda move: sum(judge.points[chain] for chain in move.shares))
    assert found[0] == (best,)
    assert len(found) == TRIED_PURCHASES
    assert judge.judged < len(purchases) == 84


def test_purchase_is_found_whose_first_share_alone_is_not_the_best() -> None:
    state = position(SIX_CHAINS, hands=["12E", "", ""], cash=[9000] * 3, bag="1I", decision="buy 0")
    tower, american, luxor, festival = (CHAIN_BY_NAME[name] for name in PAIRED)
    points = [0.0] * len(state.holdings)
    points[tower], points[american], points[luxor], points[festival] = 4, 3, 2, -9
    judge = ShareLover(points, (luxor, festival), 50)
    seen = seen_in(state)
    best, *_ = plans(seen, seen.legal, judge, payments_for(state.rules, 3), Random(1))  # type: ignore[arg-type]
    assert best[0].text == "buy 1 tower 1 festival 1 luxor"


def test_each_tile_is_planned_with_several_purchases() -> None:
    state = position(SIX_CHAINS, hands=["12E 12G", "", ""], cash=[9000] * 3, bag="1I 2D", decision="place 0")
    tiles = Counter(plan[0].text for plan in plans_for(state))
    assert tiles == {"place 12E": PLANNED_PURCHASES, "place 12G": PLANNED_PURCHASES}


def test_ending_with_the_best_result_is_planned_among_many_purchases() -> None:
    state = position(
        LONG_CONTINENTAL,
        hands=["6C", "", ""],
        shares={"luxor": [3, 4, 0], "tower": [1, 2, 0], "continental": [8, 5, 3], "imperial": [4, 0, 6]},
        cash=[9000, 7000, 5000],
        bag="",
        decision="buy 0",
    )
    endings = [move for move in acquire.legal_moves(state) if isinstance(move, Buy) and move.end]

    def lead_after(purchase: Buy) -> int:
        after = state.copy()
        acquire.apply(after, purchase)
        own, *others = after.cash
        return own - max(others)

    best, second, *_ = sorted(endings, key=lead_after, reverse=True)
    assert len(endings) > 50
    assert {(best,), (second,)} <= set(plans_for(state))


def test_ending_that_loses_is_planned_beside_all_purchases() -> None:
    state = position(
        LONG_CONTINENTAL,
        hands=["6C", "", ""],
        shares={"continental": [0, 5, 3]},
        cash=[5000, 9000, 9000],
        bag="1F",
        decision="buy 0",
    )
    found = [purchase for (purchase,) in plans_for(state) if isinstance(purchase, Buy)]
    assert [purchase.end for purchase in found].count(False) == TRIED_PURCHASES
    assert [purchase.end for purchase in found].count(True) == ENDINGS


def test_purchase_that_is_too_dear_is_left_to_the_policy() -> None:
    state = position({"tower": "1A-3A"}, hands=["9I 8I", "", ""], cash=[100, 6000, 6000], bag="1G 2G")
    place = parse_move("place 9I")
    dear = parse_move("buy 3 tower")
    follow(state, (place, dear), payments_for(state.rules, 3), Random(1))
    assert (state.decision.kind, state.cash[0]) == ("buy", 100)


def test_expert_and_master_plan_whole_turns_and_master_has_foresight() -> None:
    expert, master = (BOTS["acquire"][level].choose.__self__ for level in ("expert", "master"))  # type: ignore[attr-defined]
    assert isinstance(expert, PlanSearch)
    assert isinstance(master, PlanSearch)
    assert (expert.foresight_every, master.foresight_every) == (0, 2)


def test_earlier_designs_are_yardsticks_that_are_offered_to_nobody() -> None:
    earlier = {"plain-300", "expert-1", "master-1"}
    assert set(YARDSTICKS["acquire"]) == earlier
    assert not earlier & set(BOTS["acquire"])


def test_weights_are_loaded_once() -> None:
    assert plan_search.judge_in_use() is plan_search.judge_in_use()


def test_advice_has_one_estimate_for_each_move_with_a_plan() -> None:
    for state in states(9, 20):
        seen = seen_in(state)
        found = QUICK.advise(seen, seen.legal, Random(1))
        moves = [estimate.move for estimate in found]
        assert len(set(moves)) == len(moves)
        assert set(moves) == {plan[0] for plan in plans_for(state)} or state.decision.kind == "buy"
        assert all(0 <= one.chance <= 1 and one.tries > 0 for one in found)
        assert [one.tries for one in found] == sorted((one.tries for one in found), reverse=True)


def test_advice_begins_with_the_choice() -> None:
    for number, state in enumerate(states(10, 20)):
        seen = seen_in(state)
        if len(seen.legal) > 1:
            assert QUICK.advise(seen, seen.legal, Random(number))[0].move is decided(state, number)


def test_every_move_is_rated_against_the_best_one() -> None:
    rng = Random(11)
    for state in states(11, 15):
        seen = seen_in(state)
        played = rng.choice(seen.legal)
        rating = QUICK.rate(seen, seen.legal, played, Random(1))
        assert rating.played.move == played
        others = [one.move for one in rating.others]
        assert not {rating.best.move, played} & set(others)
        assert {rating.best.move, played, *others} == {played, *(plan[0] for plan in plans_for(state))}
        sides = acquire.teams(seen.rules, seen.seats) or [(seat,) for seat in range(seen.seats)]
        assert sum(rating.chances[side[0]] for side in sides) == pytest.approx(1)
        assert rating.chances[seen.decision.seat] == pytest.approx(rating.played.chance)


def test_purchase_that_loses_is_rated_against_one_that_wins() -> None:
    """Two more shares of Tower win the majority, and nothing is random any more."""
    seen = seen_in(last_purchase([6000] * 4, {"tower": [4, 5, 0, 0]}))
    nothing = parse_move("buy nothing")
    rating = QUICK.rate(seen, seen.legal, nothing, Random(1))
    assert rating.best.move.text.removesuffix(" and end") in ("buy 2 tower", "buy 3 tower")
    assert (rating.best.chance, rating.played.chance) == (1, 0)
    assert rating.chances[0] == 0


def test_move_without_a_better_one_is_its_own_best() -> None:
    for number, state in enumerate(states(12, 15)):
        seen = seen_in(state)
        if len(seen.legal) == 1:
            rating = QUICK.rate(seen, seen.legal, seen.legal[0], Random(number))
            assert rating.best == rating.played


def test_rating_out_of_time_still_has_a_verdict() -> None:
    for state in states(13, 5):
        seen = seen_in(state)
        rating = QUICK.rate(seen, seen.legal, seen.legal[-1], Random(1), lambda: True)
        assert rating.played.tries in (1, MIN_TRIES)


@pytest.mark.plain
def test_rating_out_of_time_deals_no_more_than_it_must(monkeypatch: pytest.MonkeyPatch) -> None:
    """One deal for the search, the fewest to compare two plans, and as many for the chances of the seats."""
    dealt = []
    monkeypatch.setattr(
        plan_search, "sample_state", lambda seen, rng: dealt.append(seen) or sample_state(seen, rng)
    )
    most = 0
    for state in states(13, 5):
        seen = seen_in(state)
        dealt.clear()
        QUICK.rate(seen, seen.legal, seen.legal[-1], Random(1), lambda: True)
        most = max(most, len(dealt))
    assert most == 1 + 2 * MIN_TRIES
