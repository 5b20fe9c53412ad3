"""Everything that leaves the site besides the answers to requests, caught on its way out.

Log records of every level, tasks as the broker would get them, ticks to the channel layer, mails, and what
is posted to webhooks and browsers.
"""

import logging
import traceback
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

from celery import signals
from channels.layers import get_channel_layer
from django.core import mail
from django.test import override_settings

from games.web.notifications import public_http, web_push

# Libraries that log at random times, whatever is asked.
UNSTEADY = "log of libraries"
_UNSTEADY = ("asyncio", "kombu")


@dataclass
class Wire:
    """Everything that went out, in order: `records` of the log, `tasks`, `ticks`, `letters` and `posts`."""

    records: list[tuple[str, str]] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)
    ticks: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    posts: list[str] = field(default_factory=list)

    @property
    def letters(self) -> list[str]:
        return [_written(letter) for letter in getattr(mail, "outbox", [])]

    def sent(self) -> dict[str, str]:
        """Return all of it by kind, without random marks."""
        ticks = [(group, {**tick, "mark": ""}) for group, tick in self.ticks]
        return {
            "log": "\n".join(text for name, text in self.records if name not in _UNSTEADY),
            UNSTEADY: "\n".join(text for name, text in self.records if name in _UNSTEADY),
            "tasks": "\n".join(self.tasks),
            "ticks": "\n".join(map(repr, ticks)),
            "letters": "\n".join(self.letters),
            "posts": "\n".join(self.posts),
        }

    def clear(self) -> None:
        for caught in (self.records, self.tasks, self.ticks, self.posts):
            caught.clear()
        mail.outbox = []


class _Records(logging.Handler):
    def __init__(self, records: list[tuple[str, str]]) -> None:
        super().__init__(logging.DEBUG)
        self.records = records

    def emit(self, record: logging.LogRecord) -> None:
        # Another handler may print more than the line: the arguments and the text of the error.
        said = [record.name, record.getMessage(), repr(record.args)]
        if record.exc_info and record.exc_info[0]:
            said += traceback.format_exception(*record.exc_info)
        self.records.append((record.name.partition(".")[0], "\n".join(said)))


@contextmanager
def tapped() -> Iterator[Wire]:
    """Catch everything that goes out; a broker exists, and nothing reaches the network."""
    wire = Wire()
    handler = _Records(wire.records)

    def publish(sender: str, body: Any, headers: dict[str, Any], routing_key: str, **_: Any) -> None:
        # Message id and sending process.
        known = {name: value for name, value in headers.items() if name not in ("id", "root_id", "origin")}
        wire.tasks.append(f"{sender} {routing_key} {body!r} {known!r}")

    async def group_send(group: str, message: dict[str, Any]) -> None:
        wire.ticks.append((group, message))

    def post(url: str, body: bytes, headers: Any) -> int:
        wire.posts.append(f"{url} {body!r}")
        return 200

    def encrypt(message: bytes, *_: Any) -> bytes:
        # Otherwise only the browser could read it.
        return message

    root = logging.getLogger()
    with ExitStack() as stack:
        stack.enter_context(override_settings(REDIS_URL="redis://nowhere"))
        stack.enter_context(mock.patch("games.realtime.best_effort._silent_until", 0.0))
        stack.enter_context(mock.patch.object(get_channel_layer(), "group_send", group_send))
        stack.enter_context(mock.patch.object(public_http, "post", post))
        stack.enter_context(mock.patch.object(web_push, "encrypt", encrypt))
        stack.enter_context(mock.patch.object(mail, "outbox", [], create=True))
        # Do not propagate, or a long run would fill the screen.
        stack.enter_context(mock.patch.object(root, "handlers", [handler]))
        level = root.level
        root.setLevel(logging.DEBUG)
        signals.before_task_publish.connect(publish, weak=False)
        try:
            yield wire
        finally:
            signals.before_task_publish.disconnect(publish)
            root.setLevel(level)


def _written(letter: Any) -> str:
    parts = [f"{name}: {value}" for name, value in letter.extra_headers.items()]
    parts += [letter.subject, *letter.to, letter.body]
    return "\n".join([*parts, *(str(content) for content, _kind in getattr(letter, "alternatives", []))])
