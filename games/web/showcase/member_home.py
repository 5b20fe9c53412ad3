"""Home for members and guests: their turns first, then their other games, open games and the puzzle."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import get_language

from games.lobby import lobby_lists
from games.lobby.game_lists import is_newcomer
from games.lobby.listed_positions import listed_positions
from games.models import Game
from games.puzzles import puzzle_view
from games.puzzles.puzzle_answers import current_streak
from games.retries.retry_answers import retry_counts
from games.web.lobby.game_cards import Card, card
from games.web.lobby.lobby_forms import FilterForm
from games.web.lobby.lobby_pages import following_query
from games.web.lobby.play_now_form import PlayNowForm
from games.web.requests import Request
from games.web.showcase.play_now_starts import starts
from games.web.showcase.todays_puzzle import shown_puzzle


def member_home(request: Request, sent: PlayNowForm | None = None, status: int = 200) -> HttpResponse:
    """Render the page; `sent` is a posted form to play now that was refused, if any."""
    puzzle, shown = puzzle_view.puzzle_of_today(request.user), lists(request)
    context = {
        "starts": starts(sent, is_newcomer=shown["is_newcomer"]),
        "puzzle": puzzle,
        "puzzle_shown": None if puzzle is None else shown_puzzle(puzzle.pk, get_language()),
        "streak": 0 if puzzle is None else current_streak(request.user),
        "retries": retry_counts(request.user).now,
        "has_games": any(shown[name] for name in ("waiting", "others", "practice")),
        **shown,
    }
    return render(request, "games/lobby/home.html", context, status=status)


def lists(request: Request) -> dict[str, Any]:
    """The rendered lists, the reader's own games apart, and the hash of both."""
    filters = FilterForm(request.GET)
    found = lobby_lists.lobby(request.user, filters.wanted())
    positions = listed_positions(found.all_games(), request.user)

    def cards_of(games: Iterable[Game]) -> list[Card]:
        return [card(game, request.user, positions.get(game.pk)) for game in games]

    context = {
        "filters": filters,
        "invited": cards_of(found.invited),
        "waiting": cards_of(found.waiting),
        "others": cards_of(found.others),
        "practice": cards_of(found.practice),
        "open": cards_of(found.open.games),
        "vacant": cards_of(found.vacant),
        "more_open": following_query(request, found.open),
        "running": cards_of(found.running.games),
        "more_running": bool(found.running.following),
        "finished": cards_of(found.finished.games),
        "more_finished": bool(found.finished.following),
        "is_newcomer": is_newcomer(found.finished.games),
        "waiting_count": len(found.waiting),
        "paused_count": found.paused,
    }
    own = render_to_string("games/lobby/_own_games.html", context, request)
    rest = render_to_string("games/lobby/_lists.html", context, request)
    seen = sha256(f"{own}\0{rest}".encode()).hexdigest()[:16]
    return {**context, "own": own, "lists": rest, "seen": seen}
