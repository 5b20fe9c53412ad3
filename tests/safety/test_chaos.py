"""R1 to R4: short trials with kills and outages; `make chaos` runs long ones.

Every promise has a twin: the same trial at a site that is broken on purpose finds a fault. Each change
runs the twin about lost moves, `make proof` the others.
"""

import asyncio
import itertools
from collections.abc import Awaitable, Iterator

import pytest

from tests.safety.failing_mail import MailServer, trouble_with_mail
from tests.safety.site_outages import (
    Result,
    crashes_of_the_database,
    kill_processes,
    outages_of_redis,
    screenless_browser,
)
from tests.safety.site_stack import Stack
from tests.support.played_site import require

pytestmark = pytest.mark.alone

PACE = {"BOT_DELAY_FACTOR": "0.3"}
# `make chaos` holds the promised seconds; here only waits that no busy machine explains are faults.
LEEWAY = 4.0
_words = itertools.count(1)


@pytest.fixture(scope="module", autouse=True)
def everything_is_installed() -> None:
    require("postgres", "redis", "browser")


@pytest.fixture(scope="module")
def stack(mail_server: tuple[MailServer, str]) -> Iterator[Stack]:
    with Stack(web=2, env={**PACE, "EMAIL_URL": mail_server[1]}) as stack:
        yield stack


@pytest.fixture
def people() -> list[str]:
    """New people's names."""
    word = next(_words)
    return [f"w{word}p{number}" for number in range(8)]


def tried(trial: Awaitable[Result]) -> Result:
    """Run a trial and print its result, even if it fails."""

    async def run() -> Result:
        return await trial

    result = asyncio.run(run())
    print(result.as_json())
    return result


def sabotaged(how: str, **more: str) -> dict[str, str]:
    return {**PACE, "DJANGO_SETTINGS_MODULE": "tests.safety.sabotaged_settings", "SABOTAGE": how, **more}


# -- R1: kills ---------------------------------------------------------------------------------------


def test_kills_lose_double_and_invent_no_move_and_leave_no_game_stuck(
    stack: Stack, people: list[str]
) -> None:
    result = tried(kill_processes(stack, people, kills=5))
    assert result.faults == []
    assert result.did["ok"] > 10


# -- R2: Redis ---------------------------------------------------------------------------------------


def test_outage_of_redis_delays_no_move_and_pages_are_soon_fresh(stack: Stack, people: list[str]) -> None:
    async def trial() -> Result:
        async with screenless_browser() as browser:
            return await outages_of_redis(stack, people, browser, seconds=8, calm=4, leeway=LEEWAY)

    result = tried(trial())
    assert result.faults == []
    assert result.did["moves during"] > 10


# -- R3: the database ----------------------------------------------------------------------------------


def test_database_crash_loses_nothing_acknowledged_and_is_soon_over(stack: Stack, people: list[str]) -> None:
    result = tried(crashes_of_the_database(stack, people, leeway=LEEWAY))
    assert result.faults == []
    assert result.did["answers 503"] > 3


# -- R4: mail ------------------------------------------------------------------------------------------


def test_mail_is_never_lost_and_repeated_only_after_a_kill(
    stack: Stack, mail_server: tuple[MailServer, str], people: list[str]
) -> None:
    result = trouble_with_mail(stack, mail_server[0], word=people[0])
    print(result.as_json())
    assert result.faults == []
    assert result.did["mail_kills"] > 2


# -- Twins ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hasty(mail_server: tuple[MailServer, str]) -> Iterator[Stack]:
    """A site that acknowledges too early and shows its errors."""
    how = "answer_before_the_commit note_before_sending show_the_traceback"
    with Stack(web=1, env=sabotaged(how, EMAIL_URL=mail_server[1]), durable=False) as stack:
        yield stack


@pytest.fixture(scope="module")
def trusting() -> Iterator[Stack]:
    """A site that relies on Redis: ticks wait for it, and nobody sweeps."""
    with Stack(web=2, env=sabotaged("wait_for_redis"), without=("sweeper",), durable=False) as stack:
        yield stack


def test_move_acknowledged_before_it_is_recorded_is_detected(hasty: Stack, people: list[str]) -> None:
    trial = kill_processes(hasty, people, kills=2, games=8, patience=0, victims=["web-1"], after_moves=True)
    result = tried(trial)
    assert any("lost, though it was acknowledged" in fault for fault in result.faults)


@pytest.mark.proof
def test_crash_shown_with_a_traceback_is_detected(hasty: Stack, people: list[str]) -> None:
    result = tried(crashes_of_the_database(hasty, people, seconds=1, until_a_fault=True))
    assert any("500 to" in fault and "Traceback" in fault for fault in result.faults)


@pytest.mark.proof
def test_mail_recorded_before_it_is_sent_is_detected(
    hasty: Stack, mail_server: tuple[MailServer, str], people: list[str]
) -> None:
    result = trouble_with_mail(hasty, mail_server[0], word=people[0], hang=2, until_a_loss=True)
    print(result.as_json())
    assert any("though it counts as sent" in fault for fault in result.faults)


@pytest.mark.proof
def test_ticks_that_wait_for_redis_are_detected(trusting: Stack, people: list[str]) -> None:
    result = tried(outages_of_redis(trusting, people, None, hows=["hung"], seconds=10, leeway=LEEWAY))
    assert any("p95 hung" in fault or "no answer" in fault for fault in result.faults)


@pytest.mark.proof
def test_games_stuck_without_a_sweeper_are_detected(trusting: Stack, people: list[str]) -> None:
    trusting.redis.stop()
    result = tried(kill_processes(trusting, people, kills=1, games=8, patience=12))
    assert any("is stuck" in fault for fault in result.faults)
