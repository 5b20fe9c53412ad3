"""Monte Carlo search: how it shares out its tries, and its choices in given positions."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from games.engine.bots.acquire import evaluation, monte_carlo
from games.engine.bots.acquire.monte_carlo import EXPERT_1, HARD, MASTER_1, PLAIN_300, MonteCarloSearch
from games.engine.bots.acquire.rollout_policy import end_at_once, end_when_leading
from games.engine.bots.thinking_time import ThinkingTime, no_time_limit
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.apply_move import apply
from games.engine.rules.acquire.legal_moves import legal_moves
from games.engine.rules.acquire.moves import Dispose, Move, Place
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.state import State
from tests.engine.bots.bot_positions import RULES, TURNS, after_turns, any_time, last_purchase, seen_in
from tests.engine.rules.acquire.acquire_positions import play, position

# Master is expert with more tries; this number is enough here.
LEVELS = {"hard": HARD, "expert-1": EXPERT_1, "master-1": replace(MASTER_1, tries=500)}
EVERY_LEVEL = pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
QUICK = replace(EXPERT_1, tries=8)


def choices(level: MonteCarloSearch, state: State, seeds: int = 4) -> set[str]:
    seen = seen_in(state)
    return {level.choose(seen, seen.legal, Random(seed)).text for seed in range(seeds)}


def outcome(state: State, move: Move, seat: int) -> int:
    """The lead in dollars over the best other seat when the move has ended the game."""
    state = state.copy()
    apply(state, move)
    assert state.ended
    own = state.cash.pop(seat)
    return own - max(state.cash)


def time_limit(asked: int) -> Callable[[], bool]:
    """A time limit that is reached after this number of calls."""
    answers = iter([False] * asked)
    return lambda: next(answers, True)


# -- Tries and time ------------------------------------------------------------------------------------


@pytest.fixture
def opening() -> State:
    """A position with six tiles to choose from."""
    return acquire.deal(Rules(), 4, bytes(32))


def test_estimates_are_in_order_and_one_per_move() -> None:
    rng = Random(1)
    for _ in range(30):
        seen = seen_in(any_time(rng))
        if not seen.legal:
            continue
        found = QUICK.weigh(seen, seen.legal, Random(1))
        assert {estimate.move for estimate in found} == set(seen.legal)
        assert len(found) == len(seen.legal)
        # Moves dropped early have fewer tries and come last.
        tries = [-estimate.tries for estimate in found]
        assert tries == sorted(tries)
        assert all(0 <= estimate.chance <= 1 for estimate in found)


def test_moves_are_ranked_by_value_and_reported_with_chance(
    opening: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this test the better of two moves is less likely to win."""
    monkeypatch.setattr(monte_carlo, "roll_out", lambda *asked: None)
    seen = seen_in(opening)
    good, bad = seen.legal[:2]

    def judge(state: State, *asked: object) -> evaluation.Evaluation:
        assert isinstance(good, Place)
        return (0.8, 0.3, 1000) if state.board[good.square] else (0.6, 0.4, -500)

    found = replace(QUICK, judge=judge).weigh(seen, [bad, good], Random(1))
    assert [estimate.move for estimate in found] == [good, bad]
    assert [estimate.chance for estimate in found] == pytest.approx([0.3, 0.4])
    assert [estimate.lead for estimate in found] == pytest.approx([1000, -500])


@pytest.mark.parametrize("tries", [1, 8, 60, 300])
@pytest.mark.parametrize("count", [1, 2, 3, 5, 6, 13, 29])
def test_tries_add_up_to_budget(tries: int, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monte_carlo, "roll_out", lambda *asked: None)
    state = position({"tower": "1A-4A", "luxor": "1C 2C", "american": "1E 2E"}, decision="buy 0")
    seen = seen_in(state)
    moves = [*seen.legal, *seen.legal][:count]
    found = [trial.tries for trial in replace(QUICK, tries=tries).weigh(seen, moves, Random(1))]
    assert len(found) == count
    assert min(found) >= 1
    # Never more than the budget, unless there are more moves than tries: then each has one.
    assert sum(found) <= max(tries, count)
    if tries >= 3 * count:
        assert sum(found) >= 0.8 * tries
    # Half of the moves are dropped in each round, so those that remain have more than their share.
    if count > 2 and tries >= 5 * count:
        assert found[0] == found[1] > 1.2 * tries / count


