"""What is worth a line in the log."""

import logging
from http import HTTPStatus

# Somebody typed an address wrongly, pressed a button too late, or sent what the rules forbid: they were
# told so in a sentence, and there is nothing for whoever runs the site to do.
EVERYDAY = {HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY}


def is_news(record: logging.LogRecord) -> bool:
    """Whether a record is no everyday refusal of a request."""
    return record.name != "django.request" or getattr(record, "status_code", None) not in EVERYDAY
