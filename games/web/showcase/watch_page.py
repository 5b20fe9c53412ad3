"""The page of games to watch: running ones, the game of the day, and the best reviews."""

from functools import partial
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models.write_if_free import write_if_free
from games.lobby.game_lists import running_page, with_seats
from games.lobby.listed_positions import listed_positions
from games.models.playable_systems import playable_systems
from games.puzzles.puzzle_calendar import today
from games.showcase.shown_games import ReviewedGame, best_reviews, game_of_the_day
from games.web.lobby.game_cards import card, cards
from games.web.requests import Request
from games.web.showcase.game_replay import replay_of
from games.web.text.game_titles import title
from games.web.text.win_points import win_points

_RUNNING: Final = 12
_REVIEWS: Final = 4
# The finished games on the page are chosen and drawn so often.
_SECONDS: Final = 300


@require_safe
@never_cache
def watch(request: Request) -> HttpResponse:
    """Show games that anybody may watch, or look back at."""
    running = running_page(request.user, size=_RUNNING)
    context = {
        "running": cards(with_seats(running.games), request.user),
        "more_running": bool(running.following),
        "finished": _kept_finished(),
    }
    return render(request, "games/showcase/watch.html", context)


def _kept_finished() -> SafeString:
    """The game of the day and the best reviews, which are the same for all readers."""
    key = _cache_key()
    html = cache.get(key)
    if html is None:
        html = str(render_to_string("games/showcase/_watch_finished.html", _finished()))
        write_if_free(partial(cache.set, key, html, _SECONDS))
    return SafeString(html)


def _cache_key() -> str:
    return f"watch-{get_language()}-{'-'.join(playable_systems())}"


def _finished() -> dict[str, Any]:
    reviews = best_reviews(_REVIEWS, timezone.now())
    game = game_of_the_day(today())
    positions = listed_positions([review.game for review in reviews])
    return {
        "day": today(),
        "replay": None if game is None else replay_of(game.public_id),
        "replayed_title": "" if game is None else title(game),
        "replayed_url": "" if game is None else game.get_absolute_url(),
        "review_url": "" if game is None else reverse("game-review", args=[game.public_id]),
        "reviews": [
            {
                "card": card(review.game, AnonymousUser(), positions.get(review.game.pk)),
                "url": reverse("game-review", args=[review.game.public_id]),
                "quality": _quality(review),
            }
            for review in reviews
        ],
    }


def _quality(review: ReviewedGame) -> str:
    """The quality of the play, and the number of decisions on which that rests."""
    told = ngettext(
        "The {n} reviewed decision lost {points} points of winning chance.",
        "The {n} reviewed decisions lost {points} points of winning chance each, on average.",
        review.decisions,
    )
    return told.format(points=win_points(review.lost_chance), n=review.decisions)
