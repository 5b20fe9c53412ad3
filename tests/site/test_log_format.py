"""Contents of log lines, and what no log line contains."""

import json
import logging
import sys

import pytest
from django.db import IntegrityError

from accounts.models import User
from acquire_site.health import service_health
from acquire_site.log_context import log_context
from acquire_site.log_format import JsonLines, Lines, without_rows
from acquire_site.task_log import forget_task, know_task

REFUSED = (
    'new row for relation "games_game" violates check constraint "game_over"\n'
    'DETAIL:  Failing row contains (7, [["1A", "5C"]], \\x0badcafe).'
)


def record(message, *args, **extra):
    made = logging.LogRecord("games", logging.WARNING, "", 1, message, args, extra.pop("exc_info", None))
    made.__dict__.update(extra)
    return made


@pytest.fixture
def lines(monkeypatch):
    """Lines that the site logs as JSON, with requests included."""
    told = []

    class Keep(logging.Handler):
        def emit(self, record):
            told.append(json.loads(JsonLines().format(record)))

    handler = Keep()
    logging.getLogger().addHandler(handler)
    yield told
    logging.getLogger().removeHandler(handler)


def requests(lines):
    return [line for line in lines if line["logger"] == "acquire.requests"]


def test_json_line_has_its_parts():
    line = json.loads(JsonLines().format(record("%s is late", "theo")))
    assert line["message"] == "theo is late"
    assert (line["level"], line["logger"]) == ("WARNING", "games")
    assert line["time"].endswith("+00:00")


@pytest.mark.parametrize("formatter", [JsonLines(), Lines("{message}", style="{")])
def test_row_refused_by_the_database_is_not_shown(formatter):
    try:
        raise IntegrityError(REFUSED)
    except IntegrityError as error:
        told = formatter.format(record("Failed: %s", error, exc_info=sys.exc_info()))
    assert "violates check constraint" in told
    assert "test_log_format.py" in told
    assert "5C" not in told and "badcafe" not in told


def test_text_after_the_row_is_shown():
    text = without_rows(f"{REFUSED}\nCONTEXT:  here\n\nDuring handling, another")
    assert "5C" not in text
    assert "CONTEXT:  here\n\nDuring handling, another" in text


def test_request_is_logged_by_name_and_pattern_but_not_by_address(client, db, settings, lines):
    settings.ACCESS_LOG = True
    marta = User.objects.create_user("marta")
    client.force_login(marta)
    answer = client.get("/join/a-secret-link/?key=also-secret")
    [line] = requests(lines)
    assert line["message"] == "GET /join/<slug:code>/ 404"
    assert (line["status"], line["user"], line["request"]) == (404, marta.pk, answer["X-Request-ID"])
    assert "secret" not in json.dumps(line)


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_answered_probe_is_not_logged(client, db, settings, lines, path):
    settings.ACCESS_LOG, settings.BROKER_URL = True, ""
    assert client.get(path).status_code == 200
    assert requests(lines) == []


def test_probe_that_finds_a_fault_is_logged(client, db, settings, lines, monkeypatch):
    settings.ACCESS_LOG, settings.BROKER_URL = True, ""
    monkeypatch.setattr(service_health, "database", lambda: "does not answer (OperationalError)")
    client.get("/readyz")
    assert [line["message"] for line in requests(lines)] == ["GET - 503"]


def test_web_server_logs_no_addresses():
    assert not logging.getLogger("uvicorn.access").isEnabledFor(logging.INFO)
    assert not logging.getLogger("uvicorn.error").isEnabledFor(logging.INFO)
    assert logging.getLogger("uvicorn.error").isEnabledFor(logging.WARNING)


def test_move_is_logged_with_its_game_and_number(client, db, settings, lines):
    settings.ACCESS_LOG = True
    client.post("/games/abcdefghjk/moves/58/", {"move": "place 5C"})
    [line] = requests(lines)
    assert (line["game"], line["number"]) == ("abcdefghjk", 58)
    assert "5C" not in json.dumps(line)


@pytest.mark.parametrize(("proxies", "kept"), [(0, False), (1, True)])
def test_request_id_of_a_trusted_proxy_is_kept(client, db, settings, lines, proxies, kept):
    settings.ACCESS_LOG, settings.TRUSTED_PROXIES = True, proxies
    answer = client.get("/healthz", headers={"X-Request-ID": "from-the-proxy-1"})
    assert (answer["X-Request-ID"] == "from-the-proxy-1") == kept
    forged = client.get("/healthz", headers={"X-Request-ID": 'x" level="'})
    assert '"' not in forged["X-Request-ID"]


def test_lines_of_a_task_name_it_and_its_game():
    class Task:
        name = "games.tasks.play_computer"

    know_task(task_id="77", task=Task, args=[5, 12])
    line = json.loads(JsonLines().format(record("thinking")))
    assert (line["task"], line["game_key"], line["version"]) == ("games.tasks.play_computer", 5, 12)
    forget_task()
    assert log_context.get() is None
    assert "task" not in json.loads(JsonLines().format(record("idle")))
