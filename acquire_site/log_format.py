"""What is worth a line in the log, and how a line looks."""

import json
import logging
import re
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

from acquire_site.log_context import log_context

# Somebody typed an address wrongly, pressed a button too late, or sent what the rules forbid: they were
# told so in a sentence, and there is nothing for whoever runs the site to do.
ROUTINE_STATUSES = {HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY}

# PostgreSQL shows the whole row that it refuses, and a row of a game holds every hand.
_ROW = re.compile(r"DETAIL:.*?(?=\n\s*\n|\n(?:HINT|CONTEXT|Traceback|The above|During)|\Z)", re.S)


def is_noteworthy(record: logging.LogRecord) -> bool:
    """Whether a record is no everyday refusal of a request."""
    return record.name != "django.request" or getattr(record, "status_code", None) not in ROUTINE_STATUSES


def without_rows(text: str) -> str:
    """The text less what a database tells of the contents of a row."""
    return _ROW.sub("DETAIL: (not shown)", text)


class Lines(logging.Formatter):
    """A line for people."""

    def format(self, record: logging.LogRecord) -> str:
        return without_rows(super().format(record))


class JsonLines(logging.Formatter):
    """A line for programs: time, level, logger, message, and the request, user and game that it is about.

    Never a body, a cookie, a variable or a hand.
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
