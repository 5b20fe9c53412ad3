"""The supervisor, tried on small programs."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from acquire_site import supervisor as module
from acquire_site.supervisor import Program, Supervisor
from tests.support.site_processes import is_running


def python(name, code, **env):
    return Program(name, [sys.executable, "-c", code], env)


def sleeper(name, folder):
    """A program that appends its process id to a file and sleeps."""
    code = f"import os, time; print(os.getpid(), file=open({str(folder / name)!r}, 'a')); time.sleep(60)"
    return python(name, code)


def pids(folder: Path, name: str, count: int) -> list[int]:
    """Process ids written by a sleeper, once there are this many."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        lines = (folder / name).read_text().splitlines() if (folder / name).exists() else []
        if len(lines) >= count:
            return [int(line) for line in lines]
        time.sleep(0.02)
    raise TimeoutError(f"{name} did not start {count} times")


def lives(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def said():
    return []


@pytest.fixture
def supervisor(said):
    supervisor = Supervisor(said.append)
    yield supervisor
    supervisor.ask_to_stop()
    supervisor.stop()


@pytest.fixture
def watching(supervisor):
    """Start to watch in a thread; the returned function waits for the end and returns the exit code."""

    def watch():
        codes = []
        thread = threading.Thread(target=lambda: codes.append(supervisor.watch()))
        thread.start()

        def end():
            thread.join(30)
            return codes[0]

        return end

    return watch


def test_supervisor_ends_with_0_on_request(supervisor, watching, tmp_path):
    supervisor.start(sleeper("web", tmp_path))
    end = watching()
    supervisor.ask_to_stop()
    assert end() == 0


def test_supervisor_watches_until_the_condition_holds(supervisor, tmp_path):
    supervisor.start(sleeper("web", tmp_path))
    assert supervisor.watch(until=lambda: (tmp_path / "web").exists()) is None


def test_killed_child_is_restarted(supervisor, watching, said, tmp_path):
    supervisor.start(sleeper("web", tmp_path))
    end = watching()
    [first] = pids(tmp_path, "web", 1)
    os.kill(first, signal.SIGKILL)
    _, second = pids(tmp_path, "web", 2)
    assert lives(second)
    assert said == ["web ended by itself (exit code -9); starting it again."]
    supervisor.ask_to_stop()
    assert end() == 0


def test_fourth_death_within_a_minute_ends_it_with_1(supervisor, said, tmp_path):
    supervisor.start(sleeper("web", tmp_path))
    supervisor.start(python("worker", "raise SystemExit(7)"))
    assert supervisor.watch() == 1
    assert [sentence.split("; ")[1] for sentence in said] == ["starting it again."] * 3 + ["giving up."]
    supervisor.stop()
    assert not lives(pids(tmp_path, "web", 1)[0])


def test_deaths_far_apart_do_not_add_up(supervisor, watching, monkeypatch, tmp_path):
    monkeypatch.setattr(module, "WITHIN_SECONDS", 0.01)
    supervisor.start(sleeper("web", tmp_path))
    end = watching()
    for number in range(1, 6):
        os.kill(pids(tmp_path, "web", number)[-1], signal.SIGKILL)
    assert lives(pids(tmp_path, "web", 6)[-1])
    supervisor.ask_to_stop()
    assert end() == 0


def test_children_count_their_restarts_separately(supervisor, watching, tmp_path):
    supervisor.start(sleeper("web", tmp_path))
    supervisor.start(sleeper("worker", tmp_path))
    end = watching()
    for number in range(1, 4):
        for name in ("web", "worker"):
            os.kill(pids(tmp_path, name, number)[-1], signal.SIGKILL)
    assert lives(pids(tmp_path, "web", 4)[-1])
    assert lives(pids(tmp_path, "worker", 4)[-1])
    supervisor.ask_to_stop()
    assert end() == 0


def test_youngest_child_is_stopped_first(supervisor, tmp_path):
    log = tmp_path / "log"
    code = (
        "import signal, sys\n"
        f"def end(*_): print('NAME', file=open({str(log)!r}, 'a')); sys.exit()\n"
        "signal.signal(signal.SIGTERM, end)\n"
        f"print(1, file=open({str(tmp_path)!r} + '/NAME', 'a'))\n"
        "signal.pause()"
    )
    for name in ("first", "second", "third"):
        supervisor.start(python(name, code.replace("NAME", name)))
    for name in ("first", "second", "third"):
        pids(tmp_path, name, 1)
    supervisor.stop()
    assert log.read_text().split() == ["third", "second", "first"]


def test_stubborn_child_is_killed_with_all_its_descendants(supervisor, monkeypatch, tmp_path):
    monkeypatch.setattr(module, "STOP_PATIENCE_SECONDS", 0.2)
    code = (
        "import os, signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "os.fork()\n"
        f"print(os.getpid(), file=open({str(tmp_path / 'stubborn')!r}, 'a'))\n"
        "time.sleep(60)"
    )
    supervisor.start(python("stubborn", code))
    started = pids(tmp_path, "stubborn", 2)
    supervisor.stop()
    # init reaps the grandchild a moment later.
    deadline = time.monotonic() + 5
    while any(map(is_running, started)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(is_running, started))


KILLED = """
import sys
from acquire_site import supervisor
from acquire_site.supervisor import Program, Supervisor
from tests.support.site_processes import is_running
if {loose}:
    supervisor.death_signal_command = list
one = Supervisor(print)
one.start(Program("web", [sys.executable, "-c", {code!r}]))
one.watch()
"""


@pytest.mark.parametrize("loose", [False, True])
def test_children_end_with_a_killed_supervisor(tmp_path, loose):
    """With `loose`, the twin, they have no leash and live on."""
    if not module.death_signal_command():
        pytest.skip("needs setpriv of util-linux")
    code = sleeper("web", tmp_path).command[-1]
    script = KILLED.format(loose=loose, code=code)
    killed = subprocess.Popen([sys.executable, "-c", script], cwd=Path(module.__file__).parent.parent)
    [child] = pids(tmp_path, "web", 1)
    killed.kill()
    killed.wait()
    deadline = time.monotonic() + (1 if loose else 10)
    while is_running(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert is_running(child) == loose
    if loose:
        os.kill(child, signal.SIGKILL)


def test_children_start_even_where_no_leash_is_available(supervisor, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    module.death_signal_command.cache_clear()
    try:
        assert module.death_signal_command() == []
        supervisor.start(sleeper("web", tmp_path))
        assert lives(*pids(tmp_path, "web", 1))
    finally:
        module.death_signal_command.cache_clear()


def test_child_has_its_own_environment_besides_ours(supervisor, monkeypatch, tmp_path):
    monkeypatch.setenv("OURS", "1")
    code = f"import os; open({str(tmp_path / 'env')!r}, 'w').write(os.environ['OURS'] + os.environ['ITS'])"
    supervisor.start(python("web", code, ITS="2"))
    deadline = time.monotonic() + 10
    while not (tmp_path / "env").exists() or not (tmp_path / "env").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert (tmp_path / "env").read_text() == "12"
