"""Cursor pagination of lists ordered by a time and a key.

Cursors are encrypted: the exact time of the last entry of a running game is not public
(games.log.public_times), and readers could find it out by cursors that they read or choose.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime, timedelta
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from django.db.models import Q, QuerySet
from django.utils.crypto import salted_hmac

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def after_cursor(rows: QuerySet[Any], column: str, key: str, after: str) -> QuerySet[Any]:
    """The rows after a cursor, in a list ordered by a time and then by a key, both descending."""
    micros, _, number = _decrypt(after).partition("-")
    if not number:
        return rows
    moment = EPOCH + timedelta(microseconds=int(micros))
    # The first condition lets the database use the index, which it cannot with the second alone.
    return rows.filter(
        Q(**{f"{column}__lte": moment}),
        Q(**{f"{column}__lt": moment}) | Q(**{f"{key}__lt": int(number)}),
    )


def next_cursor(found: list[tuple[int, datetime]], size: int) -> str:
    """The cursor of the next page, "" if there is none."""
    if len(found) <= size:
        return ""
    key, moment = found[size - 1]
    return _encrypt(f"{(moment - EPOCH) // timedelta(microseconds=1)}-{key}")


def _encrypt(text: str) -> str:
    return urlsafe_b64encode(_cipher().encrypt(text.encode(), None)).decode()


def _decrypt(cursor: str) -> str:
    """The text of a cursor of this site, "" for anything else."""
    try:
        return _cipher().decrypt(urlsafe_b64decode(cursor), None).decode()
    except (ValueError, InvalidTag):
        return ""


def _cipher() -> AESSIV:
    """A cipher that gives the same text the same cursor."""
    return AESSIV(salted_hmac("games.keyset_page", "", algorithm="sha256").digest())
