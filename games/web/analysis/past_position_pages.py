"""Pages of past positions of running games, on which nothing can be played.

Those of finished games are moments of their reviews.
"""

from bisect import bisect_left, bisect_right
from dataclasses import replace
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.archive import past_position
from games.archive.past_position import Position
from games.models import Game
from games.play.spectator_position import shown_to
from games.refusals import NoSuchPosition
from games.web.open_hand import get_open_hand
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import TablePeople
from games.web.requests import Request, page_redirect, whole_number
from games.web.text import late_text
from games.web.text.game_titles import title
from games.web.text.log_view import log_entry_views, people_at

# No log is as long as this.
_MAX_NUMBER = 10**9

# Paragraphs shown before the rest is folded away: the end of a game has a dozen.
_MAX_SENTENCES = 2


@require_safe
@never_cache
def positions(request: Request, public_id: str) -> HttpResponse:
    """Redirect to the position `to`, or to the last one; with `since`, render the boards after that entry."""
    since = whole_number(request.GET.get("since", ""))
    if since is not None:
        return _recent_boards(request, public_id, since)
    found = get_object_or_404(Game, public_id=public_id, state__isnull=False)
    game = shown_to(found, request.user)
    to = whole_number(request.GET.get("to", ""))
    page = "review-moment" if game.is_finished else "past-position"
    return redirect(page, public_id, game.version if to is None else min(to, game.version))


@require_safe
@never_cache
def position(request: Request, public_id: str, number: int) -> HttpResponse:
    """Show the table after the entry `number` of the log; redirect to the last one if it is too high.

    For a finished game it redirects to its review.
    """
    hand = get_open_hand(request, public_id)
    try:
        found = past_position.position_at(public_id, request.user, min(number, _MAX_NUMBER), opened=hand)
    except NoSuchPosition as error:
        return redirect("past-position", public_id, error.last)
    if found.look.game.is_finished:
        return page_redirect(request, "review-moment", public_id, number)
    template = "games/analysis/_past_position.html" if request.htmx else "games/analysis/position.html"
    return render(request, template, _context(found))


def _recent_boards(request: Request, public_id: str, since: int) -> HttpResponse:
    """Render the boards of the latest moves, which the table replays."""
    found = past_position.latest_positions(public_id, request.user, since)
    steps = [_step(request, position) for position in found]
    return render(request, "games/play/_replayed.html", {"steps": steps})


def _step(request: Request, found: Position) -> dict[str, Any]:
    """The board of a position, the cash of all players, "" where it is hidden, and the first sentence."""
    context = _context(found)
    table = PRESENTERS[found.look.game.system]
    seats = getattr(context.get("stocks"), "seats", ())
    return {
        "board": SafeString(render_to_string(table.BOARD_TEMPLATE, context, request)),
        "cash": [seat.cash for seat in seats],
        "sentence": context["sentences"][0],
    }


def _context(found: Position) -> dict[str, Any]:
    look, game = found.look, found.look.game
    table, people = PRESENTERS[game.system], people_at(look, found.number, found.conceded)
    entries = log_entry_views(look, look.entries)
    sentences = _sentences(found, people, entries[-1] if entries else None)
    return {
        **table.context(look.seen, people, entries, changed=found.changed),
        # Nobody can act here, so the headline names every player.
        "headline": table.headline(look.seen, replace(people, reader=None)),
        "cover": None,
        "thinking": False,
        "past": found,
        "game": game,
        "title": title(game),
        "late": late_text.notice(game),
        "version": found.number,
        "table_template": table.TEMPLATE,
        "stylesheet": table.STYLESHEET,
        "log_of": game.public_id,
        "log_url": reverse("log", args=[game.public_id]),
        "deal_url": reverse("deal-check", args=[game.public_id]),
        "rules_url": reverse("game-rules", args=[game.public_id]),
        "waiting_count": getattr(game, "waiting", 0),
        "sentences": sentences[:_MAX_SENTENCES],
        "more_sentences": sentences[_MAX_SENTENCES:],
        **_steps(found),
    }


def _sentences(found: Position, people: TablePeople, last: LogEntryView | None) -> list[str]:
    """The sentences of the entry that led to this position."""
    if last is None:
        return [_("The deal. No moves yet.")]
    turns = PRESENTERS[found.look.game.system].log_context(found.look.seen.rules, people, [last])["turns"]
    return [paragraph for turn in turns for paragraph in turn.paragraphs]


def _steps(found: Position) -> dict[str, Any]:
    """The steps to other positions: name, label, symbol, and number or None if there is none."""
    at, last, turns = found.number, found.last, found.turns
    earlier = turns[bisect_left(turns, at) - 1] if at else None
    later = next(iter(turns[bisect_right(turns, at) :]), last)
    back, on = at > 0, at < last
    return {
        "steps": [
            ("first", _("First position"), "❙◂", 0 if back else None),
            ("turn-before", _("Previous turn"), "◂◂", earlier),
            ("before", _("Previous move"), "◂", at - 1 if back else None),
            ("after", _("Next move"), "▸", at + 1 if on else None),
            ("turn-after", _("Next turn"), "▸▸", later if on else None),
            ("last", _("Last position"), "▸❙", last if on else None),
        ],
        "turn_starts": ",".join(map(str, turns)),
    }
