"""Many requests at once: one of each is done, the log has no gaps, and nobody meets an error."""

from collections.abc import Iterator

import pytest
from django.db import connection

from tests.safety.all_races import RACES, rounds
from tests.safety.race_stage import Race, Stage

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


@pytest.fixture
def stage(request: pytest.FixtureRequest, transactional_db: None) -> Iterator[Stage]:
    threads = 32 if connection.vendor == "postgresql" else 8
    with Stage(word=request.config.getoption("--deal"), threads=threads) as stage:
        yield stage


@pytest.mark.parametrize("race", RACES, ids=lambda race: race.__name__)
def test_races_have_one_winner(stage: Stage, race: Race) -> None:
    for number in range(rounds(race, stage.threads)):
        stage.run(race, number)
