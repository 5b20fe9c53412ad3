"""Short messages for endpoints: browsers, chat programs, and programs that read JSON."""

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

log = logging.getLogger(__name__)

# There is no endpoint here any more, and there will be none.
_GONE = (404, 410)

# Not now, and nothing is wrong.
_LATER = (429, 503)

# Topics that are no games; the addresses of games are longer.
_TRIAL, _REPORTS = "trial", "reports"

_JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Message:
    """What an endpoint is told. `topic` is the same for all that concerns one game."""

    kind: str
    title: str
    text: str
    url: str
    topic: str


def deliver_messages(seconds: float) -> int:
    """Send what is due, beginning nothing new after so many seconds; how many messages were taken."""
    ends, sent = time.monotonic() + seconds, 0
    while time.monotonic() < ends and (claim := claim_message()):
        sent += _deliver(claim)
    return sent


def send_trial(endpoint: Endpoint) -> str:
    """Send an endpoint a message to see whether it arrives; why it was not taken, "" when it was."""
    title = _("News from Acquire reaches you")
    message = Message("trial", title, _("You asked for this message."), absolute(reverse("settings")), _TRIAL)
    problem = _post(endpoint, message)[1]
    outcome = DeliveryAttempt.Outcome.FAILED if problem else DeliveryAttempt.Outcome.HANDED_OVER
    settle.note_trial(endpoint.user, title, outcome, problem, endpoint=endpoint)
    return problem


def _deliver(claim: Claim) -> bool:
    """Send one message and settle its claim; whether it was taken."""
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
        log.exception("A message for endpoint %s could not be written", claim.endpoint.pk)
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
    """Post the message; the status of the answer, 0 for none, and why it was not taken ("" when it was)."""
    try:
        body, headers = _PACKED[Endpoint.Kind(endpoint.kind)](endpoint, message)
        status = public_http.post(endpoint.url, body, headers)
    except (ForbiddenAddress, OSError, ValueError) as error:
        return 0, str(error) or type(error).__name__
    if 200 <= status < 300:
        return status, ""
    return status, _("The other side answered {status}.").format(status=status)


def _json(value: Any) -> tuple[bytes, dict[str, str]]:
    return json.dumps(value).encode(), _JSON


def _for_discord(endpoint: Endpoint, message: Message) -> tuple[bytes, dict[str, str]]:
    # Names cannot call anybody, and a link does not unfold into a picture of the site.
    text = f"**{_plain(message.title)}**\n{_plain(message.text)}\n<{message.url}>"
    return _json({"content": text, "allowed_mentions": {"parse": []}})


def _plain(text: str) -> str:
    """Text without what Discord takes for markup."""
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
