"""What tests of what must never happen share."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from tests import deals
from tests.safety import world as worlds


@pytest.fixture(scope="module")
def world(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: Any
) -> Iterator[worlds.World]:
    """The small site of world.py, made once for a module; nothing of it stays."""
    from games.services import starting

    drawn = deals.drawn(request.config.getoption("--deal"), "world")
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock(), transaction.atomic():
        patch.setattr(starting, "draw_seed", drawn)
        yield worlds.build()
        transaction.set_rollback(True)
