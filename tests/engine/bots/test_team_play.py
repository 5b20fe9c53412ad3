"""Bots in team games: they count the money of their team."""

from random import Random
from typing import Any

import pytest

from games.engine.bots.acquire import evaluation
from games.engine.bots.acquire.bonus_cache import payments_for
from games.engine.bots.acquire.evaluation import Evaluator, linear_evaluation, worth_evaluation
from games.engine.bots.acquire.monte_carlo import EXPERT_1
from games.engine.bots.acquire.net_worth import advantage, lead_of, worth
from games.engine.bots.acquire.plan_search import REVIEWER
from games.engine.bots.acquire.rollout_policy import move
from games.engine.bots.acquire.valuation import Valuation
from games.engine.bots.acquire.valuation_weights import weights
from games.engine.bots.bot_levels import BOTS, YARDSTICKS
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.state import State
from tests.engine.bots.bot_positions import TEAM_RULES, after_turns, seen_in
from tests.engine.rules.acquire.acquire_positions import position

BOTH = pytest.mark.parametrize("judge", [worth_evaluation, linear_evaluation])
LEVELS = {**BOTS["acquire"], **YARDSTICKS["acquire"]}
TABLES = [(rules, seats) for rules in TEAM_RULES.values() for seats in acquire.seat_counts(rules)]


def team_states(seed: int) -> list[State]:
    rng = Random(seed)
    return [after_turns(rules, seats, turns, rng) for rules, seats in TABLES for turns in (1, 12, 40)]


def can_end(cash: list[int], teams: str) -> State:
    """Seat 0 may end the game, and there are no shares to buy."""
    return position(
        {"tower": "1A-12A"},
        rules=f"avalon-hill teams={teams}",
        hands=["1I 3I 5I 7I 9I 11I", "2H", "4H", "6H"],
        shares={"tower": [7, 6, 6, 6]},
        cash=cash,
        decision="buy 0",
    )


@BOTH
def test_partners_judge_alike_and_the_chances_of_teams_add_up_to_1(judge: Evaluator) -> None:
    for state in team_states(1):
        payments = payments_for(state.rules, state.seats)
        sides = acquire.teams(state.rules, state.seats)
        found = {seat: judge(state, seat, payments) for seat in range(state.seats)}
        for side in sides:
            assert all(found[seat] == found[side[0]] for seat in side)
        if judge is linear_evaluation:
            assert sum(found[side[0]][1] for side in sides) == pytest.approx(1)


@pytest.mark.parametrize("with_network", [True, False])
def test_valuation_judges_teams(with_network: bool) -> None:
    judge = Valuation(weights(), with_network=with_network)
    for state in team_states(2):
        payments = payments_for(state.rules, state.seats)
        sides = acquire.teams(state.rules, state.seats)
        found = {seat: judge.judge([state], seat, payments)[0] for seat in range(state.seats)}
        assert all(found[seat] == found[side[0]] for side in sides for seat in side)
        assert sum(found[side[0]][1] for side in sides) == pytest.approx(1, abs=1e-4)


@BOTH
def test_money_of_a_partner_is_as_good_as_own_money(judge: Evaluator) -> None:
    for state in team_states(3):
        richer = []
        for seat in (0, acquire.teams(state.rules, state.seats)[0][1]):
            other = state.copy()
            other.cash[seat] += 20_000
            richer.append(lead_of(other, worth(other, payments_for(state.rules, state.seats)), 0))
        payments = payments_for(state.rules, state.seats)
        assert richer[0] == richer[1] == lead_of(state, worth(state, payments), 0) + 20_000
        assert judge(other, 0, payments)[0] >= judge(state, 0, payments)[0]


def test_advantage_is_that_of_the_team() -> None:
    for state in team_states(4):
        payments = payments_for(state.rules, state.seats)
        for side in acquire.teams(state.rules, state.seats):
            assert len({advantage(state, seat, payments) for seat in side}) == 1


