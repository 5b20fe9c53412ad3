"""Pictures and link previews of finished games."""

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models.write_if_free import write_if_free
from games.analysis import review_figures
from games.analysis.review_figures import ReviewData
from games.analysis.review_moments import moment_at
from games.analysis.win_chances import chance_curve, chances_after
from games.models import Game
from games.play.finished_game import result_final_at
from games.play.game_view import GameView, game_view
from games.refusals import NoSuchPosition
from games.web.analysis.review_text import moment_title
from games.web.presenters import share_picture as pictures
from games.web.presenters.advice_view import percent
from games.web.presenters.picture_png import png
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.share_picture import Picture
from games.web.presenters.table_people import join_list, people
from games.web.text.game_titles import rules_title, title
from games.web.text.seat_names import table_persons

# Increase it with every change of the design, to drop cached pictures.
_DESIGN: Final = 2
# Of a final result only the names of players can change, and seldom do.
_BROWSER_SECONDS: Final = 3600
_CACHE_SECONDS: Final = 24 * 3600


@require_safe
def picture(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the picture of the final board and standings as SVG."""
    return _answer(request, public_id, "image/svg+xml", _svg)


@require_safe
def picture_png(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the picture as PNG, which other sites show."""
    return _answer(request, public_id, "image/png", png)


@require_safe
def moment_picture_png(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Return a picture of the moment after this log entry: its board, and everybody's chance to win."""
    found = review_figures.game_review(public_id, request.user)
    if not may_have(found.look, request.user):
        raise Http404
    try:
        shown = _moment_picture(found, number)
    except NoSuchPosition as error:
        raise Http404 from error
    return _picture_response(request, found.look.game, shown, "image/png", png)


def preview(look: GameView, number: int | None = None) -> dict[str, Any]:
    """The context of games/analysis/_link_preview.html; empty unless the game is public and finished.

    With a `number` it is the preview of the moment after this log entry.
    """
    if not _is_for_everybody(look.game):
        return {}
    public_id = look.game.public_id
    at = [] if number is None else [number]
    url = reverse("review-moment", args=[public_id, *at]) if at else look.game.get_absolute_url()
    shared = {
        "title": title(look.game),
        "description": _description(look),
        "url": f"{settings.SITE_URL}{url}",
        "image": settings.SITE_URL
        + reverse("moment-picture" if at else "picture-png", args=[public_id, *at]),
        "width": pictures.WIDTH,
        "height": pictures.HEIGHT,
    }
    return {"shared": shared}


def _is_for_everybody(game: Game) -> bool:
    public = game.visibility == Game.Visibility.PUBLIC
    return public and game.is_finished and not game.is_practice and game.deleted is None


def may_have(look: GameView, user: Any) -> bool:
    """Return whether the user may see the picture: if it is public, or they played or hosted the game."""
    return _is_for_everybody(look.game) or look.seat is not None or look.game.host_id == user.pk


def _answer(
    request: HttpRequest, public_id: str, content_type: str, make: Callable[[Picture], bytes]
) -> HttpResponse:
    look = game_view(public_id, request.user)
    if look is None or not look.game.is_finished or not may_have(look, request.user):
        raise Http404
    return _picture_response(request, look.game, _picture(look), content_type, make)


def _picture_response(
    request: HttpRequest, game: Game, shown: Picture, content_type: str, make: Callable[[Picture], bytes]
) -> HttpResponse:
    name = sha256(repr((_DESIGN, shown)).encode()).hexdigest()[:32]
    answer = get_conditional_response(request, etag=quote_etag(name)) or _drawn(
        f"picture-{content_type}-{name}", content_type, lambda: make(shown)
    )
    answer["ETag"] = quote_etag(name)
    whose = "public" if _is_for_everybody(game) else "private"
    is_final = timezone.now() >= result_final_at(game)
    # Until then a browser asks each time: the game may be reopened.
    patch_cache_control(answer, max_age=_BROWSER_SECONDS if is_final else 0, **{whose: True})
    return answer


def _drawn(key: str, content_type: str, make: Callable[[], bytes]) -> HttpResponse:
    content = cache.get(key)
    if content is None:
        content = make()
        write_if_free(partial(cache.set, key, content, _CACHE_SECONDS))
    return HttpResponse(content, content_type=content_type)


def _svg(shown: Picture) -> bytes:
    return render_to_string("games/analysis/picture.svg", {"picture": shown}).encode()


def _picture(look: GameView) -> Picture:
    table, game = PRESENTERS[look.game.system], look.game
    around = people(table_persons(look.seats))
    places = [
        pictures.Place(rank, around.in_list(seat, str(around[seat])), table.score(points))
        for rank, seat, points in table.places(look.seen, around)
    ]
    return pictures.picture(
        title(game), rules_title(game), table.board_picture(look.seen), places, _description(look)
    )


def _moment_picture(found: ReviewData, number: int) -> Picture:
    """A moment of a finished game, with everybody's chance to win, or the standings while it is not known."""
    look, game = found.look, found.look.game
    table, around = PRESENTERS[game.system], people(table_persons(look.seats))
    moment = moment_at(look, number)
    shares = chances_after(chance_curve(found), number)
    order = sorted(range(len(shares)), key=lambda side: -shares[side])
    names = around.sides([str(person) for person in around.persons])
    places = [
        pictures.Place(rank, names[side], percent(shares[side])) for rank, side in enumerate(order, 1)
    ] or [
        pictures.Place(rank, around.in_list(seat, str(around[seat])), table.score(points))
        for rank, seat, points in table.places(moment.seen, around)
    ]
    board = table.board_picture(moment.seen)
    return pictures.picture(title(game), moment_title(moment), board, places, _description(look))


def _description(look: GameView) -> str:
    """The standings in one or two sentences."""
    table = PRESENTERS[look.game.system]
    around = people(table_persons(look.seats))
    places = table.places(look.seen, around)
    if not places:
        names = join_list([str(person) for person in around.persons])
        return _("{names} played. The game ended without a result.").format(names=names)
    told = [
        f"{rank}. {around.in_list(seat, str(around[seat]))} {table.score(points)}"
        for rank, seat, points in places
    ]
    return ", ".join(told)
