"""Probes of machines: whether the site is alive and ready, and its figures."""

from types import SimpleNamespace

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder

from acquire_site.health import service_health


@pytest.fixture
def no_redis(settings):
    settings.BROKER_URL, settings.CHANNEL_URLS = "redis://127.0.0.1:1/0", []


def test_alive_needs_no_database(client):
    answer = client.get("/healthz", headers={"host": "10.0.0.7"})
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"


def test_site_is_ready_with_the_database_and_all_migrations(client, db, redis_url, settings):
    settings.BROKER_URL, settings.CHANNEL_URLS = redis_url, [redis_url]
    answer = client.get("/readyz", headers={"host": "10.0.0.7"})
    assert answer.status_code == 200
    assert answer.json() == {
        "ready": True,
        "degraded": False,
        "database": "ok",
        "migrations": "ok",
        "redis": "ok",
    }


def test_site_without_redis_is_degraded_but_ready(client, db, no_redis):
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert (answer.json()["ready"], answer.json()["degraded"]) == (True, True)


def test_site_without_the_database_is_alive_but_not_ready(client, no_redis, monkeypatch):
    def gone():
        raise OperationalError("a password of the database")

    monkeypatch.setattr(service_health.connection, "cursor", gone)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["database"] == "does not answer (OperationalError)"
    assert b"password" not in answer.content
    assert client.get("/healthz").status_code == 200


def test_site_with_a_missing_migration_is_not_ready(client, db, no_redis, monkeypatch):
    monkeypatch.setattr(service_health, "_found", {})
    monkeypatch.setattr(
        "django.db.migrations.executor.MigrationExecutor.migration_plan", lambda *_: ["one to come"]
    )
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["migrations"] == "1 not applied. Apply them: manage.py migrate"


@pytest.fixture
def steady(monkeypatch):
    """A process that was ready, and whose steady clock the test sets."""
    clock = SimpleNamespace(seconds=1000.0)
    monkeypatch.setattr(service_health.time, "monotonic", lambda: clock.seconds)
    monkeypatch.setattr(service_health, "_found", {})
    return clock


def test_process_is_no_longer_ready_when_a_migration_is_taken_back(client, db, no_redis, steady):
    assert client.get("/readyz").status_code == 200
    last = MigrationRecorder.Migration.objects.filter(app="games").latest("pk")
    recorded = MigrationRecorder(connection)
    recorded.record_unapplied(last.app, last.name)
    steady.seconds += service_health.AGAIN_AFTER_SECONDS + 1
    assert client.get("/readyz").status_code == 503
    assert "1 not applied" in client.get("/readyz").json()["migrations"]
    recorded.record_applied(last.app, last.name)
    assert client.get("/readyz").status_code == 200


def test_process_stays_ready_when_a_newer_migration_is_deployed(client, db, no_redis, steady, monkeypatch):
    """It does not need it, and takes requests until a newer process replaces it."""
    assert client.get("/readyz").status_code == 200
    monkeypatch.setattr(
        "django.db.migrations.executor.MigrationExecutor.migration_plan", lambda *_: ["one to come"]
    )
    steady.seconds += service_health.AGAIN_AFTER_SECONDS + 1
    assert client.get("/readyz").status_code == 200


def test_migrations_are_not_read_for_each_probe(db, steady, django_assert_num_queries):
    assert service_health.missing_migrations() == 0
    steady.seconds += service_health.AGAIN_AFTER_SECONDS - 1
    with django_assert_num_queries(0):
        assert service_health.missing_migrations() == 0


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_probe_refuses_other_methods(client, db, path):
    assert client.post(path).status_code == 404


# -- Figures ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("token", "header"), [("", "Bearer "), ("a-long-secret", ""), ("a-long-secret", "Bearer wrong")]
)
def test_figures_require_the_token(client, db, settings, token, header):
    settings.METRICS_TOKEN = token
    assert client.get("/metrics", headers={"authorization": header}).status_code == 404


def test_figures_count_requests_and_games(client, db, settings):
    settings.METRICS_TOKEN = "a-long-secret"
    client.get("/join/a-secret-link/")
    client.generic("BREW", "/")
    answer = client.get("/metrics", headers={"authorization": "Bearer a-long-secret"})
    assert answer.status_code == 200
    told = answer.content.decode()
    # The pattern, as an address may be a secret; all invented methods count as one.
    assert 'acquire_requests_total{method="GET",route="/join/<slug:code>/",status="404"}' in told
    assert 'method="OTHER"' in told
    assert "a-secret-link" not in told and "BREW" not in told
    for name in ("games_running", "games_stuck", "deadlines_overdue", 'outbox_age_seconds{outbox="games"}'):
        assert f"\nacquire_{name} 0.0\n" in told
    assert "\nacquire_sweeper_age_seconds -1.0\n" in told
