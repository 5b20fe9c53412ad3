"""Responses of pages to refusals."""

from typing import Any

from django.http import HttpResponse

from accounts.refusals import Refusal


def refusal_context(error: Refusal) -> dict[str, Any]:
    """The context of a refusal: `problem` to show, `status`, and seconds to `wait`, 0 if unknown."""
    return {"problem": str(error.message), "status": error.status, "wait": error.retry_after}


def add_retry_after(answer: HttpResponse, wait: int) -> HttpResponse:
    """Set Retry-After unless `wait` is 0, and return the response."""
    if wait:
        answer["Retry-After"] = str(wait)
    return answer
