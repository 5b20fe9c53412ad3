"""A site as `manage.py serve` runs it, behind a real proxy with the settings of deploy/."""

import signal
import sys
import time

from acquire_site import embedded_redis
from acquire_site.processes import MANAGE
from acquire_site.supervisor import Program
from tests.safety.site_stack import Process, Stack
from tests.support import site_proxies
from tests.tools import available_services

PROXIES = (*site_proxies.PROXIES, "python")
NEW = "All processes are new."
ROLL_SECONDS = 120.0


def is_installed(proxy: str) -> bool:
    return proxy == "python" or available_services.find(proxy).path is not None


class ServedSite(Stack):
    """PostgreSQL, Redis, one `manage.py serve` and a proxy; the other parts are children of `serve`."""

    def __init__(self, proxy: str) -> None:
        super().__init__(proxy=proxy, env={"SSL_REDIRECT": "0"}, durable=False)

    def roll(self) -> float:
        """Do what an upgrade does to a running site; return how many seconds replacing all processes took."""
        self._prepare()
        serve = self.processes["serve"]
        before, started = serve.log.count(NEW), time.monotonic()
        serve.kill(signal.SIGUSR1)
        while serve.log.count(NEW) == before:
            if time.monotonic() - started > ROLL_SECONDS:
                raise TimeoutError(serve.log)
            time.sleep(0.05)
        return time.monotonic() - started

    def wait(self, seconds: float = 90.0) -> None:
        super().wait(seconds)
        deadline = time.monotonic() + seconds
        while "Acquire is open" not in self.log("serve"):
            assert time.monotonic() < deadline, self.log("serve")
            time.sleep(0.05)

    def _processes(self) -> dict[str, Process]:
        self.web_ports = [embedded_redis.free_port() for _ in range(self._web)]
        ports = [str(port) for port in self.web_ports]
        programs = {
            "serve": Program("serve", [sys.executable, str(MANAGE), "serve", "--ports", *ports]),
            "proxy": self._proxy_program(),
        }
        return {"redis": self.redis} | {
            name: Process(name, program, self.env, self.folder) for name, program in programs.items()
        }
