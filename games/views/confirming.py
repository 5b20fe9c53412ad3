"""Asking once more before a move, of members who wish so."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from games.models import Game
from games.tables import TABLES

from .naming import title


def asked_again(request: HttpRequest, game: Game, number: int) -> HttpResponse | None:
    """The page that asks whether the posted move is really meant; None when there is nothing to ask.

    With scripts the button of the table asks by itself and posts `sure` along.
    """
    if not (request.user.is_authenticated and request.user.confirm_placing) or request.POST.get("sure"):
        return None
    question = TABLES[game.system].question(request.POST)
    if not question:
        return None
    posted = [(name, text) for name, texts in request.POST.lists() for text in texts]
    context = {
        "question": question,
        "posted": [(name, text) for name, text in posted if name not in ("csrfmiddlewaretoken", "sure")],
        "title": title(game),
        "game_url": game.get_absolute_url(),
        "move_url": reverse("move", args=[game.public_id, number]),
    }
    answer = render(request, "games/sure.html", context)
    answer["HX-Retarget"] = "body"  # a page of its own also for htmx
    return answer
