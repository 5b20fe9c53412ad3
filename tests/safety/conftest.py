"""Fixtures of the safety tests."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone

from tests.safety import populated_site as worlds
from tests.safety.failing_mail import MailServer
from tests.tools import fixed_seeds


@pytest.fixture(scope="module")
def world(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: Any
) -> Iterator[worlds.World]:
    """The populated site, built once per module and undone afterwards."""
    from games.lobby import game_start

    drawn = fixed_seeds.drawn(request.config.getoption("--deal"), "world")
    # A member's first request of a day is written down: midnight must not come while the tests compare rows.
    noon = timezone.localtime().replace(hour=12)
    with (
        time_machine.travel(noon),
        pytest.MonkeyPatch.context() as patch,
        django_db_blocker.unblock(),
        transaction.atomic(),
    ):
        patch.setattr(game_start, "new_seed", drawn)
        yield worlds.build()
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def mail_server() -> Iterator[tuple[MailServer, str]]:
    """A mail server that fails when it is told to, and its address."""
    server = MailServer(Random(1))
    with server.serving() as url:
        yield server, url
