"""A crowd costs nobody a move or a turn, and is refused quickly."""

import asyncio
from collections.abc import Iterator

import pytest

from tests.safety.site_overload import MORE_TIME, NARROW, crowd
from tests.safety.site_stack import Stack
from tests.support.played_site import require

pytestmark = [pytest.mark.alone, pytest.mark.proof]

ENV = {**NARROW, "BOT_DELAY_FACTOR": "0.3"}
# Only waits that no busy machine explains are faults.
LEEWAY = 4.0


@pytest.fixture(autouse=True)
def everything_is_installed() -> None:
    require("postgres", "redis")


@pytest.fixture
def stack() -> Iterator[Stack]:
    with Stack(web=1, env=ENV, durable=False) as stack:
        yield stack


@pytest.fixture
def careless() -> Iterator[Stack]:
    """A site that does not note what it refuses."""
    sabotage = {"DJANGO_SETTINGS_MODULE": "tests.safety.sabotaged_settings", "SABOTAGE": "forget_refusals"}
    with Stack(web=1, env={**ENV, **sabotage}, durable=False) as stack:
        yield stack


def test_crowd_costs_nobody_a_turn_or_a_move(stack: Stack) -> None:
    result = asyncio.run(crowd(stack, ["ann", "bert"], leeway=LEEWAY))
    print(result.as_json())
    assert result.faults == []
    assert result.did["refused"] > 10 and result.did["ok"] > 3


def test_turn_that_ends_amid_a_crowd_is_detected(careless: Stack) -> None:
    """The twin."""
    result = asyncio.run(crowd(careless, ["ann", "bert"], leeway=LEEWAY))
    print(result.as_json())
    assert any("the log of the timed game" in fault and MORE_TIME not in fault for fault in result.faults)
