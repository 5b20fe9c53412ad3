"""The proxies of deploy/ on this machine, without TLS."""

import getpass
import re
from pathlib import Path

from acquire_site.processes import MANAGE
from tests.tools import available_services

ROOT = MANAGE.parent
PROXIES = ("caddy", "nginx")

# The host of nginx's server that redirects to HTTPS.
WITHOUT_TLS = "without-tls.localhost"

_TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def command(proxy: str, port: int, ports: list[str], folder: Path) -> list[str]:
    """The command of a proxy on this port, for two web processes or more; its files are in the folder."""
    path, config = str(available_services.find(proxy).path), folder / f"{proxy}.conf"
    if proxy == "caddy":
        config.write_text(_caddy_config(port, ports))
        homes = [f"XDG_CONFIG_HOME={folder}", f"XDG_DATA_HOME={folder}"]
        return ["env", *homes, path, "run", "--adapter", "caddyfile", "--config", str(config)]
    config.write_text(_nginx_config(port, ports, folder))
    return [path, "-c", str(config), "-p", str(folder), "-g", "daemon off;"]


def _caddy_config(port: int, ports: list[str]) -> str:
    """deploy/Caddyfile for a site on this machine."""
    text = _here((ROOT / "deploy" / "Caddyfile").read_text(), ports)
    text = text.replace("\nacquire.example {", f"\nhttp://localhost:{port} {{")
    return f"{{\n\tadmin off\n\tauto_https off\n}}\n{text}"


def _nginx_config(port: int, ports: list[str], folder: Path) -> str:
    """deploy/nginx.conf for a site on this machine, in the frame of Debian's nginx.conf."""
    text = _here((ROOT / "deploy" / "nginx.conf").read_text(), ports)
    text = re.sub(r"    (ssl_certificate|listen \[::\]).*\n", "", text)
    text = text.replace("listen 80;", f"listen 127.0.0.1:{port};")
    text = text.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port} default_server;")
    text = text.replace("server_name acquire.example;", f"server_name {WITHOUT_TLS};", 1)
    text = text.replace("server_name acquire.example;", "server_name localhost;")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in _TEMPORARY)
    # As the user of the tests, who alone may enter their folders.
    head = f"user {getpass.getuser()};\npid {folder}/nginx.pid;\nerror_log stderr;\nevents {{}}\n"
    frame = f"include /etc/nginx/mime.types;\ngzip on;\naccess_log {folder}/access.log;\n{paths}"
    return f"{head}http {{\n{frame}{text}}}\n"


def _here(text: str, ports: list[str]) -> str:
    """A configuration for these ports, in which each further web process is named as the second one is."""
    first, second, *others = ports
    text = text.replace("127.0.0.1:8000", f"127.0.0.1:{first}")
    named = re.search(r"(\n\s*server)? 127\.0\.0\.1:8001( max_fails=0;)?", text)
    assert named
    all_named = "".join(named[0].replace("8001", port) for port in [second, *others])
    return text.replace(named[0], all_named).replace("/srv/acquire", str(ROOT))
