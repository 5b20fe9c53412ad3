"""Parameters of tests: few in `make test`, many in `make proof`."""

from typing import Any

import pytest


def seeds(few: int, many: int) -> list[Any]:
    """Seeds from 0, of which those after the first few are for `make proof`."""
    return [*range(few), *(pytest.param(seed, marks=pytest.mark.proof) for seed in range(few, many))]


def few_or_many(few: int, many: int) -> list[Any]:
    """How often to do something: few times, and many times in `make proof`."""
    return [few, pytest.param(many, marks=pytest.mark.proof)]
