"""The proxies of deploy/, each alone: what they pass on, refuse, and show when no web process answers."""

import contextlib
import gzip
import http.client
import json
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from acquire_site import embedded_redis
from acquire_site.log_format import SECRET_ADDRESSES
from games.archive.import_errors import MAX_BYTES
from tests.support import site_proxies
from tests.support.played_site import missing
from tests.tools import available_services

Answer = tuple[int, dict[str, str], str]

SECRET = "MjQ:1vNq0p:secret-of-an-address"


class WebProcess(BaseHTTPRequestHandler):
    """Answers with the headers that it got."""

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = json.dumps({name.lower(): text for name, text in self.headers.items()}).encode()
        self.send_response(200)
        self.send_header("Content-Type", self.headers.get("X-Kind", "application/json"))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *_: object) -> None:
        pass


class Proxy:
    """A running proxy."""

    def __init__(self, port: int, folder: Path) -> None:
        self.port = port
        self.folder = folder

    def logged(self) -> str:
        """All that the proxy has written into the files of its folder."""
        files = [self.folder / "log", *self.folder.glob("*.log")]
        return "".join(file.read_text() for file in files if file.exists())

    def ask(self, path: str = "/", method: str = "GET", body: bytes = b"", **headers: str) -> Answer:
        connection = http.client.HTTPConnection("localhost", self.port, timeout=30)
        try:
            named = {name.replace("_", "-"): text for name, text in headers.items()}
            connection.request(method, path, body, named)
            answer = connection.getresponse()
            received = {name.lower(): text for name, text in answer.getheaders()}
            body = answer.read()
            if received.get("content-encoding") == "gzip":
                body = gzip.decompress(body)
            return answer.status, received, body.decode()
        finally:
            connection.close()


