"""Notification mails: subject, text, HTML and headers."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.models import Notification
from games.notifications.outbox.claim import Claim
from games.web.notifications import unsubscribe
from games.web.notifications.mail_sections import Section, absolute, section

MAX_SUBJECT_LENGTH = 180
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
            subject=_("Mail from Acquire reaches you"),
            text=render_to_string("games/notifications/test_mail.txt", context),
            html=render_to_string("games/notifications/test_mail.html", context),
            stop=unsubscribe.link(unsubscribe.ALL, user=user),
        )


@contextmanager
def in_language_of(user: User | None) -> Iterator[None]:
    """Switch to the site's language and the user's time zone."""
    zone = user.tzinfo if user else settings.TIME_ZONE
    with translation.override(settings.LANGUAGE_CODE), timezone.override(zone):
        yield


def _sections(rows: Sequence[Notification], user: User | None) -> list[Section]:
    """A section for each game: decisions first, by deadline, then the rest, oldest first."""
    games: dict[int | None, list[Notification]] = {}
    for row in rows:
        games.setdefault(row.game_id, []).append(row)
    found = [told for told in (section(rows, user) for rows in games.values()) if told]
    return sorted(
        found,
        key=lambda told: (
            not told.asked,
            told.deadline is None,
            told.deadline.timestamp() if told.deadline else 0,
            told.rows[0].made,
        ),
    )


def _write(sections: list[Section], claim: Claim) -> MailMessage:
    user, kind = claim.user, sections[0].rows[0].kind
    stop = unsubscribe.link(unsubscribe.ALL, user=user, address=claim.address)
    context = {
        "user": user,
        "sections": [(told, _stop_game(told, user)) for told in sections],
        "digest": claim.is_digest,
        "stop": stop,
        "stop_kind": unsubscribe.link(unsubscribe.KIND, user=user, of=kind) if user else "",
        "settings_url": absolute(reverse("settings")) if user else "",
        "zone": timezone.get_current_timezone_name(),
    }
    return MailMessage(
        address=claim.address,
        subject=_subject(sections),
        text=render_to_string("games/notifications/mail.txt", context).strip() + "\n",
        html=render_to_string("games/notifications/mail.html", context),
        stop=stop,
    )


def _stop_game(told: Section, user: User | None) -> str:
    if user is None or told.game is None:
        return ""
    return unsubscribe.link(unsubscribe.GAME, user=user, of=told.game.public_id)


def _subject(sections: list[Section]) -> str:
    """The subject line, without line breaks and of limited length."""
    asked = [told for told in sections if told.asked]
    if len(sections) == 1:
        line = _("{what} ({game})").format(what=sections[0].subject, game=sections[0].title)
    elif len(asked) == 1:
        line = _("{what} ({game}), and other news").format(what=asked[0].subject, game=asked[0].title)
    elif asked:
        line = ngettext(
            "Your turn in {n} game: {games}", "Your turn in {n} games: {games}", len(asked)
        ).format(n=len(asked), games=", ".join(told.title for told in asked))
    else:
        line = ngettext("News of {n} game: {games}", "News of {n} games: {games}", len(sections)).format(
            n=len(sections), games=", ".join(told.title for told in sections)
        )
    line = _BLANKS.sub(" ", line).strip()
    return line if len(line) <= MAX_SUBJECT_LENGTH else f"{line[: MAX_SUBJECT_LENGTH - 1]}…"
