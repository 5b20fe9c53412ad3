"""Reports of errors and traces to other machines, and what they never contain."""

import contextlib
import json

import pytest

from acquire_site import telemetry
from tests.support.settings_process import PRODUCTION, python

ROW = 'violates check constraint "x"\nDETAIL:  Failing row contains (7, [["5C"]]).'


def test_report_shows_the_place_of_an_error_but_no_request_variable_or_row():
    event = {
        "request": {
            "method": "POST",
            "url": "https://acquire.example/join/secret-code/",
            "data": "move=place 5C",
            "cookies": {"__Host-sid": "secret"},
        },
        "user": {"id": 7},
        "breadcrumbs": [{"message": "5C"}],
        "extra": {"state": "5C"},
        "logentry": {"message": "Failed: %s", "params": ["5C"], "formatted": "Failed: 5C"},
        "exception": {
            "values": [
                {
                    "type": "IntegrityError",
                    "value": ROW,
                    "stacktrace": {"frames": [{"function": "save", "vars": {"hand": "5C"}}]},
                }
            ]
        },
    }
    sent = json.dumps(telemetry.scrubbed(event))
    assert "5C" not in sent and "secret" not in sent
    for word in ("POST", "IntegrityError", "violates check constraint", "save", "Failed: %s"):
        assert word in sent


def test_report_without_an_exception_passes():
    assert telemetry.scrubbed({"message": "hello"}) == {"message": "hello"}


class Tracer:
    """Keeps what would be sent."""

    def __init__(self):
        self.sent = {}

    @contextlib.contextmanager
    def start_as_current_span(self, name, record_exception, set_status_on_exception):
        assert not record_exception and not set_status_on_exception
        yield self

    def update_name(self, name):
        self.sent["name"] = name

    def set_attribute(self, name, value):
        self.sent[name] = value


def test_trace_has_the_pattern_instead_of_the_address(client, db, monkeypatch):
    tracer = Tracer()
    monkeypatch.setattr(telemetry, "_tracer", tracer)
    client.get("/join/secret-code/?key=secret")
    assert tracer.sent == {
        "name": "GET /join/<slug:code>/",
        "http.request.method": "GET",
        "http.route": "/join/<slug:code>/",
        "http.response.status_code": 404,
    }


@pytest.mark.parametrize("variable", ["SENTRY_DSN", "OTEL_EXPORTER_OTLP_ENDPOINT"])
def test_missing_reporting_package_is_named(tmp_path, variable):
    where = "http://key@127.0.0.1:9/1" if variable == "SENTRY_DSN" else "http://127.0.0.1:9"
    done = python(["manage.py", "check"], tmp_path, **PRODUCTION, **{variable: where})
    if done.returncode == 0:
        pytest.skip("the programs are installed here")
    assert f"{variable} is set, but" in done.stderr
    assert "pip install -r requirements/monitoring.txt" in done.stderr
