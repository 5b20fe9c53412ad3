"""The supervisor, tried on small programs."""

import errno
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from acquire_site import embedded_redis
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


def wait_until(condition):
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


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


def test_a_part_that_keeps_dying_backs_off_alone(supervisor, watching, said, monkeypatch, tmp_path):
    monkeypatch.setattr(module, "PAUSES_SECONDS", (0.0, 0.1, 0.2, 0.3))
    supervisor.start(sleeper("web", tmp_path))
    supervisor.start(python("worker", "raise SystemExit(7)"))
    end = watching()
    wait_until(lambda: len(said) >= 6)
    pauses = ["it.", "it in 0.1 seconds.", "it in 0.2 seconds.", *["it in 0.3 seconds."] * 3]
    assert said[:6] == [
        f"worker ended by itself (exit code 7); starting it again{pause[2:]}" for pause in pauses
    ]
    [web] = pids(tmp_path, "web", 1)
    assert lives(web)
    supervisor.ask_to_stop()
    assert end() == 0


def test_a_part_that_backs_off_comes_back_when_its_fault_is_mended(
    supervisor, watching, monkeypatch, tmp_path
):
    monkeypatch.setattr(module, "PAUSES_SECONDS", (0.0, 0.1))
    broken = tmp_path / "broken"
    broken.touch()
    code = f"import os, sys; os.path.exists({str(broken)!r}) and sys.exit(1)\n"
    supervisor.start(python("worker", code + sleeper("worker", tmp_path).command[-1]))
    watching()
    time.sleep(0.5)
    broken.unlink()
    assert lives(*pids(tmp_path, "worker", 1))


def test_deaths_far_apart_are_forgiven(supervisor, watching, said, monkeypatch, tmp_path):
    monkeypatch.setattr(module, "STABLE_SECONDS", 0.01)
    supervisor.start(sleeper("web", tmp_path))
    end = watching()
    for number in range(1, 6):
        os.kill(pids(tmp_path, "web", number)[-1], signal.SIGKILL)
    assert lives(pids(tmp_path, "web", 6)[-1])
    assert not any("seconds" in sentence for sentence in said)
    supervisor.ask_to_stop()
    assert end() == 0


def test_a_part_that_shows_no_sign_of_life_is_killed_and_started_again(
    supervisor, watching, said, monkeypatch, tmp_path
):
    monkeypatch.setattr(module, "HANG_CHECK_SECONDS", 0.1)
    monkeypatch.setattr(module, "HANG_PATIENCE_SECONDS", 0.5)
    stale = [True]
    supervisor.start(replace(sleeper("worker", tmp_path), is_stale=lambda: stale[0]))
    supervisor.start(sleeper("web", tmp_path))
    watching()
    [first] = pids(tmp_path, "worker", 1)
    wait_until(lambda: said)
    stale[0] = False
    assert pids(tmp_path, "worker", 2)[1] != first
    assert said[0] == "worker hangs; killing it."
    assert len(pids(tmp_path, "web", 1)) == 1


# -- Replacing -------------------------------------------------------------------------------------

SERVER = """
import os, signal, socket, sys
if os.path.exists("BROKEN"):
    sys.exit(1)
listener = socket.socket(fileno=int(sys.argv[sys.argv.index("--fd") + 1]))
listener.listen()
listener.settimeout(0.05)
over = []
signal.signal(signal.SIGTERM, lambda *_: over.append(1))
os.write(int(os.environ["READY_FD"]), b"1")
while not over:
    try:
        client, _ = listener.accept()
    except TimeoutError:
        continue
    client.settimeout(5)
    client.recv(1)
    client.sendall(str(os.getpid()).encode())
    client.close()
"""


@pytest.fixture
def server(tmp_path):
    """A program that answers each connection with its process id."""
    address = ("127.0.0.1", embedded_redis.free_port())
    code = SERVER.replace("BROKEN", str(tmp_path / "broken"))
    return replace(python("web", code), address=address)


def asked(program):
    """The process id with which the server answers."""
    with socket.create_connection(program.address, timeout=5) as connection:
        connection.sendall(b"?")
        return int(connection.recv(10))


def ask_while(program, condition):
    """Ask all the time until the condition is true; return the answers."""
    answers = []
    deadline = time.monotonic() + 20
    while not condition() and time.monotonic() < deadline:
        try:
            answers.append(asked(program))
        except (OSError, ValueError):
            answers.append(None)
    return answers


