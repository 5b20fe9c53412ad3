"""Rollout policy: its values, its mistakes, and the rollouts."""

from collections import Counter
from random import Random

import pytest

from games.engine.bots.acquire import rollout_policy
from games.engine.bots.acquire.bonus_cache import payments_for
from games.engine.bots.acquire.rollout_policy import (
    RARE_MISTAKES,
    end_at_once,
    end_when_leading,
    move,
    roll_out,
)
from games.engine.bots.bot_levels import BOTS
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.apply_move import apply
from games.engine.rules.acquire.legal_moves import legal_moves
from games.engine.rules.acquire.moves import Move
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.state import State
from games.engine.rules.acquire.turns import may_declare_end
from tests.engine.bots.bot_positions import any_time, seen_in
from tests.engine.rules.acquire.acquire_positions import dealt, play, position

MERGER = {"tower": "1A-3A", "american": "5A 6A"}


def answer(
    state: State, seed: int = 1, careless: float = 0.0, ending: rollout_policy.Ending = end_when_leading
) -> str:
    payments = payments_for(state.rules, state.seats)
    return move(state, Random(seed).random, payments, careless, ending).text


def calmly(state: State) -> str:
    """The answer when all random numbers are 0.5."""
    payments = payments_for(state.rules, state.seats)
    return move(state, lambda: 0.5, payments, careless=0.0).text


def answers(state: State, careless: float = 0.0) -> set[str]:
    return {answer(state, seed, careless) for seed in range(30)}


@pytest.mark.parametrize("careless", [0.0, RARE_MISTAKES, 1.0])
def test_policy_answers_legally_and_changes_nothing(careless: float) -> None:
    rng = Random(5)
    kinds: Counter[str] = Counter()
    for _ in range(150):
        state = any_time(rng)
        for _ in range(8):
            if not legal_moves(state):
                break
            kinds[state.decision.kind] += 1
            before = acquire.state_to_json(state)
            chosen = move(state, rng.random, payments_for(state.rules, state.seats), careless)
            assert acquire.state_to_json(state) == before
            acquire.check_move(state, chosen)
            # Moves are compared by identity.
            assert any(chosen is legal for legal in legal_moves(state))
            apply(state, chosen)
    assert min(kinds[kind] for kind in ("place", "buy", "found", "dispose")) > 5


def test_policy_founds_rather_than_placing_alone() -> None:
    assert answers(position({"lone": "5E"}, hands=["9I 5F 1A", "", ""])) == {"place 5F"}


def test_policy_merges_for_its_own_bonus_only() -> None:
    mine = position(MERGER, hands=["9I 4A", "", ""], shares={"american": [6, 0, 0]})
    theirs = position(MERGER, hands=["4A 9I", "", ""], shares={"american": [0, 6, 0]})
    assert answers(mine) == {"place 4A"}
    assert answers(theirs) == {"place 9I"}


def test_policy_considers_survivor() -> None:
    held = {"tower": [6, 0, 0], "american": [0, 6, 0]}
    assert answers(position(MERGER, hands=["4A 9I", "", ""], shares=held)) == {"place 9I"}


def test_policy_does_not_raise_price_of_others() -> None:
    state = position({"luxor": "1E-5E"}, hands=["6E 9I", "", ""], shares={"luxor": [0, 8, 0]})
    assert calmly(state) == "place 9I"


def test_policy_grows_chain_of_its_shares() -> None:
    chains = {"tower": "1A-3A", "luxor": "1E-5E"}
    held = {"tower": [8, 0, 0], "luxor": [0, 8, 0]}
    assert answers(position(chains, hands=["6E 4A 9I", "", ""], shares=held)) == {"place 4A"}


def test_careless_policy_places_any_tile() -> None:
    state = position({"lone": "5E"}, hands=["9I 5F 1A", "", ""])
    assert answers(state, careless=1.0) == {"place 9I", "place 5F", "place 1A"}


def test_policy_lets_chain_of_its_shares_survive() -> None:
    state = position(
        {"tower": "1A-3A", "continental": "5A-7A"},
        hands=["4A", "", ""],
        shares={"tower": [1, 9, 0], "continental": [3, 5, 0]},
    )
    play(state, "place 4A")
    assert answers(state) == {"survivor continental"}


@pytest.mark.parametrize(
    ("shares", "bought"),
    [
        # Level or just behind, three more shares win the majority.
        ([2, 4, 0], "buy 3 tower"),
        ([0, 0, 0], "buy 3 tower"),
        # It secures a majority that it has, but no more.
        ([3, 2, 0], "buy 3 tower"),
        ([9, 7, 0], "buy 2 tower"),
        ([9, 1, 0], "buy nothing"),
        # Far behind, shares are useless unless they win the minority.
        ([0, 9, 6], "buy nothing"),
        ([3, 12, 4], "buy 3 tower"),
        ([5, 12, 4], "buy 1 tower"),
    ],
)
def test_policy_buys_near_majority(shares: list[int], bought: str) -> None:
    state = position({"tower": "1A-12A"}, decision="buy 0", shares={"tower": shares})
    assert calmly(state).removesuffix(" and end") == bought


def test_winning_majority_precedes_keeping_one() -> None:
    chains = {"tower": "1A-12A", "continental": "1C-12C"}
    held = {"tower": [2, 4, 0], "continental": [3, 2, 0]}
    assert calmly(position(chains, decision="buy 0", shares=held)) == "buy 3 tower and end"
    swapped = {"continental": held["tower"], "tower": held["continental"]}
    assert calmly(position(chains, decision="buy 0", shares=swapped)) == "buy 3 continental and end"


