"""The page of live games, whose boards move on by themselves."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.lobby.game_lists import FEW, running_page, with_seats
from games.showcase.live_games import live_games as games_on_page
from games.web.clocks.live_clock import server_now
from games.web.lobby.game_cards import cards
from games.web.requests import Request, whole_number
from games.web.showcase.live_cards import LiveCard, live_cards


@require_safe
@never_cache
def live_games(request: Request) -> HttpResponse:
    """Show live games that anybody may watch, the one with the best players first.

    htmx names in `shown` what it shows. It gets the cards that have changed, 204 if there are none, and the
    whole list if that has other games.
    """
    page = max(1, whole_number(request.GET.get("page", ""), max_digits=4) or 1)
    games, more = games_on_page(page)
    shown = live_cards(games, large=page == 1)
    context = {
        "live": shown,
        "shown": " ".join(f"{card.key}:{card.stamp}" for card in shown),
        "now": server_now(),
        "page": page,
        "following": page + 1 if more else None,
    }
    if request.htmx and not request.htmx.history_restore_request:
        return _update(request, context)
    return render(request, "games/showcase/live_games.html", context | _besides(request, shown))


def _update(request: Request, context: dict[str, Any]) -> HttpResponse:
    known = dict(entry.split(":", 1) for entry in request.GET.get("shown", "").split() if ":" in entry)
    shown: Sequence[LiveCard] = context["live"]
    if not shown or [card.key for card in shown] != list(known):
        return render(request, "games/showcase/_live_games.html", context | _besides(request, shown))
    changed = [card for card in shown if known[card.key] != card.stamp]
    if not changed:
        return HttpResponse(status=204)
    answer = render(request, "games/showcase/_live_changes.html", context | {"changed": changed})
    answer["HX-Reswap"] = "none"
    return answer


def _besides(request: Request, shown: Sequence[LiveCard]) -> dict[str, Any]:
    """The games by mail that the page offers while there are no live ones."""
    if shown:
        return {}
    games = with_seats(running_page(request.user, size=FEW).games)
    return {"by_mail": cards(games, request.user)}
