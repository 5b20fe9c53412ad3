"""The rule systems whose bots learn from games among themselves."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from games.engine.bots.acquire import valuation_weights

# The module that learns, by rule system. It is loaded only to learn, as it needs numpy.
LEARNERS: Final = {"acquire": "games.engine.bots.acquire.valuation_learning"}
# The levels that play by the learned weights, by rule system.
PLAYERS: Final = {"acquire": ("expert", "master")}


def learner(system: str) -> Any:
    """The module that learns for this rule system. Raises KeyError, or ImportError without numpy."""
    return import_module(LEARNERS[system])


def faults() -> list[tuple[str, str]]:
    """Faults of the learned weights of this version, each with what mends it, as sentences."""
    try:
        valuation_weights.weights()
    except valuation_weights.WeightsError as error:
        return [(str(error), valuation_weights.MENDING)]
    return []


def lacks_numpy() -> bool:
    """Return whether numpy is not installed; it is not imported, which would cost memory."""
    return find_spec("numpy") is None
