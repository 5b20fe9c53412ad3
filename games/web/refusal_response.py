"""Answers of pages to a refusal."""

from typing import Any

from django.http import HttpResponse

from accounts.refusals import Refusal


def refusal_context(error: Refusal) -> dict[str, Any]:
    """The `problem` to show, the `status` of the answer, and the seconds to `wait`, 0 if unknown."""
    return {"problem": str(error.message), "status": error.status, "wait": error.retry_after}


def add_retry_after(answer: HttpResponse, wait: int) -> HttpResponse:
    """Set Retry-After unless `wait` is 0, and return the answer."""
    if wait:
        answer["Retry-After"] = str(wait)
    return answer
