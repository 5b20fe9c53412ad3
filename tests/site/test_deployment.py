"""Files for containers, as far as they can be checked without running one.

They are read, and their commands compared with those that `play` and the stack of tests/safety run.
"""

import json
import os
import re
import shlex
import subprocess
import time
from fnmatch import fnmatch

import pytest
import yaml
from django.conf import settings as django_settings
from django.core.management import load_command_class

from acquire_site.processes import programs
from games.archive.import_errors import MAX_BYTES
from games.processes import heartbeat_files
from tests.support.played_site import ROOT
from tests.support.settings_process import PRODUCTION, settings

# Options that depend on the place.
OF_THE_PLACE = {"--host", "--port", "--concurrency", "--timeout-graceful-shutdown", "--log-level"}
ADDED = {"--limit-concurrency"}
ROLES = ["web", "worker", "worker-bots", "sweeper"]


@pytest.fixture(scope="module")
def compose():
    return yaml.safe_load((ROOT / "compose.yaml").read_text())


@pytest.fixture(scope="module")
def services(compose):
    return compose["services"]


def words(command):
    """Return a command line without the paths of this machine."""
    parts = shlex.split(command) if isinstance(command, str) else list(command)
    return [re.sub(r"^/.*/(python[\d.]*|manage\.py)$", r"\1", part) for part in parts]


def spelled(command):
    """Return the program with its arguments, and its options with their values."""
    parts = words(command)
    options, fixed = {}, []
    while parts:
        part = parts.pop(0)
        if part.startswith("--"):
            options[part] = parts.pop(0) if parts and not parts[0].startswith("--") else ""
        else:
            fixed.append("python" if part.startswith("python") else part)
    return fixed, options


@pytest.mark.parametrize(("role", "number"), [(role, number) for number, role in enumerate(ROLES)])
def test_containers_run_the_same_commands_as_everywhere(services, role, number):
    theirs, ours = spelled(services[role]["command"]), spelled(programs(8000, "redis://x")[number].command)
    assert theirs[0] == ours[0]
    assert set(theirs[1]) - ADDED == set(ours[1])
    for option in set(ours[1]) - OF_THE_PLACE:
        assert theirs[1][option] == ours[1][option]


def test_differing_command_is_detected(services):
    """The twin: a queue without a worker."""
    drifted = services["worker"]["command"].replace("--queues celery", "--queues mail")
    assert spelled(drifted)[1] != spelled(services["worker"]["command"])[1]


def test_every_queue_has_a_worker(services, tmp_path):
    [routes] = settings(tmp_path, "CELERY_TASK_ROUTES", **PRODUCTION)
    queues = {"celery", *(route["queue"] for route in routes.values())}
    served = {spelled(services[role]["command"])[1]["--queues"] for role in ("worker", "worker-bots")}
    assert served == queues


@pytest.mark.parametrize("role", [*ROLES, "backup"])
def test_containers_have_the_six_variables(services, role):
    names = {name.removesuffix("_FILE") for name in services[role]["environment"]}
    assert set(PRODUCTION) <= names
    assert services[role]["environment"]["TRUSTED_PROXIES"] == "1"


def test_a_container_makes_backups_and_keeps_some(services):
    _python, _manage, name, *arguments = words(services["backup"]["command"])
    options = load_command_class("acquire_site", name).create_parser("manage.py", name).parse_args(arguments)
    assert options.daily is not None
    assert options.keep > 0
    assert services["backup"]["volumes"] == ["data:/data"]
    assert services["backup"]["depends_on"]["prepare"]["condition"] == "service_completed_successfully"


def test_only_web_processes_have_a_connection_pool(services):
    assert [role for role in ROLES if "DB_POOL" in services[role]["environment"]] == ["web"]


