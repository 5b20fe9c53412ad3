"""Weights of the valuation: the file that holds them, with the record of how they were learned."""

import json
import sys
from array import array
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from math import isfinite, prod
from pathlib import Path
from typing import Any, Final

from games.engine.bots.acquire.feature_list import COUNT, NAMES

WEIGHTS_FILE: Final = Path(__file__).with_name("valuation.json")
MENDING: Final = (
    "Install this version again, or learn new weights with"
    " `manage.py learn --system acquire --seed 1 --use`, which takes hours."
)

HIDDEN: Final = 48
# The outputs of the network: log odds to win, and final money against the mean of all seats in $10,000.
OUTPUTS: Final = 2
SHAPES: Final[dict[str, tuple[int, ...]]] = {
    "hidden": (COUNT, HIDDEN),
    "hidden_bias": (HIDDEN,),
    "output": (HIDDEN, OUTPUTS),
    "output_bias": (OUTPUTS,),
    "skip": (COUNT, OUTPUTS),
    # Weights of the features alone, for where there is no numpy.
    "linear": (COUNT,),
}
# Names of the features in their order; weights fit no others.
FEATURES_DIGEST: Final = sha256(" ".join(NAMES).encode()).hexdigest()


class WeightsError(Exception):
    """A weights file that cannot be used; the message is a sentence."""


@dataclass(frozen=True)
class Weights:
    """The weights by name, row after row as in `SHAPES`, and how they were learned."""

    values: Mapping[str, "array[float]"]
    record: Mapping[str, Any]


def write_weights(path: Path, weights: Weights) -> None:
    """Write the file anew; nothing is lost if this is interrupted."""
    stored = {name: _text(weights.values[name]) for name in SHAPES}
    text = json.dumps(
        {
            "record": dict(weights.record),
            "features": FEATURES_DIGEST,
            "digest": digest(weights.values),
            "weights": stored,
        },
        indent=1,
    )
    unfinished = path.with_suffix(".new")
    unfinished.write_text(text + "\n", encoding="utf-8")
    unfinished.replace(path)


def read_weights(path: Path) -> Weights:
    """Read a weights file. Raises WeightsError if it is missing, damaged or made for other features."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise WeightsError(f"There is no weights file {path.name}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise WeightsError(f"The weights file {path.name} cannot be read: {error}.") from None
    try:
        file = json.loads(text)
        stored, features, known = file["weights"], file["features"], file["digest"]
        record = dict(file["record"])
        names = set(stored)
    except (ValueError, TypeError, KeyError, RecursionError):
        raise WeightsError(f"The weights file {path.name} is truncated or is not a weights file.") from None
    if features != FEATURES_DIGEST or names != set(SHAPES):
        raise WeightsError(f"The weights file {path.name} was made for other features.")
    if known != _digest(stored):
        raise WeightsError(f"The weights file {path.name} is damaged: its digest does not fit.")
    values = {name: _values(stored[name]) for name in SHAPES}
    if any(len(values[name]) != prod(shape) for name, shape in SHAPES.items()):
        raise WeightsError(f"The weights file {path.name} was made for a network of another size.")
    if not all(isfinite(value) for row in values.values() for value in row):
        raise WeightsError(f"The weights file {path.name} has weights that are not finite numbers.")
    return Weights(values, record)


@cache
def weights() -> Weights:
    """The weights that are played with. Raises WeightsError."""
    return read_weights(WEIGHTS_FILE)


def digest(values: Mapping[str, "array[float]"]) -> str:
    """Digest of these weights, the same as that in their file."""
    return _digest({name: _text(values[name]) for name in SHAPES})


def _text(values: "array[float]") -> str:
    return b64encode(_little_endian(array("f", values)).tobytes()).decode()


def _values(text: str) -> "array[float]":
    values: array[float] = array("f")
    values.frombytes(b64decode(text))
    return _little_endian(values)


def _little_endian(values: "array[float]") -> "array[float]":
    if sys.byteorder == "big":
        values.byteswap()
    return values


def _digest(stored: Mapping[str, str]) -> str:
    return sha256("\n".join(f"{name} {stored[name]}" for name in sorted(stored)).encode()).hexdigest()
