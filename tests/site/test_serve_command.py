"""One server without containers: `manage.py serve`, and the files that set it up."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from acquire_site import embedded_redis
from acquire_site.health import part_health
from acquire_site.processes import PARTS, served_programs
from tests.support.played_site import ROOT
from tests.support.settings_process import PRODUCTION, python
from tests.tools.available_services import environment

pytestmark = pytest.mark.long


def test_every_part_runs_once_and_the_web_server_on_every_port():
    programs = served_programs(PARTS, "127.0.0.1", [8000, 8001], "https://acquire.example")
    assert [program.name for program in programs] == [
        *("The web server on port 8000", "The web server on port 8001"),
        *("The worker", "The worker-bots process", "The sweeper"),
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
    assert "For development, use manage.py play" in done.stderr


# -- A running site --------------------------------------------------------------------------------


@dataclass
class ServedSite:
    """A running `manage.py serve` on SQLite, and what it has said."""

    process: subprocess.Popen[bytes]
    ports: list[str]
    folder: Path
    env: dict[str, str]

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text()

    def says(self, text: str, count: int = 1) -> bool:
        """Return whether it has said this so many times."""
        assert self.process.poll() is None, self.log
        return self.log.count(text) >= count

    def pid(self, part: str) -> int | None:
        """The process that last showed that this part goes round."""
        path = self.folder / "heartbeats" / f"{part}.alive"
        return int(text) if path.exists() and (text := path.read_text()) else None

    def status(self, port: str, path: str = "/healthz") -> int:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
            return int(answer.status)

    def healthy(self, *parts: str) -> tuple[int, str]:
        """Run `manage.py healthy`; return its exit code and what it said."""
        done = subprocess.run([*MANAGE, "healthy", *parts], env=self.env, cwd=ROOT, stdout=subprocess.PIPE)
        return done.returncode, done.stdout.decode()


KILLED = "The sweeper ended by itself (exit code -9)"
REPLACED = "All processes are new."
MANAGE = [sys.executable, str(ROOT / "manage.py")]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, redis_url: str) -> Iterator[ServedSite]:
    """A site that has told its service manager that it is open; it ends with 0 when it is asked to."""
    folder = tmp_path_factory.mktemp("served")
    ports = [str(embedded_redis.free_port()) for _ in range(2)]
    env = {
        **environment(),
        **PRODUCTION,
        "DATABASE_URL": f"sqlite:///{folder}/site.sqlite3",
        "ALLOW_SQLITE": "1",
        "REDIS_URL": redis_url,
        "STATIC_ROOT": str(folder / "static"),
        "DATA_DIR": str(folder),
        "NOTIFY_SOCKET": str(folder / "notify"),
        "DJANGO_SETTINGS_MODULE": "acquire_site.settings",
    }
    for command in ("migrate", "createcachetable", "collectstatic --noinput"):
        subprocess.run([*MANAGE, *command.split(), "-v0"], env=env, cwd=ROOT, check=True)
    with (folder / "log").open("w") as output, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
        notified.bind(env["NOTIFY_SOCKET"])
        notified.settimeout(120)
        process = subprocess.Popen(
            [*MANAGE, "serve", "--ports", *ports], env=env, cwd=ROOT, stdout=output, stderr=output
        )
        try:
            while notified.recv(100) != b"READY=1":
                pass
            yield ServedSite(process, ports, folder, env)
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0


@pytest.mark.site
def test_site_that_says_it_is_open_answers_on_every_port(served: ServedSite) -> None:
    assert [served.status(port, "/readyz") for port in served.ports] == [200, 200]
    wait_until(lambda: served.says("Acquire is open on this machine. Ports:"))


@pytest.mark.site
def test_every_part_of_a_running_site_goes_round(served: ServedSite) -> None:
    wait_until(lambda: all(served.pid(part) for part in part_health.PARTS))
    assert served.healthy(*part_health.PARTS) == (0, "\n")


@pytest.mark.site
def test_replacing_all_processes_loses_no_request(served: ServedSite) -> None:
    wait_until(lambda: all(served.pid(part) for part in part_health.PARTS))
    before = {part: served.pid(part) for part in part_health.PARTS}
    count = served.log.count(REPLACED)
    served.process.send_signal(signal.SIGUSR1)
    while not served.says(REPLACED, count + 1):
        for port in served.ports:
            assert served.status(port) == 200
        time.sleep(0.05)
    for part, old in before.items():
        wait_until(lambda part=part, old=old: served.pid(part) not in (None, old))


@pytest.mark.site
def test_sweeper_that_is_killed_again_and_again_backs_off_alone(served: ServedSite) -> None:
    wait_until(lambda: all(served.pid(part) for part in part_health.PARTS))
    workers = [served.pid(part) for part in ("mail", "bots")]
    killed: list[int | None] = [None]
    for number in range(6):
        wait_until(lambda: served.pid("sweeper") not in killed)
        pid = served.pid("sweeper")
        assert pid
        os.kill(pid, signal.SIGKILL)
        killed.append(pid)
        wait_until(lambda number=number: served.says(KILLED, number + 1))
        assert [served.status(port, "/readyz") for port in served.ports] == [200, 200]
    assert f"{KILLED}; starting it again in 16 seconds." in served.log
    code, text = served.healthy(*part_health.PARTS)
    assert code == 1
    assert re.fullmatch(r"sweeper: ended \d+ seconds ago and is not running again yet\.\n", text)
    assert [served.pid(part) for part in ("mail", "bots")] == workers
    assert served.log.count("ended by itself") == 6


def wait_until(condition: Callable[[], bool]) -> None:
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
    assert settings.pop("DATA_DIR") == "/var/lib/acquire"  # This machine has it if it runs a site.
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


def test_commands_of_the_handbook_and_the_service_are_understood() -> None:
    parser = load_command_class("acquire_site", "serve").create_parser("manage.py", "serve")
    texts = [(ROOT / name).read_text() for name in ("docs/operating.md", "deploy/acquire.service")]
    commands = [
        line for text in texts for line in re.findall(r"^.*ExecStart=.*manage\.py serve (.*)$", text, re.M)
    ]
    assert len(commands) == 2
    for command in commands:
        assert parser.parse_args(command.split()).ports == [8000, 8001]


def test_files_named_in_the_handbook_exist(tmp_path):
    text = (ROOT / "docs" / "operating.md").read_text()
    for name in re.findall(r"deploy/[\w.-]*\w", text):
        assert (ROOT / name).exists(), name
    commands = set(re.findall(r"manage\.py (\w+)", text))
    known = python(["manage.py", "help", "--commands"], tmp_path).stdout.split()
    assert commands <= set(known)


HANDBOOK = [
    *("docs/operating.md", "docs/rollback.md", "docs/key_rotation.md", "docs/moderation.md"),
    "deploy/prometheus/acquire.rules.yml",
]


def options_that_nobody_understands(text: str) -> list[str]:
    """The commands of a text with an option that `manage.py` does not know."""
    apps = get_commands()
    found = []
    for name, rest in re.findall(r"manage\.py (\w+)((?: [^\s`|&>;()#,]+)*)", text):
        app = apps[name]
        command = load_command_class(app, name) if isinstance(app, str) else app
        known = set(command.create_parser("manage.py", name)._option_string_actions)
        asked = {word.partition("=")[0].rstrip('.:”"') for word in rest.split() if word.startswith("--")}
        if asked - known:
            found.append(f"{name}{rest}")
    return found


# The page on rollbacks says how release 1.0.0 computes its own ratings.
OF_EARLIER_RELEASES = {"recount_ratings --read"}


@pytest.mark.parametrize("name", HANDBOOK)
def test_options_named_in_the_handbook_are_understood(name: str) -> None:
    assert set(options_that_nobody_understands((ROOT / name).read_text())) <= OF_EARLIER_RELEASES


def test_option_that_a_command_does_not_have_would_be_noticed() -> None:
    """The twin."""
    text = (
        "`manage.py backup --keep 14`, or manage.py backup --hold 14 | tail, and `manage.py doctor --quiet`"
    )
    assert options_that_nobody_understands(text) == ["backup --hold 14"]


CRON_LINE = re.compile(r"^    ((?:[\d*/]+ ){5})(\w+)  (.*)$", re.MULTILINE)


def test_lines_for_cron_in_the_handbook_keep_their_rules() -> None:
    """Cron ends a command at a bare %, and a line in /etc/cron.d names its user."""
    lines = CRON_LINE.findall((ROOT / "docs" / "operating.md").read_text())
    assert [user for _, user, _ in lines] == ["acquire", "acquire", "acquire", "postgres"]
    assert [command for *_, command in lines if re.search(r"(?<!\\)%", command)] == []


def test_handbook_restores_in_containers_without_migrating_first() -> None:
    for name in ("docs/operating.md", "docs/rollback.md"):
        text = (ROOT / name).read_text().replace("\\\n", " ")
        for line in re.findall(r"docker compose run .*", text):
            if re.search(r"manage\.py (backup|restore|migrate)|\bbackup\b", line):
                assert "--no-deps" in line, line


def test_restic_of_the_handbook_runs_as_the_user_of_the_site() -> None:
    """Root would keep the password for itself, and give the repository files that backups cannot replace."""
    text = (ROOT / "docs" / "operating.md").read_text()
    lines = re.findall(r"^    (.*(?:restic init|restic dump|restic-password)\b.*)$", text, re.MULTILINE)
    assert len(lines) == 5
    for line in lines:
        assert line.startswith(("as_site ", "RESTIC_PASSWORD_FILE=", "docker compose run ")), line


def archive_command(wal: Path, archive: Path) -> list[str]:
    """The command of the handbook for one file of the write-ahead log."""
    [command] = re.findall(
        r"archive_command = '(.*)'$", (ROOT / "docs" / "operating.md").read_text(), re.MULTILINE
    )
    command = command.replace("/mnt/other/wal", str(archive)).replace("%p", str(wal)).replace("%f", wal.name)
    return ["sh", "-c", command]


def test_write_ahead_log_is_archived_once_and_never_overwritten(tmp_path: Path) -> None:
    wal, archive = tmp_path / "000000010000000000000007", tmp_path / "archive"
    archive.mkdir()
    wal.write_bytes(b"moves")
    assert subprocess.run(archive_command(wal, archive)).returncode == 0
    assert {path.name: path.read_bytes() for path in archive.iterdir()} == {wal.name: b"moves"}
    # PostgreSQL asks again if it crashed before it recorded the success.
    assert subprocess.run(archive_command(wal, archive)).returncode == 0
    wal.write_bytes(b"another server's")
    assert subprocess.run(archive_command(wal, archive)).returncode != 0
    assert (archive / wal.name).read_bytes() == b"moves"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder to somebody else")
def test_upgrade_refuses_to_install_for_root_what_belongs_to_the_site(tmp_path: Path) -> None:
    (tmp_path / "deploy").mkdir()
    shutil.copy(ROOT / "deploy" / "upgrade", tmp_path / "deploy")
    os.chown(tmp_path, 65534, 65534)
    done = subprocess.run(["sh", "deploy/upgrade"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert "not as root: as_site sh deploy/upgrade" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["deploy"]
