"""One server without containers: `manage.py serve`, and the files that set it up."""

import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

from acquire_site import embedded_redis
from acquire_site.processes import PARTS, served_programs
from tests.support.played_site import ROOT
from tests.support.settings_process import PRODUCTION, python
from tests.tools.available_services import environment


def test_every_part_runs_once_and_the_web_server_on_every_port():
    programs = served_programs(PARTS, "127.0.0.1", [8000, 8001], "https://acquire.example")
    assert [program.name for program in programs] == [
        *("The web server on port 8000", "The web server on port 8001"),
        *("The worker", "The computers' worker", "The sweeper"),
    ]
    assert [program.address for program in programs[:2]] == [("127.0.0.1", 8000), ("127.0.0.1", 8001)]
    assert {program.env["SITE_URL"] for program in programs} == {"https://acquire.example"}


@pytest.mark.parametrize(
    ("only", "kinds"),
    [
        (["pages"], ["acquire_site.asgi:application"]),
        (["sockets"], ["acquire_site.asgi:application"]),
        (["sockets", "pages"], ["acquire_site.asgi:application"]),
        (["bots"], ["bots@%h"]),
        (["mail"], ["celery@%h"]),
        (["sweeper"], ["sweep"]),
        (["sweeper", "bots", "mail"], ["celery@%h", "bots@%h", "sweep"]),
    ],
)
def test_only_the_named_parts_run(only, kinds):
    programs = served_programs(only, "10.0.0.2", [9000], "https://acquire.example")
    assert len(programs) == len(kinds)
    for program, kind in zip(programs, kinds, strict=True):
        assert kind in program.command


def test_a_part_that_does_not_exist_is_refused(tmp_path):
    done = python(["manage.py", "serve", "--only", "page"], tmp_path)
    assert done.returncode != 0
    assert "choose from 'pages', 'sockets', 'bots', 'mail', 'sweeper'" in done.stderr


def test_a_port_that_is_taken_is_named(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = python(["manage.py", "serve", "--only", "pages", "--ports", port], tmp_path, **PRODUCTION)
    assert done.returncode != 0
    assert f"Port {port} of 127.0.0.1 cannot be used" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_workbench_is_not_served(tmp_path):
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
        "DATA_DIR": str(tmp_path),
        "NOTIFY_SOCKET": str(tmp_path / "notify"),
        "DJANGO_SETTINGS_MODULE": "acquire_site.settings",
    }
    manage = [sys.executable, str(ROOT / "manage.py")]
    for command in ("migrate", "createcachetable", "collectstatic --noinput"):
        subprocess.run([*manage, *command.split(), "-v0"], env=env, cwd=ROOT, check=True)
    log = tmp_path / "log"
    with log.open("w") as output, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
        notified.bind(env["NOTIFY_SOCKET"])
        notified.settimeout(20)
        site = subprocess.Popen(
            [*manage, "serve", "--ports", *ports], env=env, cwd=ROOT, stdout=output, stderr=output
        )
        try:
            wait_for(log, "Acquire is open on the ports", site)
            while notified.recv(100) != b"READY=1":
                pass
            for number in range(2):
                for port in ports:
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=20) as answer:
                        assert answer.status == 200
                if number == 0:
                    site.send_signal(signal.SIGUSR1)
                    wait_for(log, "All processes are new.", site)
            for part in ("mail", "bots", "sweeper"):
                wait_until((tmp_path / "heartbeats" / f"{part}.alive").exists)
        finally:
            site.send_signal(signal.SIGTERM)
        assert site.wait(60) == 0


def wait_for(log, text, site):
    def is_said():
        assert site.poll() is None, log.read_text()
        return text in log.read_text()

    wait_until(is_said)


def wait_until(condition):
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.1)


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
    probes = {"Caddyfile": r"@inside path .*{}\b", "nginx.conf": r"location = {} {{ return 404"}
    for name, inside in probes.items():
        proxy = (ROOT / "deploy" / name).read_text()
        assert re.findall(r"127\.0\.0\.1:(\d+)", proxy) == ports.split()
        for path in ("/healthz", "/readyz", "/metrics"):
            assert re.search(inside.format(path), proxy)
        assert proxy.count("{") == proxy.count("}")
        assert "away.html" in proxy


def test_files_named_in_the_handbook_exist(tmp_path):
    text = (ROOT / "docs" / "operating.md").read_text()
    for name in re.findall(r"deploy/[\w.-]*\w", text):
        assert (ROOT / name).exists(), name
    commands = set(re.findall(r"manage\.py (\w+)", text))
    known = python(["manage.py", "help", "--commands"], tmp_path).stdout.split()
    assert commands <= set(known)
