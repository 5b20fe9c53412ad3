"""What tests of what must never happen share."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from tests.safety import populated_site as worlds
from tests.tools import fixed_seeds


@pytest.fixture(scope="module")
def world(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: Any
) -> Iterator[worlds.World]:
    """The small site of world.py, made once for a module; nothing of it stays."""
    from games.lobby import game_start

    drawn = fixed_seeds.drawn(request.config.getoption("--deal"), "world")
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock(), transaction.atomic():
        patch.setattr(game_start, "new_seed", drawn)
        yield worlds.build()
        transaction.set_rollback(True)
