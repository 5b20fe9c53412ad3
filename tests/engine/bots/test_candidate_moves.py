"""Candidate moves: legal, distinct, and those a player would consider."""

from collections import Counter
from random import Random

import pytest

from games.engine.bots.acquire.candidate_moves import MAX_ENDINGS, candidates
from games.engine.rules.acquire.legal_moves import legal_moves
from games.engine.rules.acquire.state import State
from tests.engine.bots.bot_positions import any_time, seen_in
from tests.engine.rules.acquire.acquire_positions import play, position


def picked(state: State, purchases: int = 25, seed: int = 1) -> list[str]:
    seen = seen_in(state)
    return [move.text for move in candidates(seen, seen.legal, purchases, Random(seed))]


def test_candidates_are_legal_and_distinct() -> None:
    rng = Random(1)
    kinds: Counter[str] = Counter()
    for _ in range(150):
        state = any_time(rng)
        legal = [move.text for move in legal_moves(state)]
        if not legal:
            continue
        kinds[state.decision.kind] += 1
        found = picked(state)
        assert found
        assert set(found) <= set(legal)
        assert len(set(found)) == len(found)
        if state.decision.kind not in ("buy", "dispose"):
            assert set(found) == set(legal)
    assert kinds["place"] > 20
    assert kinds["buy"] > 20


@pytest.mark.parametrize(
    ("held", "bank", "answers"),
    [
        (1, 25, {"sell 1", "nothing"}),
        (2, 25, {"sell 2", "nothing", "trade 2"}),
        (3, 25, {"sell 3", "nothing", "sell 1 trade 2", "trade 2"}),
        (4, 0, {"sell 4", "nothing", "sell 2"}),
        (6, 0, {"sell 6", "nothing", "sell 4", "sell 3"}),
        (7, 25, {"sell 7", "nothing", "sell 1 trade 6", "trade 6", "sell 5 trade 2", "sell 5", "sell 3"}),
        (8, 2, {"sell 8", "nothing", "sell 4 trade 4", "trade 4", "sell 6 trade 2", "sell 6", "sell 4"}),
    ],
)
def test_candidates_have_typical_disposals(held: int, bank: int, answers: set[str]) -> None:
    chains = {"tower": "1A-4A", "american": "6A 7A"}
    shares = {"american": [held, 0, 0], "tower": [0, 25 - bank, 0]}
    state = position(chains, hands=["5A", "", ""], shares=shares)
    play(state, "place 5A")
    assert {move.removeprefix("dispose ") for move in picked(state)} == answers


MANY = {"tower": "1A-12A", "luxor": "1C-11C", "american": "1E-11E", "festival": "1G-11G"}


def test_candidates_have_best_purchases_also_with_end() -> None:
    state = position(MANY, cash=[9000, 1000, 1000], decision="buy 0")
    found = picked(state, purchases=7)
    going_on, ending = found[:7], found[7:]
    assert not any(move.endswith(" and end") for move in going_on)
    assert ending == [f"{move} and end" for move in going_on[:MAX_ENDINGS]]


def test_candidates_have_all_of_few_purchases() -> None:
    state = position({"tower": "1A-4A", "luxor": "1C 2C"}, decision="buy 0")
    assert sorted(picked(state)) == sorted(move.text for move in legal_moves(state))


def test_candidates_do_not_declare_forbidden_end() -> None:
    state = position({"tower": "1A-12A", "luxor": "1C 2C"}, decision="buy 0")
    assert not any(move.endswith("end") for move in picked(state))


def test_purchase_for_majority_comes_first() -> None:
    shares = {name: [0, 9, 9] for name in MANY} | {"festival": [3, 4, 0]}
    state = position(MANY, cash=[9000, 1000, 1000], decision="buy 0", shares=shares)
    assert picked(state, purchases=5)[0] in ("buy 2 festival", "buy 3 festival")


def test_candidates_without_purchases_buy_nothing() -> None:
    assert picked(position({}, decision="buy 0")) == ["buy nothing"]
