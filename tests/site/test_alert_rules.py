"""Prometheus rules and Grafana dashboard in deploy/ fit what the site exports, and the table of alarms."""

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
from tests.support.played_site import ROOT, missing
from tests.tools import available_services

pytestmark = pytest.mark.long

RULES = ROOT / "deploy" / "prometheus" / "acquire.rules.yml"
DASHBOARD = ROOT / "deploy" / "grafana" / "acquire-dashboard.json"
TRIALS = ROOT / "tests" / "site" / "alert_rules_test.yml"
TABLE = (ROOT / "docs" / "operating.md").read_text().partition("### What each alarm means")[2]
TABLE = TABLE.partition("\n### ")[0]

NAME = re.compile(r"\bacquire_\w+")

# Only processes with a pool export these.
OF_A_POOL = {
    *("acquire_pool_size", "acquire_pool_waiting", "acquire_pool_waits_total"),
    *("acquire_pool_wait_seconds_total", "acquire_pool_errors_total"),
}


@pytest.fixture
def promtool() -> None:
    if not available_services.find("promtool").path:
        missing("promtool")


def rules() -> list[dict[str, Any]]:
    return [rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]


def expressions() -> dict[str, str]:
    """The expressions of rules and dashboard, by where they stand."""
    found = {rule["alert"]: rule["expr"] for rule in rules()}
    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        for target in panel["targets"]:
            found[f"{panel['title']} {target['refId']}"] = target["expr"]
    return found


def run(*arguments: str) -> None:
    done = subprocess.run(["promtool", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def exported(db: None, monkeypatch: pytest.MonkeyPatch, settings: Any) -> set[str]:
    """The names of all samples of a site with processes, queues and failures."""
    settings.BROKER_URL = "redis://127.0.0.1:1/0"
    SignOfLife(ProcessSign.Kind.WORKER, ["bots"]).show()
    ProcessSign.objects.update(clock_ahead_seconds=0.1)
    TaskFailure.objects.create(task="games.tasks.deliver", error="ValueError")
    monkeypatch.setattr(queue_health, "queue_states", lambda: {"bots": QueueState(1, 2.0)})
    metrics.count_request("/", "GET", 200, 0.1)
    return set(re.findall(r"^(\w+)(?:\{| )", metrics.text().decode(), re.MULTILINE)) | OF_A_POOL


def test_every_metric_that_is_asked_for_is_exported(exported: set[str]) -> None:
    unknown = {
        where: name
        for where, text in expressions().items()
        for name in NAME.findall(text)
        if name not in exported
    }
    assert unknown == {}


def test_metric_that_nobody_exports_would_be_noticed(exported: set[str]) -> None:
    """The twin: the check knows names that are almost right."""
    assert "acquire_games_stuck" in exported
    assert "acquire_games_stucked" not in exported


def test_every_rule_says_what_is_wrong_and_what_mends_it() -> None:
    for rule in rules():
        assert {"summary", "mend"} <= set(rule["annotations"]), rule["alert"]
        assert rule["labels"]["severity"] in {"page", "ticket"}, rule["alert"]


def test_every_rule_stands_in_the_table_of_alarms() -> None:
    assert [rule["alert"] for rule in rules() if f"`{rule['alert']}`" not in TABLE] == []


def test_table_names_only_alarms_that_there_are() -> None:
    assert set(re.findall(r"`(Acquire\w+)`", TABLE)) == {rule["alert"] for rule in rules()}


def test_all_that_doctor_says_stands_in_the_table_of_alarms() -> None:
    paths = [*(ROOT / "acquire_site").rglob("*.py"), *(ROOT / "games").rglob("*.py")]
    sources = "".join(path.read_text() for path in paths)
    said = set(re.findall(r'(?:HealthProblem|_report_problem)\(\s*"([\w-]+)"', sources)) | {"game"}
    assert {"stuck", "worker", "database"} <= said
    assert {name for name in said if f"`{name}`" not in TABLE} == set()


def test_every_rule_is_tried() -> None:
    tried = {trial["name"] for trial in yaml.safe_load(TRIALS.read_text())["tests"]}
    assert {rule["alert"] for rule in rules()} <= tried


def test_example_reads_the_rules() -> None:
    example = yaml.safe_load((RULES.parent / "prometheus.yml").read_text())
    assert example["rule_files"] == [RULES.name]


@pytest.mark.usefixtures("promtool")
def test_rules_are_valid() -> None:
    run("check", "rules", str(RULES))


@pytest.mark.usefixtures("promtool")
def test_example_is_valid(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("a token")
    text = (RULES.parent / "prometheus.yml").read_text()
    (tmp_path / "prometheus.yml").write_text(text.replace("/etc/prometheus/acquire_token", "token"))
    shutil.copy(RULES, tmp_path)
    run("check", "config", str(tmp_path / "prometheus.yml"))


@pytest.mark.usefixtures("promtool")
def test_each_fault_raises_its_alarm_and_a_sound_site_none() -> None:
    run("test", "rules", str(TRIALS))


@pytest.mark.usefixtures("promtool")
def test_trials_notice_rules_that_never_fire(tmp_path: Path) -> None:
    """The twin: each trial fails on its own, so one run checks all rules."""
    broken = yaml.safe_load(RULES.read_text())
    for rule in broken["groups"][0]["rules"]:
        rule["expr"] = f"({rule['expr']}) > 1e99"
    (tmp_path / "broken.yml").write_text(yaml.safe_dump(broken))
    trials = yaml.safe_load(TRIALS.read_text()) | {"rule_files": ["broken.yml"]}
    (tmp_path / "trials.yml").write_text(yaml.safe_dump(trials))
    with pytest.raises(AssertionError) as failure:
        run("test", "rules", str(tmp_path / "trials.yml"))
    missed = set(re.findall(r'alertname=\\?"(Acquire\w+)', str(failure.value)))
    assert missed == {rule["alert"] for rule in rules()}


@pytest.mark.usefixtures("promtool")
def test_every_expression_can_be_read(tmp_path: Path) -> None:
    read = [{"record": f"x{number}", "expr": text} for number, text in enumerate(expressions().values())]
    file = tmp_path / "expressions.yml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "x", "rules": read}]}))
    run("check", "rules", str(file))
