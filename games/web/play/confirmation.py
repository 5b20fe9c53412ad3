"""Confirmation of moves and turns.

Members turn it on in their settings. Everybody confirms a turn that ends the game without a purchase.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from accounts.models import User
from games.models import Game
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.text.game_titles import title


def confirm_move(request: HttpRequest, game: Game, number: int) -> HttpResponse | None:
    """Return a page that asks to confirm the posted move, or None if no confirmation is needed.

    With scripts the button itself asks, and posts `sure`.
    """
    if request.POST.get("sure"):
        return None
    member = _member_to_ask(request)
    question = PRESENTERS[game.system].confirmation_question(
        request.POST,
        game.rules,
        placing=member is not None,
        every=member is not None and member.confirm_sending,
    )
    return _page(request, game, question, reverse("move", args=[game.public_id, number]), member)


def confirm_turn(request: HttpRequest, game: Game, number: int) -> HttpResponse | None:
    """Return a page that asks to confirm the posted turn, or None if no confirmation is needed."""
    if (member := _member_to_ask(request)) is None:
        return None
    question = PRESENTERS[game.system].question_of_turn(request.POST, game.rules)
    return _page(request, game, question, reverse("turn", args=[game.public_id, number]), member)


def _member_to_ask(request: HttpRequest) -> User | None:
    """Return the member if they have chosen confirmation and have not confirmed yet."""
    user = request.user
    if not user.is_authenticated or request.POST.get("sure"):
        return None
    return user if user.confirm_placing or user.confirm_sending else None


def _page(
    request: HttpRequest, game: Game, question: str, url: str, member: User | None
) -> HttpResponse | None:
    if not question:
        return None
    posted = [(name, text) for name, texts in request.POST.lists() for text in texts]
    context = {
        "question": question,
        "posted": [(name, text) for name, text in posted if name not in ("csrfmiddlewaretoken", "sure")],
        "title": title(game),
        "game_url": game.get_absolute_url(),
        "url": url,
        "is_chosen": member is not None,
    }
    answer = render(request, "games/play/confirm_move.html", context)
    answer["HX-Retarget"] = "body"  # htmx must replace the whole page
    return answer
