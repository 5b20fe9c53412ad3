"""Cursor pagination of lists ordered by a time and a key.

Cursors are encrypted: the exact time of the last entry of a running game is not public
(games.log.public_times), and readers could find it out by cursors that they read or choose. Each cursor is
drawn anew: two that differ do not tell that a game which spectators see late has gone on.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime, timedelta
from secrets import token_bytes
from typing import Any, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from django.db.models import Q, QuerySet
from django.utils.crypto import salted_hmac

# Bytes that make equal places different cursors.
_MARK: Final = 12

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
    mark = token_bytes(_MARK)
    return urlsafe_b64encode(mark + _cipher().encrypt(text.encode(), [mark])).decode()


def _decrypt(cursor: str) -> str:
    """The text of a cursor of this site, "" for anything else."""
    try:
        sent = urlsafe_b64decode(cursor)
        return _cipher().decrypt(sent[_MARK:], [sent[:_MARK]]).decode()
    except (ValueError, InvalidTag):
        return ""


def _cipher() -> AESSIV:
    return AESSIV(salted_hmac("games.keyset_page", "", algorithm="sha256").digest())
