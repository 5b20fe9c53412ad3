"""A web process records that its requests got no connection to the database."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from acquire_site.health import process_health
from games.models import Heartbeat, ProcessSign
from games.processes.pool_watch import MARK, PoolWatch
from games.processes.process_signs import SignOfLife

pytestmark = pytest.mark.django_db

WEB = "web process, process 7 on one"


class Counts(dict[str, int]):
    """The counts of a pool, which the test raises."""

    def read(self) -> dict[str, int]:
        return dict(self)


@pytest.fixture
def counts() -> Counts:
    return Counts()


@pytest.fixture
def watch(counts: Counts) -> PoolWatch:
    return PoolWatch(counts.read)


def recorded() -> str:
    return Heartbeat.objects.filter(name=MARK).values_list("detail", flat=True).first() or ""


def test_requests_without_a_connection_are_recorded_once(counts: Counts, watch: PoolWatch) -> None:
    watch.record(timezone.now(), WEB)
    assert recorded() == ""
    counts["requests_errors"] = 3
    watch.record(timezone.now(), WEB)
    assert recorded() == f"3 of the {WEB}"
    Heartbeat.objects.all().delete()
    watch.record(timezone.now(), WEB)
    assert recorded() == ""


def test_requests_that_wait_for_a_database_that_is_away_are_not_recorded(
    counts: Counts, watch: PoolWatch
) -> None:
    counts |= {"requests_errors": 3, "connections_errors": 5}
    watch.record(timezone.now(), WEB)
    assert recorded() == ""
    counts["requests_errors"] = 4
    watch.record(timezone.now(), WEB)
    assert recorded() == f"1 of the {WEB}"


def test_new_pool_counts_from_zero(counts: Counts, watch: PoolWatch) -> None:
    counts["requests_errors"] = 3
    watch.record(timezone.now(), WEB)
    counts["requests_errors"] = 1
    watch.record(timezone.now(), WEB)
    assert recorded() == f"1 of the {WEB}"


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="only PostgreSQL has a pool")
def test_pool_counts_requests_that_it_gives_no_connection() -> None:
    from psycopg_pool import ConnectionPool, PoolTimeout

    connection.ensure_connection()
    options: Any = connection.get_connection_params()
    wanted = {key: options[key] for key in ("dbname", "user", "host", "port", "password") if options.get(key)}
    with ConnectionPool(kwargs=wanted, min_size=1, max_size=1, timeout=0.1) as pool:
        watch = PoolWatch(pool.get_stats)
        pool.wait()
        with pool.connection(), pytest.raises(PoolTimeout):
            pool.getconn()
        watch.record(timezone.now(), WEB)
    assert recorded() == f"1 of the {WEB}"


def test_sign_of_life_records_it_and_doctor_tells_it(counts: Counts, watch: PoolWatch) -> None:
    sign = SignOfLife(ProcessSign.Kind.WEB, pool=watch)
    counts["requests_errors"] = 2
    sign.show()
    (told,) = [problem for problem in process_health.health_problems() if problem.name == "pool"]
    assert "(2 of the web process, process " in told.sentence
    Heartbeat.objects.update(at=timezone.now() - timedelta(hours=2))
    assert "pool" not in [problem.name for problem in process_health.health_problems()]
