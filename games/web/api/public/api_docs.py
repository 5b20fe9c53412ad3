"""Descriptions of the public API, for programs and for people."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.web.api.public import api_query
from games.web.api.public.api_response import public, told
from games.web.api.public.api_schemas import Schema, of_this_site
from games.web.api.public.openapi import PATHS, described


@public
def description(request: HttpRequest) -> HttpResponseBase:
    """Return the OpenAPI description."""
    api_query.check_names(request, ())
    return told(request, described(), lasting=True)


@require_safe
def readable(request: HttpRequest) -> HttpResponse:
    """Show the description of the API as a page."""
    context = {
        "operations": [_operation(path, told["get"]) for path, told in PATHS.items()],
        "per_minute": settings.API_PER_MINUTE,
        "with_token": settings.API_PER_MINUTE_WITH_TOKEN,
    }
    return render(request, "games/api/api.html", context)


def _operation(path: str, told: dict[str, Any]) -> dict[str, Any]:
    parameters = [
        (one["name"], one["description"], ", ".join(_values(one["schema"]))) for one in told["parameters"]
    ]
    return {"path": f"/api/v1{path}", **told, "parameters": parameters}


def _values(schema: Schema) -> list[str]:
    """The values a parameter may have, if they are an enumeration."""
    name = schema.get("$ref", "").rpartition("/")[2]
    found: list[str] = of_this_site().get(name, schema).get("enum", [])
    return found