def test_moves_are_tried_on_same_deals(opening: State) -> None:
    """So a move that is listed twice gets the same estimate twice."""
    seen = seen_in(opening)
    first, second = EXPERT_1.weigh(seen, [seen.legal[0]] * 2, Random(1))
    assert first == second


@pytest.mark.plain
def test_each_try_has_its_own_deal(opening: State, monkeypatch: pytest.MonkeyPatch) -> None:
    deals = set()

    def noting(state: State, *asked: object) -> None:
        deals.add(tuple(state.bag))

    monkeypatch.setattr(monte_carlo, "roll_out", noting)
    seen = seen_in(opening)
    replace(QUICK, tries=20).weigh(seen, seen.legal[:1], Random(1))
    assert len(deals) == 20


def test_search_out_of_time_tries_each_move_once(opening: State) -> None:
    seen = seen_in(opening)
    found = MASTER_1.weigh(seen, seen.legal, Random(1), lambda: True)
    assert [estimate.tries for estimate in found] == [1] * len(seen.legal)
    assert found == replace(MASTER_1, tries=len(seen.legal)).weigh(seen, seen.legal, Random(1))


@pytest.mark.parametrize("asked", [0, 1, 7, 200])
def test_search_stops_when_time_is_up(opening: State, asked: int) -> None:
    seen = seen_in(opening)
    found = MASTER_1.weigh(seen, seen.legal, Random(1), time_limit(asked))
    assert found[0].tries == 1 + asked == max(move.tries for move in found)
    assert MASTER_1.choose(seen, seen.legal, Random(1), time_limit(asked)) is found[0].move


@EVERY_LEVEL
def test_unreached_time_limit_changes_nothing(opening: State, level: MonteCarloSearch) -> None:
    seen = seen_in(opening)
    cap = ThinkingTime(1e9)
    capped = level.advise(seen, seen.legal, Random(5), cap)
    assert not cap.struck
    assert capped == level.advise(seen, seen.legal, Random(5), no_time_limit)
    assert capped[0].move is level.choose(seen, seen.legal, Random(5))
    assert capped != level.advise(seen, seen.legal, Random(6))


