"""Pages on which a user tries moves aside, in a private copy of a position."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from allauth.core import ratelimit
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.refusals import Refusal
from games.analysis import exploration_steps, exploration_view
from games.analysis.exploration_view import Explored
from games.engine.rules.rule_errors import IllegalMove, InvalidMove
from games.models import Exploration, Game
from games.play.game_view import GameView, game_view
from games.refusals import AccountClosed
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import TablePeople
from games.web.requests import Request, page_redirect, whole_number
from games.web.text.game_titles import title
from games.web.text.log_view import log_entry_views
from games.web.text.seat_names import table_persons, without_stand_in


def explore_url(look: GameView, user: Any) -> str:
    """The address at which the user can explore this game, or "" if not allowed.

    Not at a practice table: what one person tries there would be shown to the next. A finished game has its
    review instead.
    """
    if look.game.is_practice or look.game.is_finished:
        return ""
    may = user.is_authenticated and exploration_steps.may_be_explored(look.game, look.seen)
    return reverse("explore", args=[look.game.public_id]) if may else ""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def explore(request: Request, public_id: str) -> HttpResponse:
    """Show the exploration (GET); begin, redeal, undo, restart or leave it (POST).

    The posted field decides: `deal`, `to` (number of steps to keep), `now`, `leave`. Without any of them the
    exploration continues or begins. A finished game has its review instead.
    """
    game = _game(public_id)
    if game.is_finished:
        return page_redirect(request, "game-review", public_id)
    if request.method != "POST":
        return _shown(request, game)
    if not ratelimit.consume(request, action="explore"):
        return ratelimit.respond_429(request)
    if "leave" in request.POST:
        # Closing an account deletes its exploration, too.
        with suppress(AccountClosed):
            exploration_steps.stop_exploring(game=game, user=request.user)
        return redirect(game)
    return _answered(request, game, _work(request, game))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def explore_move(request: Request, public_id: str, number: int) -> HttpResponse:
    """Play a move as step `number` for the seat to move; with `computers`, bots answer from there on.

    A GET is redirected to the exploration.
    """
    game = _game(public_id)
    if game.is_finished:
        return page_redirect(request, "game-review", public_id)
    if request.method != "POST":
        return redirect("explore", public_id)
    if not ratelimit.consume(request, action="explore"):
        return ratelimit.respond_429(request)
    where: dict[str, Any] = {"game": game, "user": request.user, "number": number}
    if "computers" in request.POST:
        return _answered(request, game, partial(exploration_steps.let_computers_answer, **where))
    move = PRESENTERS[game.system].read_move(request.POST)
    return _answered(request, game, partial(exploration_steps.try_move, **where, move=move))


def _game(public_id: str) -> Game:
    """Return a game that can be explored, see `explore_url`, or raise Http404."""
    games = Game.objects.exclude(is_practice=True, status=Game.Status.RUNNING)
    return get_object_or_404(games, public_id=public_id, state__isnull=False)


def _work(request: Request, game: Game) -> Callable[[], object]:
    if "deal" in request.POST:
        return partial(exploration_steps.redeal_hidden, game=game, user=request.user)
    if "to" in request.POST:
        return partial(
            exploration_steps.undo_to, game=game, user=request.user, to=whole_number(request.POST["to"]) or 0
        )
    return partial(_begin, request, game)


def _begin(request: Request, game: Game) -> None:
    """Start at the current position, or continue what was begun there."""
    known = exploration_view.explored(game.public_id, request.user)
    if known and "now" not in request.POST and (known.exploration.steps or not known.has_moved_on):
        return
    look = game_view(game.public_id, request.user)
    assert look is not None
    exploration_steps.start_exploration(
        game=game, user=request.user, seat=look.seat, version=look.game.version, seen=look.seen
    )


def _answered(request: Request, game: Game, work: Callable[[], object]) -> HttpResponse:
    """Run the action and show the exploration, with a sentence if it was refused."""
    try:
        work()
    except Refusal as error:
        return _shown(request, game, str(error.message), error.status)
    except (IllegalMove, InvalidMove) as error:
        return _shown(request, game, PRESENTERS[game.system].refusal(error, game.rules), 422)
    return _shown(request, game) if request.htmx else redirect("explore", game.public_id)


def _shown(request: Request, game: Game, problem: str = "", status: int = 200) -> HttpResponse:
    """Show the exploration; with status 422 the form keeps what was chosen."""
    explored = exploration_view.explored(game.public_id, request.user)
    frame = {
        "game": game,
        "title": title(game),
        "game_url": game.get_absolute_url(),
        "explore_url": reverse("explore", args=[game.public_id]),
        "unseen": PRESENTERS[game.system].unseen(),
        "problem": problem,
    }
    if explored is None:
        answer = render(request, "games/analysis/explore_begin.html", frame, status=status)
        answer["HX-Retarget"] = "body"  # htmx must replace the whole page
        return answer
    template = "games/analysis/_exploration.html" if request.htmx else "games/analysis/explore.html"
    context = _context(explored)
    if status == 422:
        context["decision"] = PRESENTERS[game.system].kept(context["decision"], request.POST)
    return render(request, template, {**frame, **context}, status=status)


def _context(explored: Explored) -> dict[str, Any]:
    """The template context of the explored position, seen by the seat to move there."""
    look, exploration = explored.look, explored.exploration
    game, seated = look.game, [without_stand_in(person) for person in table_persons(look.seats)]
    table = PRESENTERS[game.system]
    mine = TablePeople(tuple(seated), exploration.seat)
    acting = TablePeople(tuple(seated), exploration.seat, acts_for=explored.asked)
    asked, steps = explored.asked, exploration.steps
    others = asked is not None and asked != exploration.seat
    return {
        **table.context(look.seen, acting, [*log_entry_views(look, look.entries), *_tried(explored, mine)]),
        # Names the other seat instead of addressing the reader.
        "headline": table.headline(look.seen, mine),
        "cover": None,
        "exploring": True,
        "version": len(steps),
        "table_template": table.TEMPLATE,
        "stylesheet": table.STYLESHEET,
        "move_url": reverse("explore-move", args=[game.public_id, len(steps) + 1]),
        "rules_url": reverse("game-rules", args=[game.public_id]),
        "has_moved_on": explored.has_moved_on,
        "decides_for": seated[asked].name if asked is not None and others else "",
        "watches": exploration.seat is None,
        "steps": len(steps),
        "one_step": _last(steps, Exploration.By.COMPUTER, Exploration.By.HAND),
        "to_my_answer": _last(steps, Exploration.By.HAND),
    }


def _last(steps: list[dict[str, Any]], *by: Exploration.By) -> int | None:
    """The number of steps before the last one made by any of these, or None."""
    return next((at for at in range(len(steps) - 1, -1, -1) if steps[at]["by"] in by), None)


def _tried(explored: Explored, people: TablePeople) -> Iterator[LogEntryView]:
    """The steps of the exploration as log entries after those of the game."""
    first = explored.exploration.version + 1
    yield LogEntryView(first, text=_("You started exploring here."))
    steps = zip(explored.exploration.steps, explored.events, strict=True)
    for number, (step, events) in enumerate(steps, start=first + 1):
        yield LogEntryView(number, events, note=_note(explored.look.game, step, people))


def _note(game: Game, step: dict[str, Any], people: TablePeople) -> str:
    """Return why the move was forced, or "" if it was not."""
    if step["by"] != Exploration.By.FORCED:
        return ""
    who = people.sentence_start(step["seat"])
    return PRESENTERS[game.system].why_forced(step["move"], game.rules, who)
