"""Parameters of tests: few by default, many in `make proof`."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Hypothesis's profiles of `make proof` and of all other runs; tests/conftest.py loads one.
LONG, SHORT = "long", "short"

# No example has a time limit: a busy machine would exceed it with correct code.
UNTIMED = [HealthCheck.too_slow]
for name in (LONG, SHORT):
    settings.register_profile(name, deadline=None, suppress_health_check=UNTIMED)

# Health checks that a test leaves out if the same fixture serves all its examples.
WITH_ONE_FIXTURE = [*UNTIMED, HealthCheck.function_scoped_fixture]


def seeds(few: int, many: int) -> list[Any]:
    """Seeds from 0; those after the first few are for `make proof`."""
    return [*range(few), *map(_in_proof, range(few, many))]


def every(step: int, cases: Iterable[tuple[Any, ...]]) -> list[Any]:
    """Cases of a test, of which the first of each `step` is tried by default, all in `make proof`."""
    return [_in_proof(*case) if place % step else case for place, case in enumerate(cases)]


def few_or_many(few: int, many: int) -> list[Any]:
    """Numbers of repetitions: a small one, and a large one for `make proof`."""
    return [few, _in_proof(many)]


def examples(few: int, many: int) -> int:
    """Return how many examples Hypothesis tries: few, or many in `make proof`."""
    return many if settings.get_current_profile_name() == LONG else few


def _in_proof(*case: Any) -> Any:
    return pytest.param(*case, marks=pytest.mark.proof)
