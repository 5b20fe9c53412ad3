"""Parameters of tests: few by default, many in `make proof`."""

from typing import Any

import pytest
from hypothesis import settings

# The profile of Hypothesis in `make proof`, set by tests/conftest.py.
PROFILE = "proof"
settings.register_profile(PROFILE)


def seeds(few: int, many: int) -> list[Any]:
    """Seeds from 0; those after the first few are for `make proof`."""
    return [*range(few), *(pytest.param(seed, marks=pytest.mark.proof) for seed in range(few, many))]


def few_or_many(few: int, many: int) -> list[Any]:
    """Numbers of repetitions: a small one, and a large one for `make proof`."""
    return [few, pytest.param(many, marks=pytest.mark.proof)]


def examples(few: int, many: int) -> int:
    """Return how many examples Hypothesis tries: few, or many in `make proof`."""
    return many if settings.get_current_profile_name() == PROFILE else few
