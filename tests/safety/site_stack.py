"""The whole site as it runs in production, in processes and folders of its own.

    with Stack(web=2) as stack:
        stack.url                        http://localhost:PORT, a proxy before all web processes
        stack.manage("check_games")     a management command on its database; returns what it printed
        stack.kill("web-1")              SIGKILL; it is started again, as a service manager does
        stack.processes["bots"].freeze() SIGSTOP, until thaw(); stop() keeps it down, until start()
        stack.log("sweeper")             all that it has printed
        stack.redis.url, stack.redis.stop(), stack.postgres.url, stack.postgres.kill(), …

Its processes are web-1, web-2, …, worker, bots, sweeper, proxy and redis, each with all that it
starts in a session of its own; a second worker for bots is bots-2, a second sweeper sweeper-2. Dead
ones are started again within a moment, but those that were stopped on purpose and PostgreSQL are
not. Nothing is ended but what was started here.
"""

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Self

from acquire_site import embedded_redis
from acquire_site.processes import MANAGE, programs
from acquire_site.supervisor import Program, death_signal_command
from tests.support import site_proxies
from tests.tools import available_services
from tests.tools.postgres_server import Postgres

ROOT = MANAGE.parent

# Intervals of a service manager: between checks, and before a restart.
WATCH_SECONDS = 0.1
START_SECONDS = 90.0


class Process:
    """A program of the stack and all its descendants."""

    def __init__(self, name: str, program: Program, env: Mapping[str, str], folder: Path) -> None:
        self.name = name
        self.starts = 0
        self.wanted = False
        self._command = [*death_signal_command(), *program.command]
        # The stack's values override: all processes know the address of the proxy.
        self._env = {**program.env, **env}
        self._log = folder / f"{name}.log"
        self._lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Id of the program's process, which is also that of its process group."""
        assert self._process is not None
        return self._process.pid

    @property
    def pids(self) -> list[int]:
        """Ids of the program's process and of all its living descendants."""
        done = subprocess.run(
            ["pgrep", "--pgroup", str(self.pid)], capture_output=True, text=True, check=False
        )
        return [int(pid) for pid in done.stdout.split()]

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def log(self) -> str:
        """Everything it has printed, over all its starts."""
        return self._log.read_text() if self._log.exists() else ""

    def start(self) -> None:
        """Start it, and keep restarting it when it dies."""
        with self._lock:
            self.wanted = True
            if self.runs:
                return
            self._end_group()
            self.starts += 1
            with self._log.open("a") as output:
                self._process = subprocess.Popen(
                    self._command,
                    cwd=ROOT,
                    env=self._env,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    start_new_session=True,
                )

    def revive(self) -> None:
        """Restart it if it has died."""
        with self._lock:
            if self.wanted and not self.runs:
                self.start()

    def kill(self, number: signal.Signals = signal.SIGKILL) -> None:
        """Send a signal to the program alone."""
        with self._lock, contextlib.suppress(ProcessLookupError):
            if self._process is not None:
                self._process.send_signal(number)

    def kill_all(self) -> None:
        """Kill the program and all its descendants."""
        self._signal_group(signal.SIGKILL)

    def freeze(self) -> None:
        """Suspend the program and all its descendants until `thaw()`."""
        self._signal_group(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal_group(signal.SIGCONT)

    def stop(self, patience: float = 10) -> None:
        """Ask it to end, kill it if it does not, and keep it down."""
        with self._lock:
            self.wanted = False
            if self._process is None:
                return
            self.kill(signal.SIGTERM)
            self.thaw()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(patience)
            self._end_group()
            self._process.wait(10)

    def _end_group(self) -> None:
        if self._process is not None:
            self.kill_all()

    def _signal_group(self, number: signal.Signals) -> None:
        with self._lock, contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, number)


class Redis(Process):
    """The stack's Redis, which is empty after a restart."""

    def __init__(self, env: Mapping[str, str], folder: Path) -> None:
        executable = embedded_redis.redis_program()
        assert executable, "A stack needs an installed Redis."
        self.port = embedded_redis.free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        super().__init__("redis", embedded_redis.redis_server(executable, self.port), env, folder)


