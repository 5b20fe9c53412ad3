"""Prometheus rules and Grafana dashboard in deploy/ fit what the site exports."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from acquire_site import metrics
from acquire_site.health import queue_health
from acquire_site.health.queue_health import QueueState
from games.models import ProcessSign, TaskFailure
from games.processes.process_signs import SignOfLife
from tests.support.played_site import ROOT

RULES = ROOT / "deploy" / "prometheus" / "acquire.rules.yml"
DASHBOARD = ROOT / "deploy" / "grafana" / "acquire-dashboard.json"
TRIALS = ROOT / "tests" / "site" / "alert_rules_test.yml"
OPERATING = ROOT / "docs" / "operating.md"

NAME = re.compile(r"\bacquire_\w+")

# Only processes with a pool, and databases with a clock of their own, export these.
ON_POSTGRES = {
    *("acquire_pool_size", "acquire_pool_waiting", "acquire_pool_waits_total"),
    *("acquire_pool_wait_seconds_total", "acquire_pool_errors_total", "acquire_clock_ahead_seconds"),
}

promtool = pytest.mark.skipif(not shutil.which("promtool"), reason="promtool is not installed")


def rules() -> list[dict[str, Any]]:
    return [rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]


def expressions() -> dict[str, str]:
    """What rules and dashboard ask for, by where it stands."""
    found = {rule["alert"]: rule["expr"] for rule in rules()}
    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        for target in panel["targets"]:
            found[f"{panel['title']} {target['refId']}"] = target["expr"]
    return found


@pytest.fixture
def exported(db: None, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of all samples of a site with processes, queues and failures."""
    sign = SignOfLife(ProcessSign.Kind.WORKER, ["bots"])
    sign.show()
    ProcessSign.objects.update(clock_ahead_seconds=0.1)
    TaskFailure.objects.create(task="games.tasks.deliver", error="ValueError")
    monkeypatch.setattr(queue_health, "queue_states", lambda: {"bots": QueueState(1, 2.0)})
    metrics.count_request("/", "GET", 200, 0.1)
    return set(re.findall(r"^(\w+)(?:\{| )", metrics.text().decode(), re.MULTILINE)) | ON_POSTGRES


def test_every_metric_that_is_asked_for_is_exported(exported: set[str]) -> None:
    unknown = {
        where: name
        for where, text in expressions().items()
        for name in NAME.findall(text)
        if name not in exported
    }
    assert unknown == {}


def test_a_metric_that_nobody_exports_would_be_noticed(exported: set[str]) -> None:
    """The twin: the check knows names that are almost right."""
    assert "acquire_games_stuck" in exported
    assert "acquire_games_stucked" not in exported


def test_every_rule_says_what_is_wrong_and_what_mends_it() -> None:
    for rule in rules():
        assert {"summary", "mend"} <= set(rule["annotations"]), rule["alert"]
        assert rule["labels"]["severity"] in {"page", "ticket"}, rule["alert"]


def test_every_rule_stands_in_the_table_of_alarms() -> None:
    table = OPERATING.read_text()
    assert [rule["alert"] for rule in rules() if f"`{rule['alert']}`" not in table] == []


def test_the_example_reads_the_rules() -> None:
    example = yaml.safe_load((RULES.parent / "prometheus.yml").read_text())
    assert example["rule_files"] == [RULES.name]


@promtool
def test_the_rules_are_valid() -> None:
    run("check", "rules", str(RULES))


@promtool
def test_each_fault_raises_its_alarm_and_a_sound_site_none() -> None:
    run("test", "rules", str(TRIALS))


@promtool
def test_every_expression_can_be_read(tmp_path: Path) -> None:
    read = [{"record": f"x{number}", "expr": text} for number, text in enumerate(expressions().values())]
    file = tmp_path / "expressions.yml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "x", "rules": read}]}))
    run("check", "rules", str(file))


def run(*arguments: str) -> None:
    done = subprocess.run(["promtool", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
