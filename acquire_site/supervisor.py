"""Supervisor of several programs: starts, restarts and stops them in order."""

import contextlib
import functools
import os
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

RESTARTS = 3
WITHIN_SECONDS = 60.0
STOP_PATIENCE_SECONDS = 8.0
POLL_SECONDS = 0.1


@dataclass(frozen=True)
class Program:
    """A program to run: its display name, command and additional environment variables."""

    name: str
    command: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict)


class _Child:
    """A running program and the times of its restarts."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.restarts: deque[float] = deque(maxlen=RESTARTS)
        self.start()

    def start(self) -> None:
        # In a session of its own, so that Ctrl-C in the terminal reaches the supervisor alone and all its
        # descendants can be killed with it.
        self.process = subprocess.Popen(
            [*death_signal_command(), *self.program.command],
            env={**os.environ, **self.program.env},
            start_new_session=True,
        )

    @property
    def is_dead(self) -> bool:
        return self.process.poll() is not None

    def died_too_often(self, now: float) -> bool:
        return len(self.restarts) == RESTARTS and now - self.restarts[0] < WITHIN_SECONDS

    def restart(self, now: float) -> None:
        self.end_group()
        self.restarts.append(now)
        self.start()

    def stop(self) -> None:
        """Ask the program to end; kill it and its descendants if it does not."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.terminate()
            self.process.wait(STOP_PATIENCE_SECONDS)
        self.end_group()
        self.process.wait()

    def end_group(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)


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
    """Keeps programs running until it is asked to stop or one of them keeps dying.

    `say` is called with a sentence when something happens that a person should know.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._children: list[_Child] = []
        self._asked_to_stop = threading.Event()

    def stop_on_signals(self) -> None:
        """Stop on Ctrl-C, SIGTERM and a closed terminal from now on. Main thread only."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: self.ask_to_stop())

    def ask_to_stop(self) -> None:
        self._asked_to_stop.set()

    def start(self, program: Program) -> None:
        self._children.append(_Child(program))

    def watch(self, until: Callable[[], bool] = lambda: False) -> int | None:
        """Restart dead children, each three times a minute at most.

        Returns 0 when asked to stop, 1 when a child died more often than that, and None as soon as `until()`
        is true.
        """
        while not self._asked_to_stop.wait(POLL_SECONDS):
            for child in self._children:
                if child.is_dead and not self._revive(child):
                    return 1
            if until():
                return None
        return 0

    def _revive(self, child: _Child) -> bool:
        now = time.monotonic()
        what = f"{child.program.name} ended by itself (exit code {child.process.returncode})"
        if child.died_too_often(now):
            self._say(f"{what} for the {RESTARTS + 1}th time within a minute; giving up.")
            return False
        self._say(f"{what}; starting it again.")
        child.restart(now)
        return True

    def stop(self) -> None:
        """Stop all children, the youngest first, and wait until they are gone."""
        while self._children:
            self._children.pop().stop()