class Stack:
    """PostgreSQL, Redis, web processes behind a proxy, a worker, workers for bots and sweepers.

    `web`, `bots` and `sweepers` are numbers of processes, `proxy` is our own or one of those in deploy/.
    `env` has settings besides those that production needs, and `without` names processes that are not
    started. `durable` databases wait for the disk.
    """

    def __init__(
        self,
        *,
        web: int = 2,
        bots: int = 1,
        sweepers: int = 1,
        proxy: str = "python",
        env: Mapping[str, str] | None = None,
        without: tuple[str, ...] = (),
        durable: bool = True,
    ) -> None:
        self._web, self._bots, self._sweepers = web, bots, sweepers
        self._proxy = proxy
        self._without = without
        self._durable = durable
        # The proxies of deploy/ speak http here, and say so.
        self._own = {**({} if proxy == "python" else {"SSL_REDIRECT": "0"}), **(env or {})}
        self._over = threading.Event()
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as stack:
            self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="acquire-stack-")))
            initdb = available_services.find("postgres").path
            assert initdb, "A stack needs an installed PostgreSQL."
            self.postgres = stack.enter_context(Postgres(initdb, durable=self._durable))
            self.port = embedded_redis.free_port()
            self.url = f"http://localhost:{self.port}"
            self.env = self._environment()
            self.redis = Redis(self.env, self.folder)
            self.env["REDIS_URL"] = self.redis.url
            self.processes = self._processes()
            stack.callback(self._stop)
            self._prepare()
            for process in self.processes.values():
                process.start()
            self._watcher = threading.Thread(target=self._watch, daemon=True, name="watcher")
            self._watcher.start()
            self.wait()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def kill(self, name: str) -> None:
        """Kill the process of this name, which is then restarted."""
        self.processes[name].kill()

    def log(self, name: str) -> str:
        """Everything that the process of this name has printed, also for `postgres`."""
        return self.postgres.log if name == "postgres" else self.processes[name].log

    def manage(self, *arguments: str, text: str = "") -> str:
        """Run a management command with this input and return its output."""
        done = subprocess.run(
            [sys.executable, str(MANAGE), *arguments],
            cwd=ROOT,
            env=self.env,
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def wait(self, seconds: float = START_SECONDS) -> None:
        """Wait until the proxy and every web process take connections."""
        for port in [self.port, *self.web_ports]:
            embedded_redis.wait_until_it_answers(port, seconds)

    @property
    def web_names(self) -> list[str]:
        """Names of the web processes."""
        return [name for name in self.processes if name.startswith("web-")]

    def pids_by_part(self) -> dict[str, list[int]]:
        """The processes that run now, by the part of the site that they are of."""
        parts: dict[str, list[int]] = {"postgres": self.postgres.pids}
        for name, process in self.processes.items():
            parts.setdefault(name.partition("-")[0], []).extend(process.pids)
        return parts

    def _environment(self) -> dict[str, str]:
        """Variables that production needs, with the stack's folders for files."""
        return {
            **available_services.environment(),
            "DEBUG": "0",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "ALLOWED_HOSTS": "localhost 127.0.0.1",
            "CSRF_TRUSTED_ORIGINS": f"{self.url} http://127.0.0.1:{self.port}",
            "DATABASE_URL": self.postgres.url,
            "SITE_URL": self.url,
            "TRUSTED_PROXIES": "1",
            "DATA_DIR": str(self.folder),
            "STATIC_ROOT": str(self.folder / "static"),
            "DJANGO_SETTINGS_MODULE": "acquire_site.settings",
            **self._own,
        }

    def _processes(self) -> dict[str, Process]:
        self.web_ports = [embedded_redis.free_port() for _ in range(self._web)]
        servers = [programs(port, self.redis.url)[0] for port in self.web_ports]
        _, worker, bots, sweeper = programs(self.port, self.redis.url)
        named = {f"web-{number}": program for number, program in enumerate(servers, start=1)}
        named |= {"worker": worker, **_several("bots", bots, self._bots)}
        named |= {**_several("sweeper", sweeper, self._sweepers), "proxy": self._proxy_program()}
        processes: dict[str, Process] = {"redis": self.redis}
        for name, program in named.items():
            if name not in self._without:
                processes[name] = Process(name, program, self.env, self.folder)
        return processes

    def _proxy_program(self) -> Program:
        ports = [str(port) for port in self.web_ports]
        if self._proxy == "python":
            command = [sys.executable, "-m", "tests.safety.reverse_proxy", str(self.port), *ports]
        else:
            command = site_proxies.command(self._proxy, self.port, ports, self.folder)
        return Program("The proxy", command)

    def _prepare(self) -> None:
        """Migrate the database and collect static files, as an upgrade does."""
        for command in ("migrate", "createcachetable", "collectstatic --noinput"):
            self.manage(*command.split(), "--verbosity=0")

    def _watch(self) -> None:
        while not self._over.wait(WATCH_SECONDS):
            for process in self.processes.values():
                process.revive()

    def _stop(self) -> None:
        """Stop everything; processes that others need come last."""
        self._over.set()
        for process in self.processes.values():
            process.wanted = False
            if process is not self.redis:
                process.kill(signal.SIGTERM)
                process.thaw()
        for process in reversed(self.processes.values()):
            process.stop()


def _several(name: str, program: Program, number: int) -> dict[str, Program]:
    """The program so many times, as on several machines: workers of one machine need names of their own."""
    named = {name: program}
    for other in range(2, number + 1):
        command = [part.replace(f"{name}@", f"{name}-{other}@") for part in program.command]
        named[f"{name}-{other}"] = replace(program, command=command)
    return named
