"""A game review marks only the figures of the reader as their own."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from games.analysis.review_figures import Player, is_reader

# Carol reads; she has taken over the seat that Bob left to a bot.
LOOK = cast(
    Any, SimpleNamespace(seat=1, seats=[SimpleNamespace(name="alice"), SimpleNamespace(name="carol")])
)


@pytest.mark.parametrize(
    ("player", "expected"),
    [
        (Player(1, "carol", stand_in=False), True),
        (Player(1, "bob", stand_in=False), False),
        (Player(1, "carol", stand_in=True), False),
        (Player(0, "alice", stand_in=False), False),
    ],
)
def test_reader_is_neither_an_earlier_holder_of_the_seat_nor_its_stand_in(
    player: Player, expected: bool
) -> None:
    assert is_reader(LOOK, player) == expected
