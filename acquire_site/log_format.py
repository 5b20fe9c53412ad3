"""Filter and formatters of log lines."""

import json
import logging
import re
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

from acquire_site.log_context import log_context

# A page open after a log-out, a mistyped address, a page of somebody else, a form from before the log-in,
# a button pressed too late or too often, an illegal move: the user saw an explanation, and there is nothing
# for the operator to do. Metrics count them.
ROUTINE_STATUSES = {
    *(HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED),
    *(HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.TOO_MANY_REQUESTS),
}
_LOGGERS_OF_REFUSALS = {"django.request", "django.security.csrf"}

# Such an address lets anybody join a game, choose a new password or stop mail. Each is a prefix and the rest
# of the pattern, which the log shows instead.
SECRET_ADDRESSES = {
    "/join/": "<slug:code>",
    "/mail/stop/": "<str:token>",
    "/accounts/confirm-email/": "<str:key>",
    "/accounts/password/reset/key/": "<str:key>",
}
# Inside another address, such as the target of a log-in, slashes are escaped, once more at each level.
_SLASH, _REST = "(?:/|%(?:25)*2F)", r"(?!<)[^\s/\"'<>?&#]{2,}"
_SECRETS = {
    re.compile(re.escape(prefix).replace("/", _SLASH) + _REST, re.I): prefix + rest
    for prefix, rest in SECRET_ADDRESSES.items()
}

# The key of a member's mails, with which anybody can make the site mail a log-in code to the member.
_KEY = re.compile(r"((?:[?&;]|%(?:25)*(?:3F|26))key(?:=|%(?:25)*3D))[^\s&%\"'<>#]+", re.I)

# PostgreSQL reports the whole row that it refuses, and a row of a game holds every hand.
_ROW = re.compile(r"DETAIL:.*?(?=\n\s*\n|\n(?:HINT|CONTEXT|Traceback|The above|During)|\Z)", re.S)


def is_noteworthy(record: logging.LogRecord) -> bool:
    """Return whether a record is worth logging: anything but a routine refusal of a request."""
    status = getattr(record, "status_code", None)
    return record.name not in _LOGGERS_OF_REFUSALS or status not in ROUTINE_STATUSES


def without_rows(text: str) -> str:
    """Return the text without the row contents that database errors quote."""
    return _ROW.sub("DETAIL: (not shown)", text)


def without_secret_addresses(text: str) -> str:
    """Return the text with every secret address replaced by its pattern.

    The keys of log-in links are replaced, too.
    """
    text = _KEY.sub(r"\1<key>", text)
    for secret, pattern in _SECRETS.items():
        text = secret.sub(pattern, text)
    return text


def without_secrets(text: str) -> str:
    """Return the text as it may be logged or reported."""
    return without_secret_addresses(without_rows(text))


class Lines(logging.Formatter):
    """Log lines for people."""

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


class JsonLines(logging.Formatter):
    """Log lines as JSON: time, level, logger, message, and the request, user and game concerned.

    They never hold a body, a cookie, a variable, a hand or an address that is a secret.
    """

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
            **(log_context.get() or {}),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            line["trace"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)
