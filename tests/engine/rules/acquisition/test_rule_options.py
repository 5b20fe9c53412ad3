"""The only option, and the seating."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from games.engine.rules.acquisition.deal import deal, seating  # fmt: skip
from games.engine.rules.acquisition.rule_options import (
    OPTIONS,
    PARKS,
    PRESETS,
    SEATS,
    TILES,
    Rules,
    from_options,
    to_options,
)

SEEDS = [Random(number).randbytes(32) for number in range(300)]


def test_rules_have_no_variants() -> None:
    assert {"standard": Rules()} == PRESETS
    assert list(OPTIONS) == ["tiles"]
    assert sorted(OPTIONS["tiles"]) == list(range(1, 41))
    assert list(SEATS) == [2, 3, 4]
    assert TILES == {2: 40, 3: 27, 4: 20}
    assert PARKS == {2: 6, 3: 6, 4: 4}


@pytest.mark.parametrize("tiles", OPTIONS["tiles"])
def test_number_of_tiles_survives_as_option(tiles: int) -> None:
    rules = from_options({"tiles": tiles})
    assert from_options(to_options(rules)) == rules
    assert to_options(rules) == ({} if tiles == 40 else {"tiles": tiles})
    for seats in SEATS:
        assert rules.tiles_each(seats) == min(tiles, TILES[seats])


@pytest.mark.parametrize("tiles", [0, -1, 41, 1000, "30", None, True, 20.0])
def test_invalid_number_of_tiles_is_refused(tiles: Any) -> None:
    with pytest.raises(ValueError, match=r"^tiles is a number from 1 to 40, not .*\.$"):
        from_options({"tiles": tiles})


def test_unknown_option_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^There is no option 'parks'; the options are tiles\.$"):
        from_options({"parks": 5})


def test_seats_follow_seed() -> None:
    orders = Counter(tuple(seating(Rules(), 3, seed)) for seed in SEEDS)
    assert len(orders) == 6
    assert min(orders.values()) > 25
    assert seating(Rules(), 4, SEEDS[7]) == seating(Rules(7), 4, SEEDS[7])


def test_seat_0_starts_on_empty_board() -> None:
    for seed in SEEDS[:20]:
        state = deal(Rules(), 3, seed)
        assert not any(state.board)
        assert (state.decision.kind, state.decision.seat) == ("park", 0)
        assert state.seed == seed
