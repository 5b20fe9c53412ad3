"""Reports of an error to the operators: log lines, and Django's report with its mail."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from django.core import mail
from django.test import RequestFactory, override_settings
from django.utils.log import AdminEmailHandler
from django.views.debug import get_exception_reporter_class

from games.engine.rules.acquire import rule_system as acquire

ADMINS = [("Admin", "admin@mail.example")]


class Broken(Exception):
    """An error in the middle of a page."""


@contextmanager
def breaking(place: str) -> Iterator[None]:
    """Make the rules fail where the whole state is at hand: on reading, observing or playing on."""
    whole = getattr(acquire, place)

    def broken(state: Any, *args: Any, **more: Any) -> Any:
        read = whole(state, *args, **more)
        hands = getattr(read, "hands", getattr(state, "hands", None))
        bag = list(getattr(read, "bag", getattr(state, "bag", ())))
        raise Broken(f"while {len(hands or ())} hands and {len(bag)} tiles were at hand")

    with mock.patch.object(acquire, place, broken):
        yield


PLACES = ("state_from_json", "observe", "play")


def report(path: str, form: dict[str, str], work: Any) -> str:
    """Return everything that may be mailed or printed about the error that `work` raises."""
    request = RequestFactory().post(path, form)
    try:
        work()
    except Exception:
        error = sys.exc_info()
    else:
        raise AssertionError("Nothing went wrong.")
    reporter = get_exception_reporter_class(request)(request, *error)  # type: ignore[operator]
    parts = [reporter.get_traceback_html(), reporter.get_traceback_text()]
    with override_settings(ADMINS=ADMINS), mock.patch.object(mail, "outbox", [], create=True):
        record = _record(request, error)
        AdminEmailHandler(include_html=True).emit(record)
        for letter in mail.outbox:
            parts += [letter.subject, letter.body, *(str(content) for content, _ in letter.alternatives)]  # type: ignore[union-attr]
    return "\n".join(parts)


def _record(request: Any, error: Any) -> Any:
    record = logging.LogRecord("django.request", logging.ERROR, "", 0, "Error", (), error)
    record.request = request
    return record
