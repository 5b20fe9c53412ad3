"""The front page for strangers: made once in a while and kept in the cache, the same for all of them."""

from functools import partial
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models.write_if_free import write_if_free
from games.engine.bots.bot_levels import BOTS
from games.lessons import course
from games.lobby import game_lists
from games.models.playable_systems import playable_systems
from games.puzzles.puzzle_calendar import today
from games.showcase.shown_games import game_of_the_day, latest_game
from games.web.lobby.game_cards import cards
from games.web.lobby.play_now_form import PlayNowForm, levels
from games.web.presenters import share_picture
from games.web.presenters.picture_png import png
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.requests import Request
from games.web.showcase.game_replay import replay_of, replay_of_prepared
from games.web.showcase.play_now_starts import starts
from games.web.showcase.todays_puzzle import todays_puzzle
from games.web.text.game_titles import title

# Increase it with every change of what is kept.
_DESIGN: Final = 2
# Games being played are at most so old on the page.
_SECONDS: Final = 20
_PICTURE_SECONDS: Final = 24 * 3600
_RUNNING: Final = 4
# Stands for the CSRF token of each visitor in the forms that are kept for all of them.
_MARK: Final = "the-token-of-the-visitor"


def front_page(request: Request, sent: PlayNowForm | None = None, status: int = 200) -> HttpResponse:
    """Render the front page; `sent` is a posted form to play now that was refused, if any."""
    parts = _kept()
    if sent is not None:
        parts["starts"] = _starts(sent)
    # Only the forms hold the mark: a name that somebody gave to a game may not be taken for it.
    parts["starts"] = parts["starts"].replace(_MARK, get_token(request))
    context: dict[str, Any] = {name: SafeString(html) for name, html in parts.items()}
    if sent is not None:
        context["problems"] = sent.non_field_errors()
    context |= {"first": starts(is_newcomer=True)[0], "shared": _shared()}
    return render(request, "games/showcase/front_page.html", context, status=status)


@require_safe
def site_picture(request: HttpRequest) -> HttpResponse:
    """Return the picture that other sites show for a link to the front page, as PNG."""
    key = f"site-picture-{_DESIGN}-{get_language()}"
    content = cache.get(key)
    if content is None:
        content = _drawn_picture()
        write_if_free(partial(cache.set, key, content, _PICTURE_SECONDS))
    answer = HttpResponse(content, content_type="image/png")
    patch_cache_control(answer, public=True, max_age=_PICTURE_SECONDS)
    return answer


def _drawn_picture() -> bytes:
    table = PRESENTERS[course.SYSTEM]
    shown = share_picture.picture(_("Acquire"), _description(), table.sample_picture(), (), _description())
    return png(shown)


def _description() -> str:
    return _("Found hotels. Buy shares. Get paid when they merge.")


def _shared() -> dict[str, Any]:
    """The context of games/analysis/_link_preview.html."""
    return {
        "title": _("Acquire"),
        "description": _(
            "Play Acquire, the board game about hotels and shares, against friends or computer players."
        ),
        "url": f"{settings.SITE_URL}{reverse('home')}",
        "image": f"{settings.SITE_URL}{reverse('site-picture')}",
        "width": share_picture.WIDTH,
        "height": share_picture.HEIGHT,
    }


def _kept() -> dict[str, str]:
    """The parts of the page that are the same for all strangers, from the cache if they are there."""
    key = _cache_key()
    kept = cache.get(key)
    if kept is None:
        kept = _made()
        write_if_free(partial(cache.set, key, kept, _SECONDS))
    return dict(kept)


def _cache_key() -> str:
    return f"front-page-{_DESIGN}-{get_language()}-{'-'.join(playable_systems())}"


def _made() -> dict[str, str]:
    """Render the parts of the page, which name no visitor."""
    context = {
        **replayed(),
        "pictures": PRESENTERS[course.SYSTEM].how_it_works(),
        "lesson_count": len(course.COURSE),
        "puzzle": todays_puzzle(),
        "levels": _levels(),
        "running": cards(_running(), AnonymousUser()),
    }
    return {
        "replay": str(render_to_string("games/showcase/_replay.html", context)),
        "parts": str(render_to_string("games/showcase/_front_parts.html", context)),
        "starts": _starts(),
    }


def _starts(sent: PlayNowForm | None = None) -> str:
    """The forms to play now, with a mark in place of the token of the visitor."""
    context = {"starts": starts(sent, is_newcomer=True), "csrf_token": _MARK}
    return str(render_to_string("games/showcase/_front_starts.html", context))


def replayed() -> dict[str, Any]:
    """The context of games/showcase/_replay.html: the game of the day, the latest, or the prepared one."""
    game = game_of_the_day(today()) or latest_game()
    if game is None:
        return {"replay": replay_of_prepared(), "replayed_title": "", "replayed_url": ""}
    replay = replay_of(game.public_id)
    return {"replay": replay, "replayed_title": title(game), "replayed_url": game.get_absolute_url()}


def _running() -> list[Any]:
    return game_lists.with_seats(game_lists.running_page(AnonymousUser(), size=_RUNNING).games)


def _levels() -> list[dict[str, Any]]:
    """The levels of computer players, the weakest first; `rank` of `all` says how strong one is."""
    system = next(iter(playable_systems()))
    named = levels(system)
    return [
        {"level": level, "name": name, "character": _(BOTS[system][level].character), "rank": rank}
        for rank, (level, name) in enumerate(named, start=1)
    ]
