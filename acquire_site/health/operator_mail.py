"""Mails to the operator about problems found by doctor, for machines on which cron cannot send mail.

New problems are mailed at once, the same ones once a day. A file records what was mailed, because the
database may be the problem.
"""

import json
import time
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings
from django.core.mail import EmailMessage

AGAIN_AFTER_SECONDS = 24 * 3600


def tell(address: str, names: Iterable[str], text: str) -> bool:
    """Mail the problems with these names, unless that was done lately; return whether a mail was sent.

    Raises OSError if the file cannot be written, or the mail server does not take the mail.
    """
    told: dict[str, object] = {"names": sorted(set(names)), "address": address}
    if _was_told(told):
        return False
    # Before the mail: if the file cannot be written, every run would send it again.
    draft = _path().with_suffix(".new")
    draft.parent.mkdir(parents=True, exist_ok=True)
    draft.write_text(json.dumps(told))
    _send(address, f"Problems on {_site()}", text)
    draft.replace(_path())
    return True


def tell_the_end(address: str) -> bool:
    """Mail that all is well again, if problems were mailed before; return whether a mail was sent."""
    if not _path().exists():
        return False
    _send(address, f"All is well again on {_site()}", "manage.py doctor no longer finds any problems.\n")
    _path().unlink(missing_ok=True)
    return True


def told_names() -> list[str]:
    """The names of the problems that were mailed last, until their end is mailed."""
    try:
        return list(json.loads(_path().read_text())["names"])
    except (OSError, ValueError):
        return []


def _was_told(told: dict[str, object]) -> bool:
    try:
        age = time.time() - _path().stat().st_mtime
        return 0 <= age < AGAIN_AFTER_SECONDS and json.loads(_path().read_text()) == told
    except (OSError, ValueError):
        return False


def _send(address: str, subject: str, text: str) -> None:
    """Send a mail without the outbox, because its workers may be the problem."""
    EmailMessage(subject, text, to=[address]).send()


def _site() -> str:
    return settings.SITE_URL.rpartition("/")[2]


def _path() -> Path:
    return Path(settings.DATA_DIR) / "doctor-told.json"
