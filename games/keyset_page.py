"""Cursor pagination of lists ordered by a time and a key."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def after_cursor(rows: QuerySet[Any], column: str, key: str, after: str) -> QuerySet[Any]:
    """The rows after a cursor, in a list ordered by a time and then by a key, both descending."""
    micros, _, number = after.partition("-")
    if not (_is_number(micros) and _is_number(number)):
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
    return f"{(moment - EPOCH) // timedelta(microseconds=1)}-{key}"


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 18
