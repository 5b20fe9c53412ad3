"""A larger site: three web processes, two sweepers and two workers for bots behind Caddy, with kills of each.

`make chaos LARGER=…` makes more of them.
"""

from collections.abc import Iterator

import pytest

from tests.safety.failing_mail import MailServer
from tests.safety.larger_site import kills_in_turn, larger_site
from tests.safety.site_stack import Stack
from tests.support.played_site import require

pytestmark = [pytest.mark.alone, pytest.mark.proof]

PACE = {"BOT_DELAY_FACTOR": "0.3"}
BROKEN = {"DJANGO_SETTINGS_MODULE": "tests.safety.sabotaged_settings"}


@pytest.fixture(scope="module", autouse=True)
def everything_is_installed() -> None:
    require("postgres", "redis", "caddy")


@pytest.fixture
def stack(mail_server: tuple[MailServer, str]) -> Iterator[Stack]:
    with larger_site({**PACE, "EMAIL_URL": mail_server[1]}) as stack:
        yield stack


@pytest.fixture
def hasty(mail_server: tuple[MailServer, str]) -> Iterator[Stack]:
    """A site that acknowledges moves before they are recorded."""
    sabotage = {"SABOTAGE": "answer_before_the_commit", **BROKEN}
    env = {**PACE, **sabotage, "EMAIL_URL": mail_server[1]}
    with larger_site(env, durable=False) as stack:
        yield stack


def test_kills_of_each_kind_lose_no_move_and_no_mail(
    stack: Stack, mail_server: tuple[MailServer, str]
) -> None:
    killable = stack.processes.keys() - {"redis", "proxy"}
    result = kills_in_turn(stack, mail_server[0], "large", kills=len(killable) + 1)
    print(result.as_json())
    assert result.faults == []
    assert {name.removeprefix("child of ") for name in result.did} >= killable
    assert result.did["ok"] > 10 and result.did["mails"] >= 12


def test_moves_lost_on_a_larger_site_are_detected(hasty: Stack, mail_server: tuple[MailServer, str]) -> None:
    """The twin; those of lost mails are in `test_chaos`."""
    result = kills_in_turn(hasty, mail_server[0], "lossy", kills=9)
    print(result.as_json())
    assert any("lost, though it was acknowledged" in fault for fault in result.faults)
