"""Supervisor of several programs: starts, restarts, replaces and stops them."""

import contextlib
import functools
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

# Pauses before a program that keeps dying is started again; the last one is repeated.
PAUSES_SECONDS = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0)
# A program that has run for this time is no longer one that keeps dying.
STABLE_SECONDS = 60.0
STOP_PATIENCE_SECONDS = 8.0
REPLACE_PATIENCE_SECONDS = 60.0
# Programs are asked this often whether they hang, and replaced after this time of hanging.
HANG_CHECK_SECONDS = 10.0
HANG_PATIENCE_SECONDS = 120.0
POLL_SECONDS = 0.1


@dataclass(frozen=True)
class Program:
    """A program to run: its display name, command and additional environment variables.

    With an `address` the supervisor holds a socket there, and the program gets it by the option `--fd`.
    It writes a byte to the file descriptor of READY_FD when it takes connections; see `gentle_server.py`.
    `is_stale` tells whether the program shows no sign of life.
    """

    name: str
    command: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict)
    address: tuple[str, int] | None = None
    stop_seconds: float | None = None
    is_stale: Callable[[], bool] = lambda: False


class _Process:
    """A running process of a program, with all its descendants."""

    def __init__(self, program: Program, held: socket.socket | None) -> None:
        self._ready_fd: int | None = None
        self.is_ready = held is None
        self.started_at = time.monotonic()
        command = [*death_signal_command(), *program.command]
        env = {**os.environ, **program.env}
        handed: list[int] = []
        if held is not None:
            self._ready_fd, ready = os.pipe()
            os.set_blocking(self._ready_fd, False)
            handed = [held.fileno(), ready]
            command += ["--fd", str(held.fileno())]
            env["READY_FD"] = str(ready)
        # In a session of its own, so that Ctrl-C in the terminal reaches the supervisor alone and all its
        # descendants can be killed with it.
        self._popen = subprocess.Popen(command, env=env, start_new_session=True, pass_fds=handed)
        if held is not None:
            os.close(handed[1])

    @property
    def exit_code(self) -> int | None:
        return self._popen.poll()

    def look_whether_ready(self) -> bool:
        """Return whether the process has said that it takes connections."""
        if self._ready_fd is not None and not self.is_ready:
            with contextlib.suppress(BlockingIOError):
                self.is_ready = bool(os.read(self._ready_fd, 1))
        return self.is_ready

    def ask_to_end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._popen.terminate()

    def end(self, patience: float) -> None:
        """Wait until the process has ended; kill it and its descendants if it does not end in time."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(patience)
        self.kill()

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()
        if self._ready_fd is not None:
            os.close(self._ready_fd)
            self._ready_fd = None


class _Child:
    """A program with its running process, or with the time at which it is started again."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.process: _Process | None = None
        self.successor: _Process | None = None
        self.due_at = 0.0
        self.stale_since: float | None = None
        self.is_ending = False
        self._quick_deaths = 0
        self._socket: socket.socket | None = None
        self.start()

    def start(self) -> None:
        if self.program.address and self._socket is None:
            self._socket = bind(self.program.address)
        self.stale_since = None
        self.process = _Process(self.program, self._socket)

    def bury(self, now: float) -> float:
        """Clear up after a process that has died; return after how many seconds to start it again."""
        assert self.process is not None
        if now - self.process.started_at >= STABLE_SECONDS:
            self._quick_deaths = 0
        self.process.kill()
        self.process = None
        # Nobody takes connections there now, and a proxy must be able to see that.
        self._leave_address()
        return self.pause(now)

    def pause(self, now: float) -> float:
        """Wait before the next start, longer each time; return for how many seconds."""
        pause = PAUSES_SECONDS[min(self._quick_deaths, len(PAUSES_SECONDS) - 1)]
        self._quick_deaths += 1
        self.due_at = now + pause
        return pause

    @property
    def runs(self) -> bool:
        return self.process is not None and self.process.exit_code is None

    def start_successor(self) -> None:
        """Start another process that takes connections from the same socket."""
        if self.program.address and self._socket is None:
            self._socket = bind(self.program.address)
        self.successor = _Process(self.program, self._socket)

    def drop_successor(self) -> None:
        if self.successor:
            self.successor.kill()
            self.successor = None

    def ask_to_end(self) -> None:
        self.is_ending = True
        if self.process:
            self.process.ask_to_end()

    @property
    def patience(self) -> float:
        """Seconds in which the process has to end when it is asked to."""
        return STOP_PATIENCE_SECONDS if self.program.stop_seconds is None else self.program.stop_seconds

    def put_successor_in_place(self) -> None:
        """End the process, and go on with the successor or with a process started anew."""
        if self.process:
            self.process.kill()
        self.process, self.successor = self.successor, None
        self.stale_since = None
        self.is_ending = False
        self.due_at = 0.0
        self._quick_deaths = 0

    def stop(self) -> None:
        """Ask the program to end; kill it and its descendants if it does not."""
        self.drop_successor()
        if self.process:
            self.process.ask_to_end()
            self.process.end(self.patience)
            self.process = None
        self._leave_address()

    def _leave_address(self) -> None:
        if self._socket:
            self._socket.close()
            self._socket = None


def bind(address: tuple[str, int]) -> socket.socket:
    """Return a socket that has the address and does not listen yet.

    The program listens as soon as it can answer; until then connections are refused, and a proxy asks another
    process.
    """
    bound = socket.socket(socket.AF_INET6 if ":" in address[0] else socket.AF_INET)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
    except BaseException:
        bound.close()
        raise
    return bound