def test_a_replaced_web_process_refuses_no_connection(supervisor, watching, said, server):
    supervisor.start(server)
    end = watching()
    wait_until(supervisor.is_ready)
    first = asked(server)
    supervisor.ask_to_replace()
    answers = ask_while(server, lambda: "All processes are new." in said)
    assert None not in answers
    assert answers[0] == first != asked(server)
    assert not lives(first)
    supervisor.ask_to_stop()
    assert end() == 0


def test_a_server_that_is_stopped_before_the_next_one_starts_refuses_connections(
    supervisor, watching, said, server, monkeypatch
):
    """The twin of the test above."""

    def replace_all(supervisor):
        for child in supervisor._children:
            child.stop()
            time.sleep(0.2)
            child.start()
        supervisor._say("All processes are new.")

    monkeypatch.setattr(Supervisor, "_replace_all", replace_all)
    supervisor.start(server)
    watching()
    wait_until(supervisor.is_ready)
    asked(server)
    supervisor.ask_to_replace()
    assert None in ask_while(server, lambda: "All processes are new." in said)


def test_a_web_process_that_does_not_start_leaves_everything_as_it_is(
    supervisor, watching, said, server, tmp_path
):
    supervisor.start(server)
    supervisor.start(sleeper("worker", tmp_path))
    watching()
    wait_until(supervisor.is_ready)
    first = asked(server)
    (tmp_path / "broken").touch()
    supervisor.ask_to_replace()
    wait_until(lambda: len(said) >= 2)
    assert said == ["Replacing all processes.", "web did not start anew; the old processes go on."]
    assert asked(server) == first
    assert lives(*pids(tmp_path, "worker", 1))


def test_parts_without_a_port_are_replaced_too(supervisor, watching, said, tmp_path):
    supervisor.start(sleeper("worker", tmp_path))
    watching()
    [first] = pids(tmp_path, "worker", 1)
    supervisor.ask_to_replace()
    assert pids(tmp_path, "worker", 2)[1] != first
    assert not lives(first)
    assert said == ["Replacing all processes.", "All processes are new."]


def test_a_dead_web_process_leaves_its_port_to_refuse_connections(supervisor, watching, server, monkeypatch):
    monkeypatch.setattr(module, "PAUSES_SECONDS", (60.0,))
    supervisor.start(server)
    watching()
    wait_until(supervisor.is_ready)
    os.kill(asked(server), signal.SIGKILL)
    wait_until(lambda: not embedded_redis.answers(server.address[1]))


def test_a_replaced_web_process_can_be_replaced_again_after_it_died(supervisor, watching, said, server):
    supervisor.start(server)
    watching()
    wait_until(supervisor.is_ready)
    os.kill(asked(server), signal.SIGKILL)
    wait_until(lambda: said and supervisor.is_ready())
    for count in (1, 2):
        supervisor.ask_to_replace()
        wait_until(lambda count=count: said.count("All processes are new.") == count)
        assert lives(asked(server))


def test_a_server_whose_port_is_taken_for_a_moment_starts_as_soon_as_it_is_free(
    supervisor, watching, said, server, monkeypatch
):
    monkeypatch.setattr(module, "PAUSES_SECONDS", (0.0, 0.1, 0.1, 0.1, 60.0))
    supervisor.start(server)
    watching()
    wait_until(supervisor.is_ready)
    first = asked(server)
    bind, taken = module.bind, iter([True, True])

    def bind_unless_taken(address):
        if next(taken, False):
            raise OSError(errno.EADDRINUSE, "Address already in use")
        return bind(address)

    monkeypatch.setattr(module, "bind", bind_unless_taken)
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: len(said) == 3 and supervisor.is_ready())
    taken_error = f"[Errno {errno.EADDRINUSE}] Address already in use"
    again = f"web cannot be started: {taken_error}. Trying again in 0.1 seconds."
    assert said == ["web ended by itself (exit code -9); starting it again.", again, again]
    assert lives(asked(server))


def test_two_children_do_not_share_their_restarts(supervisor, watching, monkeypatch, tmp_path):
    monkeypatch.setattr(module, "PAUSES_SECONDS", (0.0, 0.1, 0.2, 60.0))
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