def test_shares_that_may_merge_are_preferred() -> None:
    state = position({"tower": "1A-10A"}, decision="buy 0", shares={"tower": [9, 1, 0]})
    assert calmly(state) == "buy 3 tower"


def test_policy_buys_within_cash_and_bank() -> None:
    poor = position({"tower": "1A-4A"}, decision="buy 0", cash=[1300, 0, 0])
    assert answers(poor) == {"buy 2 tower"}
    rare = position({"tower": "1A-4A"}, decision="buy 0", shares={"tower": [0, 1, 23]})
    assert answers(rare) <= {"buy 1 tower", "buy nothing"}
    broke = position({"tower": "1A-4A"}, decision="buy 0", cash=[0, 0, 0])
    assert answers(broke) == {"buy nothing"}


@pytest.mark.parametrize(
    ("shares", "cash", "declared"),
    [
        ([9, 2, 0], [6000, 6000, 6000], True),
        ([0, 9, 0], [6000, 6000, 6000], False),
        # No seat has more, and one has equally much.
        ([5, 5, 0], [0, 0, 0], True),
        ([9, 2, 0], [0, 30_000, 0], False),
    ],
)
def test_policy_declares_end_if_nobody_is_ahead(shares: list[int], cash: list[int], declared: bool) -> None:
    state = position({"tower": "1A-12A"}, decision="buy 0", shares={"tower": shares}, cash=cash)
    assert may_declare_end(state)
    assert {text.endswith("and end") for text in answers(state)} == {declared}


def test_purchase_counts_when_end_is_declared() -> None:
    """The seat is one share behind, and wins the majority with three more."""
    held = {"tower": [4, 5, 0]}
    rich = position({"tower": "1A-12A"}, decision="buy 0", shares=held, cash=[3000, 2000, 0])
    poor = position({"tower": "1A-12A"}, decision="buy 0", shares=held, cash=[500, 0, 0])
    before = acquire.state_to_json(rich)
    assert calmly(rich) == "buy 3 tower and end"
    assert calmly(poor) == "buy nothing"
    assert acquire.state_to_json(rich) == before


def test_policy_can_declare_end_at_once() -> None:
    state = position({"tower": "1A-12A"}, decision="buy 0", shares={"tower": [0, 9, 0]})
    assert answer(state, ending=end_at_once).endswith("and end")


def test_policy_does_not_declare_forbidden_end() -> None:
    state = position({"tower": "1A-10A"}, decision="buy 0", shares={"tower": [9, 2, 0]})
    for ending in (end_at_once, end_when_leading):
        assert not answer(state, ending=ending).endswith("and end")


def test_policy_redraws_unplayable_hand() -> None:
    safe = {"tower": "1A-12A", "american": "1C-12C"}
    assert answers(position(safe, hands=["1B 2B", "9I", "8I"])) == {"redraw"}
    assert answers(position(safe, hands=["1B 2B", "9I", "8I"], rules="course")) == {"pass"}


# -- Rollouts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", [end_at_once, end_when_leading, lambda *asked: False])
def test_unlimited_rollout_reaches_end(ending: rollout_policy.Ending) -> None:
    """Games end even if nobody ever declares it."""
    rng = Random(8)
    for _ in range(40):
        state = dealt(rng)
        roll_out(state, 1000, rng.random, payments_for(state.rules, state.seats), ending)
        assert state.ended
        assert acquire.invariants(state) == []


@pytest.mark.plain
@pytest.mark.parametrize("turns", [1, 4, 16])
def test_rollout_stops_after_number_of_turns(turns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    state = acquire.deal(Rules(), 4, bytes(32))
    asked = []

    def noting(state: State, *others: object) -> Move:
        if state.decision.kind in ("place", "stuck"):
            asked.append(state.turn)
        return move(state, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(rollout_policy, "move", noting)
    first = state.turn
    roll_out(state, turns, Random(1).random, payments_for(state.rules, 4))
    assert asked == [(first + number) % 4 for number in range(turns)]
    assert state.decision.kind == "place"
    assert state.turn == (first + turns) % 4


def test_rollout_is_repeatable() -> None:
    records = []
    for seed in (1, 1, 2):
        state = acquire.deal(Rules(), 5, bytes(32))
        roll_out(state, 30, Random(seed).random, payments_for(state.rules, 5))
        records.append(acquire.state_to_json(state))
    assert records[0] == records[1] != records[2]


# -- The easy level ------------------------------------------------------------------------------------


def test_easy_sometimes_keeps_shares_for_no_reason() -> None:
    state = position(MERGER, hands=["4A", "", ""], shares={"american": [5, 0, 0]})
    play(state, "place 4A")
    seen = seen_in(state)
    choose = BOTS["acquire"]["easy"].choose
    chosen = Counter(choose(seen, seen.legal, Random(seed)).text for seed in range(200))
    assert chosen.most_common(1)[0][0] == answer(state)
    assert len(chosen) > 5


def test_easy_sometimes_places_any_tile() -> None:
    seen = seen_in(position({"lone": "5E"}, hands=["9I 5F 1A", "", ""]))
    choose = BOTS["acquire"]["easy"].choose
    chosen = Counter(choose(seen, seen.legal, Random(seed)).text for seed in range(200))
    assert set(chosen) == {"place 9I", "place 5F", "place 1A"}
    assert chosen.most_common(1)[0][0] == "place 5F"