@pytest.fixture(scope="module", params=site_proxies.PROXIES)
def lonely(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """A proxy without any web process."""
    with run(request.param, tmp_path_factory.mktemp("proxy"), embedded_redis.free_port()) as proxy:
        yield proxy


@pytest.fixture(scope="module", params=site_proxies.PROXIES)
def proxy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """A proxy with one of two web processes."""
    with ThreadingHTTPServer(("127.0.0.1", 0), WebProcess) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with run(request.param, tmp_path_factory.mktemp("proxy"), server.server_port) as proxy:
            yield proxy
        server.shutdown()


@contextlib.contextmanager
def run(name: str, folder: Path, web_port: int) -> Iterator[Proxy]:
    if not available_services.find(name).path:
        missing(name)
    port, away = embedded_redis.free_port(), embedded_redis.free_port()
    command = site_proxies.command(name, port, [str(web_port), str(away)], folder)
    with (folder / "log").open("w") as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
        try:
            embedded_redis.wait_until_it_answers(port)
            yield Proxy(port, folder)
        finally:
            process.terminate()


def test_secret_addresses_are_not_logged_when_no_web_process_answers(lonely: Proxy) -> None:
    """Neither with the failure nor as the referrer of another request."""
    lonely.ask(f"/join/{SECRET}/")
    lonely.ask("/games/open/", Referer=f"https://localhost/join/{SECRET}/")
    assert_no_secret(lonely.logged())


def test_secret_addresses_are_not_logged(proxy: Proxy) -> None:
    for prefix in SECRET_ADDRESSES:
        proxy.ask(f"{prefix}{SECRET}/")
        proxy.ask(f"{prefix}{SECRET}/", Host=site_proxies.WITHOUT_TLS)
    proxy.ask("/login/", "POST", b"x" * 256_000, Referer=f"https://localhost/join/{SECRET}/")
    assert_no_secret(proxy.logged())


def assert_no_secret(logged: str) -> None:
    assert [line for line in logged.splitlines() if SECRET in line] == []


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_page_says_that_the_site_is_away_when_no_web_process_answers(lonely: Proxy, method: str) -> None:
    status, headers, text = lonely.ask("/games/open/", method, b"theme=dark" if method == "POST" else b"")
    assert status == 503
    assert headers["retry-after"] == "10"
    assert headers["cache-control"] == "no-store"
    assert headers["content-type"] == "text/html; charset=utf-8"
    assert "Back in a moment" in text


def test_part_of_a_page_is_one_sentence_when_no_web_process_answers(lonely: Proxy) -> None:
    """The script of the site shows a text below the button, and no page."""
    status, headers, text = lonely.ask("/games/1/move/", "POST", b"move=1A", HX_Request="true")
    assert status == 503
    assert headers["content-type"] == "text/plain; charset=utf-8"
    assert text.startswith("Acquire is being updated or restarted.") and text.count("\n") == 1


def test_web_process_that_is_away_is_passed_over(proxy: Proxy) -> None:
    assert [proxy.ask()[0] for _ in range(4)] == [200] * 4


def test_form_is_not_sent_to_a_web_process_that_is_away(proxy: Proxy) -> None:
    """Caddy may first have to find out, and refuses until then, so that nothing is done twice."""
    deadline = time.monotonic() + 30
    while [proxy.ask("/", "POST", b"theme=dark")[0] for _ in range(6)] != [200] * 6:
        assert time.monotonic() < deadline


def test_client_cannot_choose_its_address(proxy: Proxy) -> None:
    """One proxy, so one entry: TRUSTED_PROXIES=1."""
    _, _, text = proxy.ask(X_Forwarded_For="192.0.2.7", X_Forwarded_Proto="https")
    received = json.loads(text)
    assert received["x-forwarded-for"] in {"127.0.0.1", "::1"}
    assert received["x-forwarded-proto"] == "http"
    assert received["host"] == f"localhost:{proxy.port}"


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_probes_are_not_passed_on(proxy: Proxy, path: str) -> None:
    assert proxy.ask(path)[0] == 404


def test_only_a_game_to_import_may_be_large(proxy: Proxy) -> None:
    statuses = [proxy.ask("/games/import/", "POST", b"x" * size)[0] for size in (MAX_BYTES, 2 * MAX_BYTES)]
    assert statuses == [200, 413]
    assert [proxy.ask("/login/", "POST", b"x" * size)[0] for size in (64_000, 256_000)] == [200, 413]


HTML: dict[str, Any] = {"X_Kind": "text/html; charset=utf-8", "X_Long": "x" * 2000, "Accept_Encoding": "gzip"}


@pytest.mark.parametrize("path", ["/", "/watch/", "/games/open/", "/games/abcdefghij/"])
def test_pages_of_games_are_compressed(proxy: Proxy, path: str) -> None:
    _, headers, text = proxy.ask(path, **HTML)
    assert headers["content-encoding"] == "gzip"
    assert "Accept-Encoding" in headers["vary"]
    assert json.loads(text)["x-long"] == HTML["X_Long"]


@pytest.mark.parametrize("path", ["/accounts/login/", "/settings/", "/admin/", "/play/", "/api/games/"])
def test_other_pages_are_not_compressed(proxy: Proxy, path: str) -> None:
    """They may hold secrets, which compressed lengths would reveal."""
    assert "content-encoding" not in proxy.ask(path, **HTML)[1]


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream", "image/png"])
def test_only_html_is_compressed(proxy: Proxy, kind: str) -> None:
    assert "content-encoding" not in proxy.ask("/games/abcdefghij/", **{**HTML, "X_Kind": kind})[1]


def test_browser_that_reads_no_compressed_pages_gets_none(proxy: Proxy) -> None:
    assert "content-encoding" not in proxy.ask("/games/open/", **{**HTML, "Accept_Encoding": "identity"})[1]


def test_containers_have_the_same_proxy() -> None:
    """The two Caddyfiles differ in where web processes and files are, and Docker looks after the former."""

    def rules(name: str) -> list[str]:
        lines = [line.strip() for line in (site_proxies.ROOT / name).read_text().splitlines()]
        places = (
            "#",
            "{$SITE_HOST}",
            "acquire.example",
            "reverse_proxy",
            "dynamic",
            "refresh",
            "health_",
            "root",
            "}",
        )
        return [line for line in lines if line and not line.startswith(places)]

    assert rules("Caddyfile") == rules("deploy/Caddyfile")
