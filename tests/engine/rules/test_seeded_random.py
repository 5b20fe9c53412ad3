"""Random numbers from a seed: values, uniformity, and the deal documented in docs/deal.md."""

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pytest

from games.engine.rules import seeded_random
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.board import SQUARE_NAMES, SQUARES
from games.engine.rules.acquire.rule_options import Rules
from tests.support.second_dealer import SecondDealer

DOCUMENT = Path(__file__).parents[3] / "docs" / "deal.md"
SEED = bytes(range(32))


def printed(block: int = 1) -> dict[str, str]:
    """The example in docs/deal.md; block 3 is that of dealing again."""
    text = DOCUMENT.read_text().split("```")[block]
    return {line[:12].strip(): line[12:].strip() for line in text.strip().splitlines()}


def test_documented_deal_matches_second_dealer() -> None:
    assert SecondDealer(printed()["seed"]).table(4) == printed()


def test_documented_deal_matches_engine() -> None:
    seed = bytes.fromhex(printed()["seed"])
    state = acquire.deal(Rules(), 4, seed)
    assert acquire.seed_hash(seed) == printed()["commitment"]
    assert " ".join(map(str, acquire.seating(Rules(), 4, seed))) == printed()["seats"]
    assert str(state.first) == printed()["first"]
    for seat, hand in enumerate(state.hands):
        assert " ".join(SQUARE_NAMES[tile] for tile in hand) == printed()[f"hand {seat}"]
    board = {SQUARE_NAMES[square] for square in SQUARES if state.board[square]}
    assert board == set(printed()["starting"].split())
    for below in (80, 108):
        numbers = [seeded_random.random_below(seed, "bank", n, below) for n in range(3)]
        assert " ".join(map(str, numbers)) == printed()[f"bank of {below}"]


def test_documented_redeal_matches_second_dealer() -> None:
    dealt = printed()
    hands = [dealt[f"hand {seat}"].split() for seat in range(4)]
    bag = SecondDealer(dealt["seed"]).bag()[4 + 4 * 6 :]
    again = SecondDealer(printed(3)["seed"]).deal_again(hands, bag)
    assert in_words(printed(3)["seed"], *again) == printed(3)


def test_documented_redeal_matches_engine() -> None:
    state = acquire.deal(Rules(), 4, bytes.fromhex(printed()["seed"]))
    seed = bytes.fromhex(printed(3)["seed"])
    acquire.redeal(state, seed)
    hands = [[SQUARE_NAMES[tile] for tile in hand] for hand in state.hands]
    bag = [SQUARE_NAMES[tile] for tile in state.bag[::-1]]
    assert in_words(seed.hex(), hands, bag) == printed(3)
    assert acquire.seed_hash(seed) == printed(3)["commitment"]


def in_words(seed: str, hands: Sequence[list[str]], bag: list[str]) -> dict[str, str]:
    return {
        "seed": seed,
        "commitment": sha256(bytes.fromhex(seed)).hexdigest(),
        **{f"hand {seat}": " ".join(hand) for seat, hand in enumerate(hands)},
        "bag": " ".join(bag[:10]),
    }


@pytest.mark.parametrize("seats", acquire.SEATS)
def test_second_dealer_deals_the_same(seats: int) -> None:
    for number in range(20):
        seed = sha256(b"%d" % number).digest()
        dealer = SecondDealer(seed.hex())
        state = acquire.deal(Rules(), seats, seed)
        table = dealer.table(seats)
        assert [" ".join(SQUARE_NAMES[t] for t in hand) for hand in state.hands] == [
            table[f"hand {seat}"] for seat in range(seats)
        ]
        assert [SQUARE_NAMES[tile] for tile in state.bag[::-1]] == dealer.bag()[7 * seats :]
        assert str(state.first) == table["first"]


@pytest.mark.parametrize("below", [1, 2, 3, 108, 1 << 255, (1 << 255) + 1, (1 << 256) - 1, 1 << 256])
def test_rejected_values_do_not_change_numbers(below: int) -> None:
    """Just above half of the span every other value is rejected, so that several attempts are needed."""
    dealer = SecondDealer(SEED.hex())
    for counter in range(30):
        number = seeded_random.random_below(SEED, "bank", counter, below)
        assert 0 <= number < below
        assert number == dealer.number("bank", counter, below)


def chi_square(counts: Counter[object], cells: int, total: int) -> float:
    expected = total / cells
    return sum((count - expected) ** 2 / expected for count in counts.values()) + expected * (
        cells - len(counts)
    )


def most_likely(cells: int) -> float:
    """A chi-square limit that a fair generator exceeds only once in many millions of runs.

    The seeds are fixed, so the tests below pass always or never.
    """
    freedom = cells - 1
    return freedom + 6 * (2 * freedom) ** 0.5 + 12


def test_shuffle_is_uniform_over_orders() -> None:
    total = 12_000
    seeds = [sha256(b"order %d" % number).digest() for number in range(total)]
    orders: Counter[object] = Counter(
        tuple(seeded_random.shuffled(seed, "seats", range(4))) for seed in seeds
    )
    assert chi_square(orders, 24, total) < most_likely(24)


def test_shuffled_bag_is_uniform_over_places() -> None:
    total = 2_000
    places = [Counter[object]() for _ in range(108)]
    for number in range(total):
        bag = seeded_random.shuffled(sha256(b"bag %d" % number).digest(), "bag", range(108))
        for place, tile in enumerate(bag):
            places[place][tile] += 1
    assert max(chi_square(counts, 108, total) for counts in places) < most_likely(108)


def test_labels_of_one_seed_are_independent() -> None:
    total = 20_000
    pairs: Counter[object] = Counter(
        (seeded_random.random_below(SEED, "bank", n, 6), seeded_random.random_below(SEED, "bag", n, 6))
        for n in range(total)
    )
    assert chi_square(pairs, 36, total) < most_likely(36)


def test_uniformity_check_detects_biased_shuffle() -> None:
    """Choosing the partner of each swap among all places is the classic mistake."""
    orders: Counter[object] = Counter()
    for number in range(12_000):
        seed = sha256(b"order %d" % number).digest()
        order = list(range(4))
        for place in range(4):
            other = seeded_random.random_below(seed, "seats", place, 4)
            order[place], order[other] = order[other], order[place]
        orders[tuple(order)] += 1
    assert chi_square(orders, 24, 12_000) > most_likely(24)


def test_commitment_is_hash_of_seed() -> None:
    assert seeded_random.seed_hash(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert seeded_random.seed_hash(SEED) != seeded_random.seed_hash(SEED[::-1])
