"""Signs of life: each process of the site shows in the database that it lives, and with which settings.

A process that hangs, is stopped (SIGSTOP) or is killed no longer does.
"""

import contextlib
import hashlib
import logging
import os
import socket
import threading
import time
import tomllib
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import close_old_connections, connection
from django.utils import timezone
from django.utils.crypto import salted_hmac

from games.clocks import machine_clock
from games.models import ProcessSign
from games.processes.pool_watch import PoolWatch
from games.processes.refused_requests import RefusedRequests

logger = logging.getLogger(__name__)

KEPT_FOR = timedelta(days=1)

# Pause after a sign, however many requests are refused.
MIN_PAUSE_SECONDS = 5.0

_ROOT = Path(__file__).resolve().parent.parent.parent
_CODE = ("accounts", "acquire_site", "games", "templates")
_MARK_LENGTH = 16

# The place of the start time among the fields of /proc/PID/stat that follow the name of the program.
_START_FIELD = 19


class SignOfLife:
    """The sign of this process, written where its own work proves that it goes on."""

    def __init__(
        self,
        kind: str,
        queues: Iterable[str] = (),
        refused: RefusedRequests | None = None,
        pool: PoolWatch | None = None,
    ) -> None:
        self._refused, self._pool = refused or RefusedRequests(), pool
        self._fixed: dict[str, Any] = {
            "kind": kind,
            "queues": ",".join(sorted(queues))[:100],
            "host": host(),
            "pid": os.getpid(),
            "start_ticks": start_ticks(os.getpid()),
            "version": version(),
            "build": build(),
            "key_mark": key_mark(),
        }
        self._pk: int | None = None

    def show(self) -> None:
        """Write the sign; never raises, because the process works without it."""
        try:
            offset = machine_clock.database_offset()
            now = timezone.now() - (offset or timedelta())
            fresh: dict[str, Any] = {
                "at": now,
                "memory_bytes": memory_bytes(os.getpid()),
                "clock_ahead_seconds": None if offset is None else offset.total_seconds(),
                **self._refused.columns(offset or timedelta()),
            }
            if self._pk is None or not ProcessSign.objects.filter(pk=self._pk).update(**fresh):
                if self._fixed.setdefault("started", now) == now:
                    _forget_the_dead()
                self._pk = ProcessSign.objects.create(**self._fixed, **fresh).pk
            if self._pool is not None:
                self._pool.record(now, str(ProcessSign(**self._fixed)))
        except Exception as error:
            logger.warning("The sign of life could not be written: %s", type(error).__name__)

    def end(self) -> None:
        """Remove the sign of a process that ends as it should."""
        if self._pk is not None:
            with contextlib.suppress(Exception):
                ProcessSign.objects.filter(pk=self._pk).delete()


class SigningThread:
    """Writes the sign of a process in a thread of its own, as long as `works` says that the process works.

    It is written now and then, and soon after `wake` is set.
    """

    def __init__(
        self, sign: SignOfLife, works: Callable[[], bool], wake: threading.Event | None = None
    ) -> None:
        self._sign, self._works = sign, works
        self._over, self._wake = threading.Event(), wake or threading.Event()
        self._thread = threading.Thread(target=self._run, name="sign of life", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def end(self, patience_seconds: float) -> None:
        """Have the thread remove the sign and end; wait for it no longer than that."""
        self._over.set()
        self._wake.set()
        self._thread.join(patience_seconds)

    def _run(self) -> None:
        while not self._over.is_set():
            self._wake.clear()
            if self._works():
                self._with_connection(self._sign.show)
            least = min(MIN_PAUSE_SECONDS, settings.SIGN_OF_LIFE_SECONDS)
            if not self._over.wait(least):
                self._wake.wait(settings.SIGN_OF_LIFE_SECONDS - least)
        self._with_connection(self._sign.end)

    def _with_connection(self, work: Callable[[], None]) -> None:
        """Do the work with a connection that is not kept: a forked child must inherit none."""
        close_old_connections()
        work()
        with contextlib.suppress(Exception):
            connection.close()


class Pulse:
    """A call returns whether the loop lives: it calls `beat` in each round, and has done so lately."""

    def __init__(self, patience_seconds: float) -> None:
        self._patience = patience_seconds
        self.beat()

    def beat(self) -> None:
        self._last = time.monotonic()

    def __call__(self) -> bool:
        return time.monotonic() - self._last < self._patience


def _forget_the_dead() -> None:
    """Delete the signs of processes of this machine that were killed; other machines cannot look for them."""
    for sign in ProcessSign.objects.filter(host=host()):
        if start_ticks(sign.pid) != sign.start_ticks:
            sign.delete()


def delete_old_signs(now: datetime) -> dict[str, int]:
    """Delete the signs of processes that showed none for longer than `KEPT_FOR`."""
    return {"signs of processes": ProcessSign.objects.filter(at__lt=now - KEPT_FOR).delete()[0]}


def host() -> str:
    return socket.gethostname()[:255]


def key_mark() -> str:
    """A mark that is the same for the same SECRET_KEY, and from which nobody can find the key."""
    mark = salted_hmac("games.processes.process_signs", "the same key", algorithm="sha256").hexdigest()
    return mark[:_MARK_LENGTH]


@cache
def version() -> str:
    """The version of the project."""
    found: str = tomllib.loads((_ROOT / "pyproject.toml").read_text())["project"]["version"]
    return found


@cache
def build() -> str:
    """A hash of the program and its templates when it is first asked for, which is what this process runs."""
    digest = hashlib.sha256()
    for folder in _CODE:
        for path in sorted((_ROOT / folder).rglob("*")):
            if path.suffix in {".py", ".html", ".txt"} and path.is_file():
                digest.update(str(path.relative_to(_ROOT)).encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:_MARK_LENGTH]


def start_ticks(pid: int) -> int:
    """The time at which the kernel started a process, in its own unit; 0 if it cannot be read."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        # The name of the program may contain blanks and brackets.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[_START_FIELD])
    return 0


def memory_bytes(pid: int) -> int:
    """The resident memory of a process and its descendants; 0 if it cannot be read."""
    total = 0
    with contextlib.suppress(OSError, ValueError, IndexError):
        total = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        for thread in Path(f"/proc/{pid}/task").iterdir():
            children = (thread / "children").read_text().split()
            total += sum(memory_bytes(int(child)) for child in children)
    return total
