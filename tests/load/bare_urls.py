"""The cheapest page for a member: one query, and bytes that are known beforehand."""

import os
from pathlib import Path

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template import Context, Engine
from django.urls import path

from games.models import Game

PAGE = Path(os.environ["BARE_PAGE"]).read_text()
TEMPLATE = Engine(autoescape=False).from_string("{{ page }}")


@login_required
def bare(request: HttpRequest, public_id: str) -> HttpResponse:
    """The known bytes, if the game exists."""
    found = get_object_or_404(Game, public_id=public_id)
    return HttpResponse(TEMPLATE.render(Context({"page": PAGE, "game": found})))


urlpatterns = [path("games/<slug:public_id>/", bare)]