@pytest.mark.plain
def test_try_covers_turn_of_every_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise seats that move soon would look better."""
    asked = set()
    monkeypatch.setattr(
        monte_carlo, "roll_out", lambda state, turns, *others: asked.add((state.seats, turns))
    )
    for seats in acquire.SEATS:
        seen = seen_in(acquire.deal(Rules(), seats, bytes(32)))
        QUICK.choose(seen, seen.legal, Random(1))
    assert asked == {(2, 4), (3, 4), (4, 4), (5, 5), (6, 6)}


# -- Choices -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", range(3))
@EVERY_LEVEL
def test_deciding_purchase_is_found(level: MonteCarloSearch, seat: int) -> None:
    """Two more shares of Tower win the majority; fewer do not, and nothing is random any more."""
    shares = [5, 0, 0]
    shares.insert(seat, 4)
    state = last_purchase([6000] * 4, {"tower": shares}, seat=seat)
    assert {move.removesuffix(" and end") for move in choices(level, state)} <= {"buy 2 tower", "buy 3 tower"}
    found = level.advise(seen_in(state), legal_moves(state), Random(1))
    # Nothing is random, so each move either wins or loses for certain.
    assert {estimate.chance for estimate in found if outcome(state, estimate.move, seat) > 0} == {1}
    assert {estimate.chance for estimate in found if outcome(state, estimate.move, seat) < 0} == {0}


@EVERY_LEVEL
def test_choice_is_exact_without_chance(level: MonteCarloSearch) -> None:
    rng = Random(3)
    level = replace(level, tries=60)
    chains = {"tower": "1A-12A", "american": "1C-5C"}
    mattered = 0
    for _ in range(25):
        cash = [rng.randrange(0, 6000, 100) for _ in range(4)]
        shares = {name: [rng.randrange(6) for _ in range(4)] for name in chains}
        state = last_purchase(cash, shares, chains)
        outcomes = {move.text: outcome(state, move, 0) for move in legal_moves(state)}
        mattered += len({*outcomes.values()}) > 1
        assert {outcomes[move] for move in choices(level, state, 1)} == {max(outcomes.values())}
    assert mattered > 15


@pytest.mark.parametrize("seats", [2, 3, 6])
@EVERY_LEVEL
def test_end_is_declared_if_waiting_loses(level: MonteCarloSearch, seats: int) -> None:
    """The seat is one share ahead without cash for another, and the next seat has cash."""
    state = position(
        {"tower": "1A-12A 1B-12B 1C-12C 1D-5D"},
        hands=[""] * seats,
        cash=[1000, 9000, *[3000] * (seats - 2)],
        shares={"tower": [6, 5] + [0] * (seats - 2)},
        decision="buy 0",
    )
    assert all(move.endswith(" and end") for move in choices(level, state))


def far_from_over(shares: list[int]) -> State:
    """A position where the end may be declared, but nearly every tile founds a chain that prevents it."""
    lone = "1C 3C 5C 7C 9C 11C 2E 4E 6E 8E 10E 12E 1G 3G 5G 7G 9G 11G 2I 4I 6I 8I 10I 12I"
    hands = ["1D 2D 3D 4D 5D", "7D 8D 9D 10D 11D 12D", "1F 2F 3F 4F 5F 6F"]
    cash = [6000, 7500, 5000]
    return position(
        {"tower": "1A-12A", "lone": lone}, hands=hands, cash=cash, shares={"tower": shares}, decision="buy 0"
    )


@EVERY_LEVEL
def test_losing_end_is_not_declared(level: MonteCarloSearch) -> None:
    state = far_from_over([4, 8, 0])
    assert all(outcome(state, move, 0) < 0 for move in legal_moves(state) if move.text.endswith("end"))
    assert not any(move.endswith("end") for move in choices(level, state))


@EVERY_LEVEL
def test_purchase_that_wins_with_end_is_found(level: MonteCarloSearch) -> None:
    state = far_from_over([4, 6, 0])
    assert outcome(state, acquire.parse_move("buy nothing and end"), 0) < 0
    assert choices(level, state) == {"buy 3 tower and end"}


@pytest.mark.parametrize("holder", range(3))
@EVERY_LEVEL
def test_worthless_shares_are_not_kept(level: MonteCarloSearch, holder: int) -> None:
    """The last tile merges: defunct shares are worth nothing at the end."""
    held = [6 * (seat == holder) for seat in range(3)]
    chains = {"tower": "1A-11A", "american": "1C-3C"}
    state = position(chains, hands=["1B", "", ""], bag="", shares={"american": held, "tower": [3, 3, 3]})
    play(state, "place 1B")
    assert state.decision.seat == holder
    for text in choices(level, state):
        move = acquire.parse_move(text)
        assert isinstance(move, Dispose)
        assert move.sell + move.trade == 6


# -- All kinds of games --------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", acquire.SEATS)
@pytest.mark.parametrize("judge", [evaluation.worth_evaluation, evaluation.linear_evaluation])
@pytest.mark.parametrize("name", RULES)
def test_search_plays_every_kind_of_game(name: str, judge: evaluation.Evaluator, seats: int) -> None:
    rng = Random(f"{name} {seats}")
    level = replace(QUICK, judge=judge)
    for turns in TURNS:
        state = after_turns(RULES[name], seats, turns, rng)
        for _ in range(4):
            if not legal_moves(state):
                break
            seen = seen_in(state)
            move = level.choose(seen, seen.legal, rng)
            acquire.check_move(state, move)
            assert move in seen.legal
            apply(state, move)


@EVERY_LEVEL
def test_search_plays_with_few_tiles_and_empty_bag(level: MonteCarloSearch) -> None:
    state = position(
        {"tower": "1A-4A", "american": "6A 7A", "luxor": "1C 2C"},
        hands=["5A 3C", "9I", "", "1E 2E 3E"],
        bag="",
        shares={"american": [2, 3, 0, 1]},
    )
    assert choices(replace(level, tries=30), state) <= {"place 5A", "place 3C"}


def test_yardstick_is_first_design() -> None:
    assert (
        MonteCarloSearch(
            tries=300, judge=evaluation.worth_evaluation, turns=16, purchases=25, ending=end_at_once
        )
        == PLAIN_300
    )


@pytest.mark.plain
@EVERY_LEVEL
def test_levels_never_end_losing_games_in_rollouts(
    level: MonteCarloSearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(monte_carlo, "roll_out", lambda *given: asked.append(given[-1]))
    seen = seen_in(acquire.deal(Rules(), 4, bytes(32)))
    level.choose(seen, seen.legal, Random(1))
    assert {*asked} == {end_when_leading}
