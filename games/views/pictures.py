"""The picture of a finished game, and what other sites are told of its page."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import queries
from games.models import Game
from games.queries import Look
from games.tables import TABLES, people
from games.tables import picture as pictures
from games.tables.painting import png
from games.tables.people import listing
from games.tables.picture import Picture

from .naming import persons, rules_title, title

# Another design, another name: what was kept of the last one is drawn anew.
_DESIGN: Final = 1
# Names change seldom, and nothing else of a game that is over.
_KEPT: Final = 3600
_DRAWN_KEPT: Final = 24 * 3600


@require_safe
def picture(request: HttpRequest, public_id: str) -> HttpResponse:
    """The final board with the standings, as an SVG."""
    return _answer(request, public_id, "image/svg+xml", _svg)


@require_safe
def picture_png(request: HttpRequest, public_id: str) -> HttpResponse:
    """The same as a PNG, which is what other sites show."""
    return _answer(request, public_id, "image/png", png)


def preview(look: Look) -> dict[str, Any]:
    """What templates/games/_preview.html tells other sites of a game: of public ones that are over alone."""
    if not _is_for_everybody(look.game):
        return {}
    public_id = look.game.public_id
    shared = {
        "title": title(look.game),
        "description": _description(look),
        "url": f"{settings.SITE_URL}{look.game.get_absolute_url()}",
        "image": f"{settings.SITE_URL}{reverse('picture-png', args=[public_id])}",
        "width": pictures.WIDTH,
        "height": pictures.HEIGHT,
    }
    return {"shared": shared}


def _is_for_everybody(game: Game) -> bool:
    public = game.visibility == Game.Visibility.PUBLIC
    return public and game.is_finished and not game.practice and game.deleted is None


def may_have(look: Look, user: Any) -> bool:
    """Whether the picture is for the reader: of a game that is not public if they played or opened it."""
    return _is_for_everybody(look.game) or look.seat is not None or look.game.host_id == user.pk


def _answer(
    request: HttpRequest, public_id: str, content_type: str, make: Callable[[Picture], bytes]
) -> HttpResponse:
    look = queries.look(public_id, request.user)
    if look is None or not look.game.is_finished or not may_have(look, request.user):
        raise Http404
    shown = _picture(look)
    name = sha256(repr((_DESIGN, shown)).encode()).hexdigest()[:32]
    answer = get_conditional_response(request, etag=quote_etag(name)) or _drawn(
        f"picture-{content_type}-{name}", content_type, lambda: make(shown)
    )
    answer["ETag"] = quote_etag(name)
    whose = "public" if _is_for_everybody(look.game) else "private"
    patch_cache_control(answer, max_age=_KEPT, **{whose: True})
    return answer


def _drawn(key: str, content_type: str, make: Callable[[], bytes]) -> HttpResponse:
    content = cache.get(key)
    if content is None:
        content = make()
        cache.set(key, content, _DRAWN_KEPT)
    return HttpResponse(content, content_type=content_type)


def _svg(shown: Picture) -> bytes:
    return render_to_string("games/picture.svg", {"picture": shown}).encode()


def _picture(look: Look) -> Picture:
    table, game = TABLES[look.game.system], look.game
    around = people(persons(look.seats))
    places = [
        pictures.Place(rank, str(around[seat]), table.score(points))
        for rank, seat, points in table.places(look.seen, around)
    ]
    return pictures.picture(
        title(game), rules_title(game), table.board_picture(look.seen), places, _description(look)
    )


def _description(look: Look) -> str:
    """Who won, and who else played, in a sentence or two."""
    table = TABLES[look.game.system]
    around = people(persons(look.seats))
    places = table.places(look.seen, around)
    if not places:
        names = listing([str(person) for person in around.persons])
        return _("{names} played. The game ended without a result.").format(names=names)
    told = [f"{rank}. {around[seat]} {table.score(points)}" for rank, seat, points in places]
    return ", ".join(told)
