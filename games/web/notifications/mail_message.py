"""Notification mails: subject, text, HTML and headers."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.mail.mail_frame import render_mail
from accounts.models import User
from games.models import Notification
from games.notifications.outbox.claim import Claim
from games.web.notifications import unsubscribe
from games.web.notifications.mail_schedule import limit_sentences
from games.web.notifications.mail_sections import Section, absolute, section
from games.web.presenters.mail_colours import dark_fill_rules

# Mail programs on phones show little more.
MAX_SUBJECT_LENGTH = 60

# Mail programs cut longer mails off. The least urgent games of one lose their tables first.
MAX_BYTES = 60_000
_BLANKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029]+")


@dataclass(frozen=True)
class MailMessage:
    """A composed mail; `stop` is the URL that stops all mail, `rows` are the notifications in it."""

    address: str
    subject: str
    text: str
    html: str
    stop: str
    message_id: str = ""
    thread: str = ""
    rows: tuple[Notification, ...] = ()

    def message(self) -> EmailMultiAlternatives:
        """The mail as a Django message."""
        headers = {
            "Auto-Submitted": "auto-generated",
            "List-Unsubscribe": f"<{self.stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
        if self.message_id:
            headers["Message-ID"] = self.message_id
        if self.thread:
            headers["References"] = self.thread
        mail = EmailMultiAlternatives(self.subject, self.text, to=[self.address], headers=headers)
        mail.attach_alternative(self.html, "text/html")
        return mail


def compose_mail(claim: Claim) -> MailMessage | None:
    """Compose the mail for a claim; None when none of its rows applies any more."""
    with in_language_of(claim.user):
        sections = _sections(claim.rows, claim.user)
        if not sections:
            return None
        written = _write(sections, claim)
        alone = sections[0].game if len(sections) == 1 else None
        return replace(
            written,
            message_id=claim.message_id,
            thread=f"<game.{alone.public_id}@{urlsplit(settings.SITE_URL).hostname}>" if alone else "",
            rows=tuple(row for told in sections for row in told.rows),
        )


def compose_test_mail(user: User, address: str) -> MailMessage:
    """Compose a test mail."""
    with in_language_of(user):
        context = {"user": user, "settings_url": absolute(reverse("settings"))}
        return MailMessage(
            address=address,
            subject=_("Test email from Acquire"),
            text=render_to_string("games/notifications/test_mail.txt", context),
            html=render_mail("games/notifications/test_mail.html", context),
            stop=unsubscribe.link(unsubscribe.ALL, user=user),
        )


@contextmanager
def in_language_of(user: User | None) -> Iterator[None]:
    """Switch to the site's language and the user's time zone."""
    zone = user.tzinfo if user else settings.TIME_ZONE
    with translation.override(settings.LANGUAGE_CODE), timezone.override(zone):
        yield


def _sections(rows: Sequence[Notification], user: User | None) -> list[Section]:
    """A section for each game: what has a deadline first, then other decisions, then the rest by age."""
    games: dict[int | None, list[Notification]] = {}
    for row in rows:
        games.setdefault(row.game_id, []).append(row)
    found = [told for told in (section(rows, user) for rows in games.values()) if told]
    return sorted(
        found,
        key=lambda told: (
            told.deadline is None,
            told.deadline.timestamp() if told.deadline else 0,
            not told.asked,
            told.rows[0].made,
        ),
    )


def _write(sections: list[Section], claim: Claim) -> MailMessage:
    user, kind = claim.user, sections[0].rows[0].kind
    stop = unsubscribe.link(unsubscribe.ALL, user=user, address=claim.address)
    subject = _subject(sections)
    context = {
        "user": user,
        "subject": subject,
        "dark_fill_rules": dark_fill_rules(),
        "digest": claim.is_digest,
        "limit": _limit(claim),
        "stop": stop,
        "stop_kind": unsubscribe.link(unsubscribe.KIND, user=user, of=kind) if user else "",
        "settings_url": absolute(reverse("settings")) if user else "",
        "zone": timezone.get_current_timezone_name(),
    }
    context, html = _small_enough(sections, context)
    return MailMessage(
        address=claim.address,
        subject=subject,
        text=render_to_string("games/notifications/mail.txt", context).strip() + "\n",
        html=html,
        stop=stop,
    )


def _small_enough(sections: list[Section], context: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Add the sections to the context, with as many tables as fit, and return it with the HTML."""
    for tables in range(len(sections), -1, -1):
        shown = [*sections[:tables], *(told.without_table() for told in sections[tables:])]
        full = {**context, "sections": [(told, _stop_game(told, context["user"])) for told in shown]}
        html = render_mail("games/notifications/mail.html", full)
        if len(html.encode()) < MAX_BYTES:
            break
    return full, html


def _limit(claim: Claim) -> str:
    """The sentences on the limit of a day, in the mail that tells of it."""
    if claim.user is None or not claim.reaches_limit:
        return ""
    return limit_sentences(claim.user, timezone.now(), claim.message_id)


def _stop_game(told: Section, user: User | None) -> str:
    if user is None or told.game is None:
        return ""
    return unsubscribe.link(unsubscribe.GAME, user=user, of=told.game.public_id)


def _subject(sections: list[Section]) -> str:
    """The subject line on the most urgent section, without line breaks and of limited length."""
    lines = [_BLANKS.sub(" ", _worded(sections, name)).strip() for name in sections[0].titles_in_brackets]
    line = next((line for line in lines if len(line) <= MAX_SUBJECT_LENGTH), lines[-1])
    return line if len(line) <= MAX_SUBJECT_LENGTH else f"{line[: MAX_SUBJECT_LENGTH - 1]}…"


def _worded(sections: list[Section], name: str) -> str:
    """The subject line, if this is the name of the game that the first section is about, "" for none."""
    first, asked, more = sections[0], sum(bool(told.asked) for told in sections), len(sections) - 1
    if not more and (first.game is None or not name):
        return first.subject
    if not name:
        return ngettext("{what} and {n} more update", "{what} and {n} more updates", more).format(
            what=first.subject, n=more
        )
    if not more:
        return _("{what} ({game})").format(what=first.subject, game=name)
    if asked > 1 and first.is_plain_turn:
        return ngettext(
            "Your turn in {n} game (first: {game})", "Your turn in {n} games (first: {game})", asked
        ).format(n=asked, game=name)
    return ngettext(
        "{what} ({game}) and {n} more update", "{what} ({game}) and {n} more updates", more
    ).format(what=first.subject, game=name, n=more)
