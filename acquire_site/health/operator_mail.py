"""Mails to the operator about problems found by doctor, for machines on which cron cannot send mail.

New problems are mailed at once, the same ones once a day. A file records what was mailed, because the
database may be the problem. If no file can be written, the database records it.
"""

import hashlib
import json
import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta
from email.utils import make_msgid
from pathlib import Path
from typing import TypedDict
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import DatabaseError
from django.utils import timezone

from games.models import Heartbeat

AGAIN_AFTER_SECONDS = 24 * 3600

# Before the key of a game in the name of a problem with that game.
GAME = "game "

# Name of the heartbeat that records a mail where no file can.
_TOLD_MARK = "doctor told"


class Told(TypedDict):
    """A mail that was sent: the names of its problems, and its address."""

    names: list[str]
    address: str


def tell(address: str, names: Iterable[str], text: str) -> bool:
    """Mail the problems with these names, unless that was done lately; return whether a mail was sent.

    Raises OSError if the mail server does not take the mail.
    """
    told: Told = {"names": sorted(set(names)), "address": address}
    if _was_told(told):
        return False
    draft = _write_draft(told)
    # A disk that takes no file is just what the operator must hear of, so it keeps no mail back. But doctor
    # runs every ten minutes, and nobody reads 144 mails a day: then the database records the mail. Only if
    # that fails, too, does each run mail again, because silence would be worse.
    if draft is None and _was_told_by_database(told):
        return False
    _send(address, f"Problems on {_site()}", text)
    if draft is None:
        _record_in_database(told)
    else:
        draft.replace(_path())
    return True


def tell_the_end(address: str) -> bool:
    """Mail that all is well again, if problems were mailed before; return whether a mail was sent."""
    in_database = Heartbeat.objects.filter(name=_TOLD_MARK)
    if not _path().exists() and not in_database.exists():
        return False
    _send(address, f"All is well again on {_site()}", "manage.py doctor no longer finds any problems.\n")
    _path().unlink(missing_ok=True)
    in_database.delete()
    return True


def told_names() -> list[str]:
    """The names of the problems that were mailed last, until their end is mailed."""
    try:
        return list(json.loads(_path().read_text())["names"])
    except (OSError, ValueError):
        return []


def _was_told(told: Told) -> bool:
    try:
        age = time.time() - _path().stat().st_mtime
        return 0 <= age < AGAIN_AFTER_SECONDS and json.loads(_path().read_text()) == told
    except (OSError, ValueError):
        return False


def _write_draft(told: Told) -> Path | None:
    """Write the record of a mail that is about to be sent; None if the folder takes no file."""
    draft = _path().with_suffix(".new")
    try:
        draft.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(json.dumps(told))
    except OSError:
        return None
    return draft


def _was_told_by_database(told: Told) -> bool:
    since = timezone.now() - timedelta(seconds=AGAIN_AFTER_SECONDS)
    try:
        return Heartbeat.objects.filter(name=_TOLD_MARK, at__gt=since, detail=_digest(told)).exists()
    except DatabaseError:
        return False


def _record_in_database(told: Told) -> None:
    with suppress(DatabaseError):
        Heartbeat.objects.update_or_create(
            name=_TOLD_MARK, defaults={"at": timezone.now(), "detail": _digest(told)}
        )


def _digest(told: Told) -> str:
    """The record of a mail in few letters, without damaged games: each run may look at other ones."""
    lasting = [name for name in told["names"] if not name.startswith(GAME)]
    return hashlib.sha256(json.dumps([told["address"], lasting]).encode()).hexdigest()


def _send(address: str, subject: str, text: str) -> None:
    """Send a mail without the outbox, because its workers may be the problem."""
    # Django would name this machine, often localhost, which spam filters distrust.
    headers = {"Message-ID": make_msgid(domain=urlsplit(settings.SITE_URL).hostname)}
    EmailMessage(subject, text, to=[address], headers=headers).send()


def _site() -> str:
    return settings.SITE_URL.rpartition("/")[2]


def _path() -> Path:
    return Path(settings.DATA_DIR) / "doctor-told.json"
