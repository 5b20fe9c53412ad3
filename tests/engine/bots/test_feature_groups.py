"""Groups of features, and how much the valuation relies on each."""

from games.engine.bots.acquire import valuation_training
from games.engine.bots.acquire.feature_groups import columns, reliance
from games.engine.bots.acquire.feature_list import COUNT, NAMES
from games.engine.bots.acquire.network import np
from games.engine.bots.acquire.valuation_training import Positions


def test_every_feature_is_in_one_group() -> None:
    places = [place for group in columns().values() for place in group]
    assert sorted(places) == list(range(COUNT))


def test_valuation_relies_only_on_the_group_that_tells_who_wins() -> None:
    """In these positions the seat with more cash wins, and nothing else differs."""
    rows = np.random.default_rng(1).normal(size=(400, COUNT)).astype(np.float32)
    cash = NAMES.index("cash")
    chance = np.zeros(400)
    for first in range(0, 400, 2):
        chance[first + (rows[first + 1, cash] > rows[first, cash])] = 1.0
    seats = np.full(200, 2)
    positions = Positions(rows, np.cumsum(seats) - seats, seats, np.arange(200), chance, chance)
    arrays = valuation_training.beginning(1, linear=True)
    arrays["skip"][:] = 0
    arrays["skip"][cash, 0] = 3.0
    found = reliance(arrays, positions)
    assert found.pop("cash") > 0.3
    assert set(found.values()) == {0.0}