@pytest.mark.parametrize(
    ("role", "part"), [("worker", "mail"), ("worker-bots", "bots"), ("sweeper", "sweeper")]
)
def test_a_container_whose_part_hangs_is_unhealthy(services, role, part, monkeypatch, tmp_path):
    """The check without Python looks at the same file and as far back as `manage.py healthy`."""
    folder = services[role]["environment"]["HEARTBEAT_DIR"]
    assert folder in [path.split(":")[0] for path in services[role]["tmpfs"]]
    kind, check = services[role]["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    command = check.replace("$$", "$").replace(f"{folder}/", f"{tmp_path}/")
    monkeypatch.setattr(django_settings, "HEARTBEAT_DIR", tmp_path)

    def is_healthy():
        return subprocess.run(["sh", "-c", command], stderr=subprocess.DEVNULL).returncode == 0

    assert not is_healthy(), "before the first heartbeat"
    heartbeat_files.beat(part)
    assert is_healthy()
    for seconds_ago in (heartbeat_files.STALE_SECONDS + 1, -3600):
        then = time.time() - seconds_ago
        os.utime(tmp_path / f"{part}.alive", (then, then))
        assert not is_healthy()


def test_there_are_two_web_processes_and_all_wait_for_the_migrations(services):
    assert services["web"]["deploy"]["replicas"] == 2
    for role in ROLES:
        needs = services[role]["depends_on"]
        assert needs["prepare"]["condition"] == "service_completed_successfully"
        assert needs["postgres"]["condition"] == "service_healthy"
    assert "redis" not in services["sweeper"]["depends_on"]


def test_only_the_proxy_is_reachable_from_outside(services):
    assert [name for name, service in services.items() if "ports" in service] == ["caddy"]


def test_git_ignores_secrets():
    for name in (".env", "secrets/secret_key"):
        assert subprocess.run(["git", "check-ignore", "-q", name], cwd=ROOT).returncode == 0


def test_connection_pools_fit_into_the_database(services):
    """PostgreSQL takes a hundred connections by default."""
    web = services["web"]
    pools = web["deploy"]["replicas"] * int(web["environment"]["DB_POOL"])
    workers = sum(int(spelled(services[role]["command"])[1]["--concurrency"]) for role in ROLES[1:3])
    assert pools + workers + len(ROLES) < 90


# -- The image -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def dockerfile():
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def test_image_is_built_in_two_steps_and_not_run_as_root(dockerfile):
    assert [line.split()[0] for line in dockerfile].count("FROM") == 2
    order = [line.split()[0] for line in dockerfile]
    [made] = re.findall(r"useradd .*--uid (\d+)", " ".join(dockerfile))
    assert dockerfile[order.index("USER")] == f"USER {made}"
    assert order.index("USER") < order.index("CMD")
    assert any("--require-hashes" in line for line in dockerfile)


def test_image_runs_a_web_process_as_compose_does(dockerfile, services):
    [command] = [line for line in dockerfile if line.startswith("CMD")]
    theirs, ours = json.loads(command.removeprefix("CMD")), words(services["web"]["command"])
    assert spelled(theirs) == spelled(ours)


def test_image_has_the_files_that_the_site_needs(dockerfile):
    sources = [line.split()[1:-1] for line in dockerfile if line.startswith("COPY") and "--from" not in line]
    names = {name for copied in sources for name in copied if "$" not in name}
    assert all((ROOT / name).exists() for name in names)
    assert {"manage.py", "acquire_site", "accounts", "games", "templates"} <= names
    kept = [line[1:] for line in (ROOT / ".dockerignore").read_text().split() if line.startswith("!")]
    assert all(any(fnmatch(name, pattern) for pattern in kept) for name in names)


def test_static_files_can_be_collected_as_in_the_image(dockerfile, tmp_path):
    [line] = [line for line in dockerfile if "collectstatic" in line]
    given = dict(part.split("=", 1) for part in line.split() if "=" in part)
    assert set(given) == set(PRODUCTION) - {"DEBUG"}
    assert settings(tmp_path, "DEBUG", DEBUG="0", **given) == [False]


# -- The proxy -------------------------------------------------------------------------------------


def test_proxy_hides_probes_and_finds_all_web_processes():
    text = (ROOT / "Caddyfile").read_text()
    assert text.count("{") == text.count("}")
    for path in ("/healthz", "/readyz", "/metrics"):
        assert re.search(rf"@inside path .*{path}\b", text)
    assert re.search(r"reverse_proxy \{\s+dynamic a web 8000", text)
    # The proxy refuses what the site would refuse, and nothing that it accepts.
    forms, files = map(int, re.findall(r"max_size (\d+)KB", text))
    assert forms * 1000 >= 64 * 1024
    assert files * 1000 >= MAX_BYTES + 64 * 1024
    assert (ROOT / "deploy" / "Caddyfile").read_text().count("/games/import/") == 2


def test_proxy_in_its_container_has_the_pages_for_a_site_that_is_away(services):
    mounted = dict(volume.split(":")[:2] for volume in services["caddy"]["volumes"])
    for name in re.findall(r"/(away\.\w+)", (ROOT / "Caddyfile").read_text()):
        assert mounted[f"./deploy/{name}"] == f"/srv/away/{name}"


@pytest.mark.parametrize("path", ["Caddyfile", "deploy/Caddyfile"])
def test_web_processes_get_requests_in_turn(path):
    """The default is random: often the same process twice in a row, where a request queues."""
    assert re.search(r"^\t\tlb_policy round_robin$", (ROOT / path).read_text(), re.MULTILINE)


# -- The image in CI -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("builders", "code", "said"),
    [
        ({}, 0, "The image was not built"),
        ({"docker": "exit 1"}, 0, "The image was not built"),
        ({"docker": "echo docker $1"}, 0, "docker build"),
        ({"docker": "exit 1", "buildah": "echo buildah $1"}, 0, "buildah build"),
        ({"docker": '[ "$1" = info ]'}, 1, ""),
    ],
    ids=["no builder", "no daemon", "docker", "buildah", "broken image"],
)
def test_image_is_built_where_something_can_build_one(tmp_path, builders, code, said):
    for name in ("docker", "buildah"):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\n{builders.get(name, 'exit 127')}\n")
        program.chmod(0o755)
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    command = ["sh", str(ROOT / ".ci" / "build-image")]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, said in done.stdout) == (code, True)
