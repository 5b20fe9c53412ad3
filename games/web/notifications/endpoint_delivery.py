"""Delivery of short messages to endpoints: browsers, chat programs and webhooks."""

import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import DeliveryAttempt, Endpoint
from games.notifications.outbox import settle
from games.notifications.outbox.claim import Claim, claim_message
from games.web.notifications import public_http, web_push
from games.web.notifications.mail_message import in_language_of
from games.web.notifications.mail_sections import Section, absolute, section
from games.web.notifications.public_http import ForbiddenAddress

logger = logging.getLogger(__name__)

# The endpoint no longer exists.
_GONE = (404, 410)

# The endpoint asks for a later attempt.
_LATER = (429, 503)

# Topics that are no games; public ids of games are longer.
_TRIAL, _REPORTS = "trial", "reports"

_JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Message:
    """A message to an endpoint. `topic` is the same for all messages about one game."""

    kind: str
    title: str
    text: str
    url: str
    topic: str


def deliver_messages(seconds: float) -> int:
    """Send due messages, starting none after this many seconds; return how many were accepted."""
    ends, sent = time.monotonic() + seconds, 0
    while time.monotonic() < ends and (claim := claim_message()):
        sent += _deliver(claim)
    return sent


def send_trial(endpoint: Endpoint) -> str:
    """Send an endpoint a test message; return why it was not accepted, or ""."""
    title = _("Test notification from Acquire")
    message = Message(
        "trial", title, _("You asked for this test message."), absolute(reverse("settings")), _TRIAL
    )
    problem = _post(endpoint, message)[1]
    outcome = DeliveryAttempt.Outcome.FAILED if problem else DeliveryAttempt.Outcome.HANDED_OVER
    settle.note_trial(endpoint.user, title, outcome, problem, endpoint=endpoint)
    return problem


def _deliver(claim: Claim) -> bool:
    """Send one message and settle its claim; return whether it was accepted."""
    assert claim.endpoint is not None
    title = ""
    try:
        with in_language_of(claim.user):
            told = section(claim.rows, claim.user)
            if told is None:
                settle.mark_dropped(claim, "over")
                return False
            message = _message(told)
        title = message.title
        status, problem = _post(claim.endpoint, message)
    except Exception as error:
        logger.exception("Could not send a message to endpoint %s", claim.endpoint.pk)
        status, problem = 0, f"{type(error).__name__}: {error}"
    if not problem:
        settle.mark_sent(claim, title)
    elif status in _GONE:
        settle.mark_refused(claim, title, problem)
    else:
        settle.mark_failed(claim, title, problem, later=status in _LATER)
    return not problem


def _message(told: Section) -> Message:
    return Message(
        kind=told.rows[0].kind,
        title=told.subject,
        text=told.title if told.asked else " ".join((f"{told.title}:", *told.sentences)),
        url=told.url,
        topic=told.game.public_id if told.game else _REPORTS,
    )


def _post(endpoint: Endpoint, message: Message) -> tuple[int, str]:
    """Post the message; return the status, 0 for no answer, and why it was not accepted, or ""."""
    try:
        body, headers = _PACKED[Endpoint.Kind(endpoint.kind)](endpoint, message)
        status = public_http.post(endpoint.url, body, headers)
    except (ForbiddenAddress, OSError, ValueError) as error:
        return 0, str(error) or type(error).__name__
    if 200 <= status < 300:
        return status, ""
    return status, _("The server answered with status {status}.").format(status=status)


def _json(value: Any) -> tuple[bytes, dict[str, str]]:
    return json.dumps(value).encode(), _JSON


def _for_discord(endpoint: Endpoint, message: Message) -> tuple[bytes, dict[str, str]]:
    # Names must not ping members of the channel; angle brackets keep the link from being expanded.
    text = f"**{_plain(message.title)}**\n{_plain(message.text)}\n<{message.url}>"
    return _json({"content": text, "allowed_mentions": {"parse": []}})


def _plain(text: str) -> str:
    """Escape what Discord takes for markup."""
    return "".join(f"\\{letter}" if letter in r"\*_~`|>#[]()<@:" else letter for letter in text)


def _for_slack(endpoint: Endpoint, message: Message) -> tuple[bytes, dict[str, str]]:
    def plain(text: str) -> str:
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    return _json({"text": f"{plain(message.title)}\n{plain(message.text)}\n<{message.url}>"})


def _as_json(endpoint: Endpoint, message: Message) -> tuple[bytes, dict[str, str]]:
    game = "" if message.topic in (_TRIAL, _REPORTS) else message.topic
    return _json(
        {
            "kind": message.kind,
            "game": game,
            "title": message.title,
            "text": message.text,
            "url": message.url,
        }
    )


def _for_browser(endpoint: Endpoint, message: Message) -> tuple[bytes, dict[str, str]]:
    if not web_push.is_on():
        raise ValueError("The site has no key for web push any more.")
    shown = {"title": message.title, "text": message.text, "url": message.url, "tag": message.topic}
    encrypted = web_push.encrypt(json.dumps(shown).encode(), endpoint.public, endpoint.auth)
    return encrypted, web_push.headers(endpoint.url, message.topic)


_PACKED: Final[dict[Endpoint.Kind, Callable[[Endpoint, Message], tuple[bytes, dict[str, str]]]]] = {
    Endpoint.Kind.PUSH: _for_browser,
    Endpoint.Kind.DISCORD: _for_discord,
    Endpoint.Kind.SLACK: _for_slack,
    Endpoint.Kind.JSON: _as_json,
}
