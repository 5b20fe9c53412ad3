"""One server without containers: `manage.py serve`, and the files that set it up."""

import re
import signal
import subprocess
import sys
import time
import urllib.request

import pytest

from acquire_site import embedded_redis
from acquire_site.management.commands.serve import parts
from tests.support.played_site import ROOT
from tests.support.settings_process import PRODUCTION, python
from tests.tools.available_services import environment


def test_every_part_runs_once_and_the_web_server_on_every_port(settings):
    settings.REDIS_URL, settings.SITE_URL = "redis://127.0.0.1/0", "https://acquire.example"
    programs = parts([8000, 8001])
    assert [program.name for program in programs] == [
        *("The web server", "The web server", "The worker", "The computers' worker", "The sweeper")
    ]
    assert [port for program in programs for port in ("8000", "8001") if port in program.command] == [
        *("8000", "8001")
    ]
    assert {program.env["SITE_URL"] for program in programs} == {"https://acquire.example"}


def test_workbench_settings_are_refused(tmp_path):
    done = python(["manage.py", "serve"], tmp_path)
    assert done.returncode != 0
    assert "a workbench is opened by manage.py play" in done.stderr


@pytest.mark.site
def test_all_parts_open_their_ports_and_end_on_request(tmp_path, redis_url):
    ports = [str(embedded_redis.free_port()) for _ in range(2)]
    env = {
        **environment(),
        **PRODUCTION,
        "DATABASE_URL": f"sqlite:///{tmp_path}/site.sqlite3",
        "ALLOW_SQLITE": "1",
        "REDIS_URL": redis_url,
        "STATIC_ROOT": str(tmp_path / "static"),
        "DJANGO_SETTINGS_MODULE": "acquire_site.settings",
    }
    manage = [sys.executable, str(ROOT / "manage.py")]
    for command in ("migrate", "createcachetable", "collectstatic --noinput"):
        subprocess.run([*manage, *command.split(), "-v0"], env=env, cwd=ROOT, check=True)
    log = tmp_path / "log"
    with log.open("w") as output:
        site = subprocess.Popen(
            [*manage, "serve", "--ports", *ports], env=env, cwd=ROOT, stdout=output, stderr=output
        )
    try:
        deadline = time.monotonic() + 120
        while "Acquire is open on the ports" not in log.read_text():
            assert site.poll() is None and time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)
        for port in ports:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=20) as answer:
                assert answer.status == 200
    finally:
        site.send_signal(signal.SIGTERM)
    assert site.wait(60) == 0


# -- The files -------------------------------------------------------------------------------------


def test_settings_of_a_new_site_pass_the_check(tmp_path):
    made = subprocess.run(
        ["sh", "deploy/environment", "acquire.example"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    settings = dict(line.split("=", 1) for line in made.stdout.splitlines())
    assert set(PRODUCTION) <= set(settings)
    assert len(settings["SECRET_KEY"]) >= 50
    done = python(["manage.py", "check", "--deploy", "--fail-level", "WARNING"], tmp_path, **settings)
    assert done.returncode == 0, done.stderr


def test_service_and_proxy_use_the_same_ports():
    service = (ROOT / "deploy" / "acquire.service").read_text()
    [ports] = re.findall(r"manage\.py serve --ports (.*)", service)
    proxy = (ROOT / "deploy" / "Caddyfile").read_text()
    assert re.findall(r"127\.0\.0\.1:(\d+)", proxy) == ports.split()
    for path in ("/healthz", "/readyz", "/metrics"):
        assert re.search(rf"@inside path .*{path}\b", proxy)


def test_files_named_in_the_handbook_exist(tmp_path):
    text = (ROOT / "docs" / "operating.md").read_text()
    for name in re.findall(r"deploy/[\w.-]*\w", text):
        assert (ROOT / name).exists(), name
    commands = set(re.findall(r"manage\.py (\w+)", text))
    known = python(["manage.py", "help", "--commands"], tmp_path).stdout.split()
    assert commands <= set(known)
