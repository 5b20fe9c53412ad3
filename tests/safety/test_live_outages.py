"""Live games on a whole site: an outage loses no move that was acknowledged, and costs nobody time."""

import asyncio
import itertools
from collections.abc import Callable, Iterator

import pytest

from tests.safety.live_outages import kill, outage_amid_live_games
from tests.safety.site_outages import Result
from tests.safety.site_stack import Stack
from tests.support.played_site import require

pytestmark = pytest.mark.alone

PACE = {"BOT_DELAY_FACTOR": "0.3"}
_words = itertools.count(1)

# Longer than the time that idle players have left.
SHORT, LONG = 9.0, 30.0


@pytest.fixture(scope="module", autouse=True)
def everything_is_installed() -> None:
    require("postgres", "redis")


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    with Stack(web=2, env=PACE, durable=False) as stack:
        yield stack


def broken(how: str) -> Stack:
    """A site that is broken in this way on purpose."""
    settings = {"DJANGO_SETTINGS_MODULE": "tests.safety.sabotaged_settings", "SABOTAGE": how}
    return Stack(web=1, env={**PACE, **settings}, durable=False)


@pytest.fixture
def people() -> list[str]:
    """New people's names."""
    word = next(_words)
    return [f"l{word}p{number}" for number in range(4)]


Outage = tuple[Callable[[], None], Callable[[], None]]


def without_redis(stack: Stack) -> Outage:
    return stack.redis.stop, stack.redis.start


def without_web(stack: Stack) -> Outage:
    return kill(stack, stack.web_names)


def without_sweeper(stack: Stack) -> Outage:
    return kill(stack, ["sweeper"])


def without_processes(stack: Stack) -> Outage:
    return kill(stack, [*stack.web_names, "worker", "bots", "sweeper"])


def tried(stack: Stack, people: list[str], outage: Outage, seconds: float, patience: float = 60.0) -> Result:
    """Run a trial and print its result, even if it fails."""
    result = asyncio.run(outage_amid_live_games(stack, people, *outage, seconds=seconds, patience=patience))
    print(result.as_json())
    return result


@pytest.mark.parametrize("outage", [without_redis, without_processes])
def test_outage_costs_nobody_time_or_a_move(
    stack: Stack, people: list[str], outage: Callable[[Stack], Outage]
) -> None:
    result = tried(stack, people, outage(stack), SHORT)
    assert result.faults == []
    assert result.did["ok"] > 5
    assert result.did["waiting"] == 4


@pytest.mark.proof
@pytest.mark.parametrize("outage", [without_redis, without_web, without_sweeper, without_processes])
def test_long_outage_costs_nobody_time_or_a_move(
    stack: Stack, people: list[str], outage: Callable[[Stack], Outage]
) -> None:
    result = tried(stack, people, outage(stack), LONG)
    assert result.faults == []


@pytest.mark.proof
def test_clocks_that_run_on_would_be_noticed(people: list[str]) -> None:
    with broken("let_live_clocks_run") as site:
        result = tried(site, people, without_redis(site), SHORT, patience=5)
    assert any("s left of" in fault for fault in result.faults)
    assert any("time ran out" in fault for fault in result.faults)


@pytest.mark.proof
def test_moves_lost_with_a_process_would_be_noticed(people: list[str]) -> None:
    with broken("answer_before_the_commit") as site:
        result = tried(site, people, without_web(site), SHORT, patience=5)
    assert any("lost, though it was acknowledged" in fault for fault in result.faults)
