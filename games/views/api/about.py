"""What the API offers, for programs and for people."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from . import reading
from .answers import public, told
from .openapi import DESCRIPTION, PATHS


@public
def description(request: HttpRequest) -> HttpResponseBase:
    """The OpenAPI description."""
    reading.check_names(request, ())
    return told(request, DESCRIPTION, lasting=True)


@require_safe
def readable(request: HttpRequest) -> HttpResponse:
    """The same for people."""
    context = {
        "operations": [_operation(path, told["get"]) for path, told in PATHS.items()],
        "per_minute": settings.API_PER_MINUTE,
        "with_token": settings.API_PER_MINUTE_WITH_TOKEN,
    }
    return render(request, "games/api.html", context)


def _operation(path: str, told: dict[str, Any]) -> dict[str, Any]:
    parameters = [
        (one["name"], one["description"], ", ".join(one["schema"].get("enum", ())))
        for one in told["parameters"]
    ]
    return {"path": f"/api/v1{path}", **told, "parameters": parameters}
