"""Filter and formatters of log lines."""

import json
import logging
import re
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

from acquire_site.log_context import log_context

# A mistyped address, a button pressed too late or an illegal move: the user saw an explanation, and there is
# nothing for the operator to do.
ROUTINE_STATUSES = {HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY}

# PostgreSQL reports the whole row that it refuses, and a row of a game holds every hand.
_ROW = re.compile(r"DETAIL:.*?(?=\n\s*\n|\n(?:HINT|CONTEXT|Traceback|The above|During)|\Z)", re.S)


def is_noteworthy(record: logging.LogRecord) -> bool:
    """Return whether a record is worth logging: anything but a routine refusal of a request."""
    return record.name != "django.request" or getattr(record, "status_code", None) not in ROUTINE_STATUSES


def without_rows(text: str) -> str:
    """Return the text without the row contents that database errors quote."""
    return _ROW.sub("DETAIL: (not shown)", text)


class Lines(logging.Formatter):
    """Log lines for people."""

    def format(self, record: logging.LogRecord) -> str:
        return without_rows(super().format(record))


class JsonLines(logging.Formatter):
    """Log lines as JSON: time, level, logger, message, and the request, user and game concerned.

    They never hold a body, a cookie, a variable or a hand.
    """

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": without_rows(record.getMessage()),
            **(log_context.get() or {}),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            line["trace"] = without_rows(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)
