"""Answers of pages to a refusal."""

from typing import Any

from django.http import HttpResponse

from accounts.services.refusals import Refusal


def told(error: Refusal) -> dict[str, Any]:
    """The `problem` to show, the `status` of the answer, and the seconds to `wait`, 0 if unknown."""
    return {"problem": str(error.message), "status": error.status, "wait": error.retry_after}


def say_when(answer: HttpResponse, wait: int) -> HttpResponse:
    """Set Retry-After unless `wait` is 0, and return the answer."""
    if wait:
        answer["Retry-After"] = str(wait)
    return answer
