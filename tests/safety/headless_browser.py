"""A browser without a screen: it keeps cookies, sends forms, and knows when an outcome is unknown."""

import asyncio
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape
from urllib.parse import urlencode

PATIENCE = 30.0


class Lost(Exception):
    """No whole answer came, so it is unknown whether the request was carried out."""


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]  # with names in small letters
    text: str
    seconds: float


class Visitor:
    """One person's browser at the site behind this port of this machine."""

    def __init__(self, port: int, name: str = "") -> None:
        self.name = name
        self._port = port
        self._cookies: dict[str, str] = {}
        self._token = ""

    async def get(self, path: str, **headers: str) -> Answer:
        """Ask for a page. Raises Lost."""
        return await self._ask("GET", path, "", headers)

    async def post(self, path: str, fields: Mapping[str, str], **headers: str) -> Answer:
        """Send a form. Raises Lost."""
        fields = {"csrfmiddlewaretoken": self._token, **fields}
        return await self._ask("POST", path, urlencode(fields), headers)

    def remember(self, name: str, text: str) -> None:
        """Keep a cookie that was received elsewhere."""
        self._cookies[name] = text

    async def log_in(self, password: str) -> None:
        """Log in by the form, and once more if the answer was lost or the site was busy."""
        for _ in range(20):
            try:
                await self.get("/accounts/login/")
                answer = await self.post("/accounts/login/", {"login": self.name, "password": password})
            except Lost:
                await asyncio.sleep(1)
                continue
            if answer.status == 503:
                await asyncio.sleep(1)
                continue
            # A user who is already logged in is redirected, too.
            assert answer.status == 302, f"{self.name} could not log in: {answer.status} {answer.text[:500]}"
            return
        raise AssertionError(f"{self.name} could not log in")

    async def _ask(self, method: str, path: str, body: str, more: Mapping[str, str]) -> Answer:
        headers = {
            "Host": f"localhost:{self._port}",
            "Origin": f"http://localhost:{self._port}",
            "Cookie": "; ".join(f"{name}={text}" for name, text in self._cookies.items()),
            "Content-Type": "application/x-www-form-urlencoded",
            "Content-Length": str(len(body.encode())),
            "Connection": "close",
            **{name.replace("_", "-"): text for name, text in more.items()},
        }
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {text}" for name, text in headers.items())]
        started = time.monotonic()
        try:
            raw = await asyncio.wait_for(self._exchange("\r\n".join([*lines, "", body]).encode()), PATIENCE)
        except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
            raise Lost(f"{method} {path}: {type(error).__name__}") from error
        return self._read(raw, time.monotonic() - started)

    async def _exchange(self, request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            writer.write(request)
            await writer.drain()
            return await reader.read()
        finally:
            writer.close()

    def _read(self, raw: bytes, seconds: float) -> Answer:
        head, there, body = raw.partition(b"\r\n\r\n")
        if not there:
            raise Lost("the answer broke off")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {}
        for line in lines:
            name, _, text = line.partition(": ")
            headers[name.lower()] = text
            if name.lower() == "set-cookie":
                self._keep(text)
        status = int(first.split()[1])
        if status == 502 or len(body) < int(headers.get("content-length", 0)):
            raise Lost("the web process died over it")
        text = body.decode(errors="replace")
        if token := re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', text):
            self._token = token[1]
        return Answer(status, headers, text, seconds)

    def _keep(self, cookie: str) -> None:
        name, _, text = cookie.partition(";")[0].partition("=")
        self._cookies[name] = text


@dataclass(frozen=True)
class Asked:
    """The decision on a game page: where to send the answer, and every legal answer as fields."""

    action: str
    number: int
    answers: list[dict[str, str]]


def asked(page: str) -> Asked | None:
    """Read the decision from a page; None if it asks nothing."""
    form = re.search(r'<form id="decision"(.*?)</form>', page, re.S)
    if form is None:
        return None
    action, choices, names, kind = (
        unescape(re.search(pattern, form[1])[1])
        for pattern in (
            r'action="([^"]*)"',
            r'data-choices="([^"]*)"',
            r'data-fields="([^"]*)"',
            r'name="kind" value="([^"]*)"',
        )
    )
    return Asked(action, int(action.rstrip("/").rpartition("/")[2]), _answers(form[1], choices, names, kind))


def _answers(form: str, choices: str, names: str, kind: str) -> list[dict[str, str]]:
    buttons = re.findall(r'<button[^>]*name="move"[^>]*value="([^"]*)"', form)
    if buttons:
        return [{"move": unescape(text)} for text in buttons]
    fields = names.split()
    labelled = json.loads(choices)
    keys = list(labelled)
    if "end" in fields and any(key.endswith("1") for key in keys):
        # The end of the game is declared as soon as possible.
        keys = [key for key in keys if key.endswith("1")]
    found = []
    for key in keys:
        values = dict(zip(fields, key.split(","), strict=True)) if fields else {}
        if values.get("end") in {"0", ""}:
            del values["end"]
        sure = {"sure": "1"} if "question" in labelled[key] else {}
        found.append({"kind": kind, **values, **sure})
    return found


def is_over(page: str) -> bool:
    """Return whether a game page shows the end of the game."""
    return 'class="standings' in page


def version(page: str) -> int:
    """Return the version of the game that a page shows, -1 if none."""
    found = re.search(r'data-version="(\d+)"', page)
    return int(found[1]) if found else -1
