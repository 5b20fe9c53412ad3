"""Middleware for pages of paused games and practice tables."""

from collections.abc import Callable
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse

from games.lobby.paused_games import paused_game
from games.models import Game
from games.refusals import Paused
from games.web.play import pause_pages

# Routes of practice tables. Chat, notes, orders, plans and votes make no sense on one device.
_PRACTICE_ROUTES: Final = frozenset(
    (
        *(
            "game",
            "table",
            "move",
            "take-back",
            "hand",
            "coach-mark",
            "advice",
            "log",
            "past-positions",
            "past-position",
            "deal-check",
        ),
        *("game-rules", "ending", "confirm-ending", "rematch", "picture", "picture-png"),
        *("game-review", "old-game-review", "review-moment", "review-retry", "moment-picture"),
        *("export-json", "export-text", "delete-import", "explore", "explore-move"),
    )
)
# These views check the host themselves when they read the game; the API shows only public games.
_CHECKED_IN_VIEW: Final = (
    *("game", "table", "move", "past-position", "game-review", "review-moment", "review-retry"),
    *("api-game", "api-position"),
)


class PausedGamePage:
    """Show players of a paused game the reason on any of its pages; everybody else gets a 404."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        public_id = request.resolver_match.kwargs.get("public_id") if request.resolver_match else None
        if public_id is None or not isinstance(exception, Http404 | Paused):
            return None
        game = paused_game(public_id, request.user)
        return pause_pages.paused_game_page(request, game) if game else None


class PracticeTableAccess:
    """Restrict practice tables to their hosts and to the routes that make sense there."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        name = request.resolver_match.url_name if request.resolver_match else None
        if (public_id := kwargs.get("public_id")) is None or name in _CHECKED_IN_VIEW:
            return
        host = (
            Game.all_games.filter(public_id=public_id, is_practice=True)
            .values_list("host", flat=True)
            .first()
        )
        if host is not None and (host != request.user.pk or name not in _PRACTICE_ROUTES):
            raise Http404
