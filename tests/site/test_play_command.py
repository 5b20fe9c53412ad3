"""`manage.py play` starts the whole site and leaves no process behind."""

import http.cookiejar
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from acquire_site.supervisor import death_signal_command
from tests.support.played_site import DATABASE, ROOT, missing, play
from tests.support.site_processes import answers, family, is_running, one, read, wait_for
from tests.tools import available_services

pytestmark = [pytest.mark.site, pytest.mark.long]


def still_running(pids) -> list[int]:
    return [pid for pid in pids if is_running(pid)]


@pytest.fixture(scope="module", params=["with Redis", "without Redis"])
def site(request, tmp_path_factory):
    """A running site, once with an installed Redis server and once with the one in Python."""
    hide = "" if request.param == "with Redis" else "redis"
    if not hide and not available_services.find("redis").path:
        missing("redis")
    with play(tmp_path_factory.mktemp("site"), with_tables=False, ACQUIRE_WITHOUT=hide) as site:
        yield site


def test_pages_are_served(site):
    assert "<html" in read(f"{site.url}/accounts/login/")


def test_static_files_are_served(site):
    page = read(f"{site.url}/accounts/login/")
    style = re.search(r'href="(/static/[^"]+\.css)"', page)[1]
    assert "{" in read(site.url + style)


def test_printed_password_opens_the_admin(site):
    cookies = http.cookiejar.CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))
    browser.open(f"{site.url}/accounts/login/")
    token = next(cookie.value for cookie in cookies if cookie.name == "csrftoken")
    form = {
        "login": "admin",
        "password": site.admin_password,
        "csrfmiddlewaretoken": token,
        "next": "/admin/",
    }
    answer = browser.open(f"{site.url}/accounts/login/", urllib.parse.urlencode(form).encode())
    assert answer.url == f"{site.url}/admin/"


def test_site_runs_a_web_server_two_kinds_of_workers_and_a_sweeper(site):
    commands = " ".join(family(site.process).values())
    for part in ("uvicorn acquire_site.asgi", "--queues celery", "--queues bots", "manage.py sweep --loop"):
        assert part in commands


def test_installed_redis_is_used_unless_hidden(site):
    commands = " ".join(family(site.process).values())
    hidden = "ACQUIRE_WITHOUT=redis" in Path(f"/proc/{site.process.pid}/environ").read_text()
    assert ("redis-server" in commands or "valkey-server" in commands) is not hidden


def test_killed_workers_and_web_server_are_restarted(site):
    parts = {part: one(site, part) for part in ("--queues celery", "--queues bots", "uvicorn")}
    for pid in parts.values():
        os.kill(pid, signal.SIGKILL)
    wait_for(lambda: site.log.count("starting it again") == len(parts))
    wait_for(lambda: answers(f"{site.url}/accounts/login/"))
    assert all(one(site, part) != pid for part, pid in parts.items())
    assert "giving up" not in site.log


START_A_GAME_OF_COMPUTERS = """
from accounts.models import User
from games.engine.bots.bot_levels import BOTS
from games.lobby.game_start import start_game
host = User.objects.get(username="admin")
level = next(iter(BOTS["acquire"]))
print(start_game(system="acquire", preset="classic", host=host, players=[level] * 3).pk)
"""


def test_bots_play_a_whole_game_by_themselves(site):
    game = site.shell(START_A_GAME_OF_COMPUTERS).split()[-1]
    with sqlite3.connect(site.data_dir / DATABASE) as database:
        query = "SELECT finished IS NOT NULL, version FROM games_game WHERE id = ?"
        wait_for(lambda: database.execute(query, [game]).fetchone()[0], seconds=60)
        assert database.execute(query, [game]).fetchone()[1] > 50


@pytest.mark.parametrize("site", ["with Redis"], indirect=True)
def test_killed_redis_is_restarted_without_affecting_others(site):
    parts = {
        part: one(site, part)
        for part in ("redis-server", "--queues celery", "--queues bots", "uvicorn", "sweep")
    }
    os.kill(parts["redis-server"], signal.SIGKILL)
    wait_for(lambda: "Redis ended by itself (exit code -9); starting it again." in site.log)
    killed = parts.pop("redis-server")
    # The new process has its own name only once its program runs.
    wait_for(lambda: any("redis-server" in command for command in family(site.process).values()))
    assert one(site, "redis-server") != killed
    assert {part: one(site, part) for part in parts} == parts


# One test for three promises, because a start takes seconds.
def test_site_ends_on_request_leaves_no_process_and_finds_its_data_again(tmp_path):
    for how in (signal.SIGINT, signal.SIGTERM):
        with play(tmp_path) as site:
            assert bool(site.admin_password) is (how == signal.SIGINT), "only a new site has a new password"
            assert answers(f"{site.url}/accounts/login/")
            pids = family(site.process)
            assert len(pids) >= 5
            site.process.send_signal(how)
            assert site.process.wait(40) == 0
        assert still_running(pids) == []


def test_killed_supervisor_leaves_no_process(tmp_path):
    if not death_signal_command():
        pytest.skip("needs setpriv of util-linux")
    with play(tmp_path) as site:
        pids = family(site.process)
        assert len(pids) >= 5
        site.process.kill()
        site.process.wait()
        wait_for(lambda: not still_running(pids), seconds=40)


def test_part_that_cannot_run_is_tried_again_until_it_can(tmp_path):
    with play(tmp_path) as site, socket.socket() as thief:
        port = int(site.url.rpartition(":")[2])
        os.kill(one(site, "uvicorn"), signal.SIGKILL)
        thief.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        wait_for(lambda: steals(thief, port))
        wait_for(lambda: re.search(r"The web server .*; starting it again in \d", site.log))
        thief.close()
        wait_for(lambda: answers(f"{site.url}/accounts/login/"))


def steals(thief, port):
    try:
        thief.bind(("127.0.0.1", port))
        thief.listen()
    except OSError:
        return False
    return True


def test_occupied_port_is_reported_in_a_sentence(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, str(ROOT / "manage.py"), "play", "--port", str(port)]
        done = subprocess.run(
            command,
            env={**available_services.environment(), "DATA_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
        )
    assert done.returncode == 1
    assert f"Port {port} cannot be used" in done.stderr
    assert "make play PORT=" in done.stderr
    assert "Traceback" not in done.stderr
