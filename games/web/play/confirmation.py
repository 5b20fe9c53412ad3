"""Asking once more before a move or a turn is sent, of members who wish so."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from accounts.models import User
from games.models import Game
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.text.game_titles import title


def confirm_move(request: HttpRequest, game: Game, number: int) -> HttpResponse | None:
    """The page that asks whether the posted move is really meant; None when there is nothing to ask.

    With scripts the button of the table asks by itself and posts `sure` along.
    """
    if (user := _who_wishes_so(request)) is None:
        return None
    question = PRESENTERS[game.system].confirmation_question(
        request.POST, game.rules, every=user.confirm_sending
    )
    return _page(request, game, question, reverse("move", args=[game.public_id, number]))


def confirm_turn(request: HttpRequest, game: Game, number: int) -> HttpResponse | None:
    """The same for a whole turn."""
    if _who_wishes_so(request) is None:
        return None
    question = PRESENTERS[game.system].question_of_turn(request.POST, game.rules)
    return _page(request, game, question, reverse("turn", args=[game.public_id, number]))


def _who_wishes_so(request: HttpRequest) -> User | None:
    """The member who posted, if they wish to be asked and were not yet."""
    user = request.user
    if not user.is_authenticated or request.POST.get("sure"):
        return None
    return user if user.confirm_placing or user.confirm_sending else None


def _page(request: HttpRequest, game: Game, question: str, url: str) -> HttpResponse | None:
    if not question:
        return None
    posted = [(name, text) for name, texts in request.POST.lists() for text in texts]
    context = {
        "question": question,
        "posted": [(name, text) for name, text in posted if name not in ("csrfmiddlewaretoken", "sure")],
        "title": title(game),
        "game_url": game.get_absolute_url(),
        "url": url,
    }
    answer = render(request, "games/play/confirm_move.html", context)
    answer["HX-Retarget"] = "body"  # a page of its own also for htmx
    return answer