def test_log_odds_of_one_certain_partner_carry_the_team() -> None:
    state = acquire.deal(Rules(teams="two"), 4, bytes(32))
    assert evaluation.win_chances(state, [9.0, 0.0, 0.0, 0.0])[2] > 0.99
    assert evaluation.win_chances(state, [1.0, 1.0, 0.0, 0.0]) == pytest.approx([0.5] * 4)


# Money by seat. Alone, seat 0 is far behind in the first game and ahead in the second; its team is not.
BEHIND, AHEAD = [0, 20_000, 45_000, 20_000], [20_000, 20_000, 0, 20_000]


ENDS = [(BEHIND, "two", True), (BEHIND, "none", False), (AHEAD, "two", False), (AHEAD, "none", True)]


@pytest.mark.parametrize("name", ["easy", "medium"])
@pytest.mark.parametrize(("cash", "teams", "wins"), ENDS)
def test_end_is_declared_if_the_team_wins(name: str, cash: list[int], teams: str, wins: bool) -> None:
    state = can_end(cash, teams)
    legal = acquire.legal_moves(state)
    assert {move.text for move in legal} == {"buy nothing", "buy nothing and end"}
    chosen = LEVELS[name].choose(seen_in(state), legal, Random(2))
    assert chosen.text.endswith("and end") is wins


@pytest.mark.parametrize("name", [name for name, level in LEVELS.items() if level.advise])
@pytest.mark.parametrize(("cash", "teams", "wins"), ENDS)
def test_search_expects_the_win_of_the_team(name: str, cash: list[int], teams: str, wins: bool) -> None:
    state = can_end(cash, teams)
    estimates = LEVELS[name].advise(seen_in(state), acquire.legal_moves(state), Random(2))
    chance = {one.move.text: one.chance for one in estimates}
    assert chance["buy nothing and end"] == float(wins)
    assert chance["buy nothing"] > 0.5 if wins else chance["buy nothing"] < 0.5


def test_partner_with_the_majority_is_no_rival() -> None:
    """Seat 0 goes on buying where its partner leads: together they get both bonuses."""
    shares = {"tower": [0, 4, 12, 0], "american": [0, 0, 0, 0]}
    chosen = {}
    for teams in ("none", "two"):
        state = position(
            {"tower": "1A-4A", "american": "1C-4C"},
            rules=f"avalon-hill teams={teams}",
            hands=["1I", "2H", "4H", "6H"],
            cash=[6000] * 4,
            shares=shares,
            decision="buy 0",
        )
        texts = [
            move(state, Random(seed).random, payments_for(state.rules, 4), 0.0).text for seed in range(40)
        ]
        chosen[teams] = sum("tower" in text for text in texts)
    assert chosen["two"] > chosen["none"]


@pytest.mark.parametrize("search", [EXPERT_1, REVIEWER], ids=["by line", "by plan"])
@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_rating_gives_each_seat_the_chance_of_its_team(rules: Rules, seats: int, search: Any) -> None:
    state = after_turns(rules, seats, 12, Random(5))
    legal = acquire.legal_moves(state)
    rated = search.rate(seen_in(state), legal, legal[0], Random(1))
    sides = acquire.teams(rules, seats)
    assert len(rated.chances) == seats
    assert all(rated.chances[seat] == rated.chances[side[0]] for side in sides for seat in side)
    assert sum(rated.chances[side[0]] for side in sides) == pytest.approx(1)


@pytest.mark.parametrize("name", LEVELS)
def test_every_level_plays_team_games_to_their_end(name: str) -> None:
    rng = Random(6)
    level = LEVELS[name]
    state = after_turns(Rules(teams="three"), 6, 90, rng)
    for _ in range(8):
        if not (legal := acquire.legal_moves(state)):
            break
        chosen = level.choose(seen_in(state), legal, rng)
        assert chosen in legal
        acquire.apply(state, chosen)
