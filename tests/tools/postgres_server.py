"""A PostgreSQL server of our own, which can be killed as if it crashed."""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Self
from urllib.parse import quote

from acquire_site.supervisor import death_signal_command

# A throwaway database can do without these safeguards; a server that is to be killed cannot.
FOR_SPEED = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c jit=off"


class Postgres:
    """A server that listens on a socket in a temporary folder; as a context manager it runs inside.

    `initdb` is the path of that program; the others lie beside it. A durable server waits for the disk
    as in production, so that what was committed is still there after `kill()` and `start()`.
    """

    def __init__(self, initdb: Path, *, durable: bool = False) -> None:
        # If this is a link, the other programs lie beside its target.
        self._programs = initdb.resolve().parent
        self._options = "" if durable else FOR_SPEED
        self._process: subprocess.Popen[bytes] | None = None
        self.folder = Path(tempfile.mkdtemp(prefix="acquire-pg-"))
        self.url = f"postgres://postgres@{quote(str(self.folder), safe='')}/postgres"
        self._account: list[str] = []
        if os.geteuid() == 0:
            # The server refuses to run as root.
            user = unprivileged_user()
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._account = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]

    def __enter__(self) -> Self:
        try:
            options = "-U postgres -A trust -E UTF8 --locale=C --no-sync"
            self._call("initdb", *options.split())
            self.start()
        except BaseException:
            self.remove()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    @property
    def pid(self) -> int:
        """The process id of the server's first process."""
        assert self._process is not None
        return self._process.pid

    @property
    def pids(self) -> list[int]:
        """The process ids of the server's first process and its children."""
        command = ["pgrep", "--parent", str(self.pid)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return [self.pid, *map(int, done.stdout.split())]

    @property
    def log(self) -> str:
        """Everything that the server has logged."""
        return (self.folder / "log").read_text()

    def start(self, seconds: float = 60) -> None:
        """Start the server and wait until it answers; after a crash it recovers its files first."""
        deadline = time.monotonic() + seconds
        while True:
            process = self._process = self._launch()
            while process.poll() is None:
                if self.answers():
                    return
                assert time.monotonic() < deadline, f"PostgreSQL did not start:\n{self.log}"
                time.sleep(0.05)
            # After a kill the last children may still be about to notice it.
            assert time.monotonic() < deadline, f"PostgreSQL ended:\n{self.log}"
            time.sleep(0.05)

    def answers(self) -> bool:
        """Return whether the server takes connections."""
        probe = [str(self._programs / "pg_isready"), "-q", "-h", str(self.folder), "-t", "5"]
        return subprocess.run(probe, check=False).returncode == 0

    def kill(self) -> None:
        """Kill the server's first process, as a crash would; its children end by themselves."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Stop the server at once, cleanly if possible; do nothing if it does not run."""
        self._end(signal.SIGQUIT)

    def remove(self) -> None:
        """Stop the server and remove its files."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _launch(self) -> "subprocess.Popen[bytes]":
        options = f"-D {self.folder / 'data'} -k {self.folder} -c max_connections=200 {self._options}"
        # The leash comes last: a change of account would take off an earlier one.
        # Of the signals that end a server, this one does not wait for its clients.
        held = [*death_signal_command("INT"), str(self._programs / "postgres"), *options.split()]
        with (self.folder / "log").open("a") as output:
            return subprocess.Popen(
                [*self._account, *held, "-c", "listen_addresses="],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def _end(self, number: signal.Signals) -> None:
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(number)
        self._process.wait(60)

    def _call(self, program: str, *arguments: str) -> None:
        command = [*self._account, str(self._programs / program), "-D", str(self.folder / "data"), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder)


def unprivileged_user() -> pwd.struct_passwd:
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise LookupError("There is neither a user postgres nor nobody to run PostgreSQL as.")
