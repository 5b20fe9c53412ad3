"""A site as `manage.py serve` runs it, behind a real proxy with the settings of deploy/."""

import re
import shutil
import signal
import sys
import time

from acquire_site import embedded_redis
from acquire_site.processes import MANAGE
from acquire_site.supervisor import Program
from tests.safety.site_stack import ROOT, Process, Stack

PROXIES = ("caddy", "nginx", "python")
ROLL_SECONDS = 120.0


def is_installed(proxy: str) -> bool:
    return proxy == "python" or shutil.which(proxy, path=_PATH) is not None


class ServedSite(Stack):
    """PostgreSQL, Redis, one `manage.py serve` and a proxy; the other parts are children of `serve`."""

    def __init__(self, proxy: str) -> None:
        # The proxies speak http here, and say so.
        super().__init__(env={"SSL_REDIRECT": "0"}, durable=False)
        self.proxy = proxy

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
            "proxy": Program("The proxy", self._proxy_command(ports)),
        }
        return {"redis": self.redis} | {
            name: Process(name, program, self.env, self.folder) for name, program in programs.items()
        }

    def _proxy_command(self, ports: list[str]) -> list[str]:
        config = self.folder / f"{self.proxy}.conf"
        path = shutil.which(self.proxy, path=_PATH) or self.proxy
        match self.proxy:
            case "caddy":
                self.env["XDG_DATA_HOME"] = self.env["XDG_CONFIG_HOME"] = str(self.folder)
                config.write_text(caddy_config(self.port, ports))
                return [path, "run", "--adapter", "caddyfile", "--config", str(config)]
            case "nginx":
                config.write_text(nginx_config(self.port, ports, str(self.folder)))
                return [path, "-c", str(config), "-p", str(self.folder), "-g", "daemon off;"]
            case _:
                return [sys.executable, "-m", "tests.safety.reverse_proxy", str(self.port), *ports]


NEW = "All processes are new."
_PATH = "/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin:/bin"


def caddy_config(port: int, ports: list[str]) -> str:
    """deploy/Caddyfile for a site on this machine, without TLS."""
    text = _here((ROOT / "deploy" / "Caddyfile").read_text(), ports)
    text = text.replace("\nacquire.example {", f"\nhttp://localhost:{port} {{")
    return f"{{\n\tadmin off\n\tauto_https off\n}}\n{text}"


def nginx_config(port: int, ports: list[str], folder: str) -> str:
    """deploy/nginx.conf for a site on this machine, without TLS."""
    text = _here((ROOT / "deploy" / "nginx.conf").read_text(), ports)
    text = re.sub(r"server \{\n    listen 80;.*?\n\}\n", "", text, flags=re.S)
    text = re.sub(r"    (ssl_certificate|listen \[::\]).*\n", "", text)
    text = text.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
    text = text.replace("server_name acquire.example;", "server_name localhost;")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    head = f"pid {folder}/nginx.pid;\nerror_log stderr;\nevents {{}}\n"
    return f"{head}http {{\naccess_log off;\n{paths}{text}}}\n"


def _here(text: str, ports: list[str]) -> str:
    for example, port in zip(("8000", "8001"), ports, strict=True):
        text = text.replace(f"127.0.0.1:{example}", f"127.0.0.1:{port}")
    return text.replace("/srv/acquire", str(ROOT))