@functools.cache
def death_signal_command(asks: str = "TERM") -> list[str]:
    """Return a command prefix that makes the program receive a signal when its parent dies.

    More precisely, when the thread that started it ends. Empty if the system has no such program.
    """
    setpriv = ["setpriv", "--pdeathsig", asks, "--"]
    try:
        tried = subprocess.run([*setpriv, "true"], stderr=subprocess.DEVNULL, check=False)
    except OSError:
        return []
    return [] if tried.returncode else setpriv


class Supervisor:
    """Keeps programs running until it is asked to stop.

    A program that keeps dying is started again after longer and longer pauses; the others do not notice.
    `say` is called with a sentence when something happens that a person should know, `each_round` many times
    a second.
    """

    def __init__(self, say: Callable[[str], None], each_round: Callable[[], None] = lambda: None) -> None:
        self._say = say
        self._each_round = each_round
        self._children: list[_Child] = []
        self._asked_to_stop = threading.Event()
        self._asked_to_replace = threading.Event()
        self._next_hang_check = 0.0

    def stop_on_signals(self) -> None:
        """Stop on Ctrl-C, SIGTERM and a closed terminal from now on. Main thread only."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: self.ask_to_stop())

    def replace_on_signal(self) -> None:
        """Replace all processes on SIGUSR1 from now on. Main thread only."""
        signal.signal(signal.SIGUSR1, lambda *_: self.ask_to_replace())

    def ask_to_stop(self) -> None:
        self._asked_to_stop.set()

    def ask_to_replace(self) -> None:
        self._asked_to_replace.set()

    def start(self, program: Program) -> None:
        self._children.append(_Child(program))

    def is_ready(self) -> bool:
        """Return whether all programs run, and those with an address take connections."""
        return all(child.process and child.process.look_whether_ready() for child in self._children)

    def watch(self, until: Callable[[], bool] = lambda: False) -> int | None:
        """Restart dead and hanging children; return 0 when asked to stop, None when `until()` is true."""
        while self._go_on():
            if self._asked_to_replace.is_set():
                self._asked_to_replace.clear()
                self._replace_all()
            if until():
                return None
        return 0

    def stop(self) -> None:
        """Stop all children, the youngest first, and wait until they are gone."""
        while self._children:
            self._children.pop().stop()

    def _go_on(self) -> bool:
        """Wait a moment and attend to all children; return False when asked to stop."""
        if self._asked_to_stop.wait(POLL_SECONDS):
            return False
        self._each_round()
        now = time.monotonic()
        check_hangs = now >= self._next_hang_check
        if check_hangs:
            self._next_hang_check = now + HANG_CHECK_SECONDS
        for child in self._children:
            self._attend(child, now)
            if check_hangs:
                self._end_if_it_hangs(child, now)
        return True

    def _attend(self, child: _Child, now: float) -> None:
        if child.is_ending or child.successor:
            return
        if child.process is None:
            if now >= child.due_at:
                self._try_to_start(child)
        elif (code := child.process.exit_code) is not None:
            pause = child.bury(now)
            when = f" in {pause:g} seconds" if pause else ""
            self._say(f"{child.program.name} ended by itself (exit code {code}); starting it again{when}.")

    def _try_to_start(self, child: _Child) -> None:
        try:
            child.start()
        except OSError as error:
            # Its port may have been taken meanwhile.
            pause = child.pause(time.monotonic())
            self._say(f"{child.program.name} cannot be started: {error}. Trying again in {pause:g} seconds.")

    def _end_if_it_hangs(self, child: _Child, now: float) -> None:
        """Kill the process if it has shown no sign of life for long; it is then started again."""
        if child.process is None or not child.program.is_stale():
            child.stale_since = None
            return
        child.stale_since = child.stale_since or now
        if now - max(child.stale_since, child.process.started_at) >= HANG_PATIENCE_SECONDS:
            self._say(f"{child.program.name} hangs; killing it.")
            child.process.kill()

    def _replace_all(self) -> None:
        """Replace each process by a new one, so that new code runs.

        New processes with an address take connections before the old ones are asked to end. If one of them
        does not start, everything stays as it is.
        """
        listening = [child for child in self._children if child.program.address]
        self._say("Replacing all processes.")
        if not self._start_successors(listening):
            for child in listening:
                child.drop_successor()
            return
        self._end_gently(listening)
        for child in self._children:
            if child not in listening and not self._asked_to_stop.is_set():
                self._end_gently([child])
        if not self._asked_to_stop.is_set():
            self._say("All processes are new.")

    def _end_gently(self, children: Sequence[_Child]) -> None:
        """Ask processes to end, wait for it, and put others in their place."""
        for child in children:
            child.ask_to_end()
        deadline = time.monotonic() + max((child.patience for child in children), default=0.0)
        while any(child.runs for child in children) and time.monotonic() < deadline and self._go_on():
            pass
        if not self._asked_to_stop.is_set():
            for child in children:
                child.put_successor_in_place()

    def _start_successors(self, children: Iterable[_Child]) -> bool:
        """Start successors and return whether all of them take connections."""
        waiting = list(children)
        for child in waiting:
            try:
                child.start_successor()
            except OSError as error:
                self._say(f"{child.program.name} cannot be started anew ({error}); the old processes go on.")
                return False
        deadline = time.monotonic() + REPLACE_PATIENCE_SECONDS
        while waiting and self._go_on():
            for child in list(waiting):
                assert child.successor is not None
                if child.successor.look_whether_ready():
                    waiting.remove(child)
                elif child.successor.exit_code is not None or time.monotonic() > deadline:
                    self._say(f"{child.program.name} did not start anew; the old processes go on.")
                    return False
        return not waiting
