"""Views of a table, all drawn from the observation of the viewer's seat."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.refusals import Refusal
from accounts.web.membership.kept_forms import login_required_to_send
from games.analysis.advice import ask_advice
from games.archive.replay import check_deal, hidden_after_redeals, redeals, revealed_seed, worth_by_turn
from games.engine.planned_turns.plan_errors import PlanView
from games.engine.planned_turns.plan_systems import PLANS
from games.lobby.game_lists import waits_for
from games.log.end_proposals import votes_underway
from games.log.public_times import deadline_shown
from games.log.turn_count import turn_number
from games.models import Game, LogEntry
from games.play import visits
from games.play.automation import plan_view
from games.play.game_view import GameView, game_view, view_after_move
from games.play.page_presence import seats_here
from games.play.spectator_position import shown_to
from games.refusals import AdviceUnavailable, StalePosition
from games.web import refusal_response
from games.web.addresses import address
from games.web.analysis.advice_panel import advice_rate_limited, advice_refusal, asking
from games.web.analysis.exploration_views import explore_url
from games.web.analysis.share_picture_views import preview
from games.web.chat import chat_views, note_views
from games.web.clocks.clock_bar import clock_bar
from games.web.clocks.live_clock import live_clock
from games.web.lessons.coach_mark_panel import coach_mark
from games.web.lobby import waiting_room_views
from games.web.moderation.report_pages import report_url
from games.web.open_hand import get_open_hand
from games.web.play import pause_pages
from games.web.play.absence_panel import absence_panel
from games.web.play.game_course import game_course
from games.web.play.hand_cover import hand_cover
from games.web.play.order_panel import orders_part
from games.web.play.pace_pages import pace_proposed, pace_url
from games.web.play.proposal_panel import ending_url, proposed
from games.web.play.table_links import again_url, back_part, missed_moves, plan_urls, share_url
from games.web.play.usual_time import usual_time
from games.web.play.while_away import WhileAway, while_away
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import people
from games.web.ratings.rating_pages import made_by
from games.web.requests import Request, whole_number
from games.web.text import late_text
from games.web.text.game_titles import title, title_for
from games.web.text.log_view import automatic_moves_notice, log_entry_views
from games.web.text.seat_names import table_persons


@require_safe
@never_cache
def game(request: Request, public_id: str) -> HttpResponse:
    """Show the table of a game, or its waiting room before the start."""
    try:
        look = _look(request, public_id)
    except Http404:
        return waiting_room_views.page(request, public_id)
    return _page(request, look)


@require_safe
@never_cache
def table(request: HttpRequest, public_id: str) -> HttpResponse:
    """Render the table for htmx; 204 if it is not newer than the version in `after`.

    `left` is the version that the page showed when its reader went away, if they have just come back.
    """
    after, left = (whole_number(request.GET.get(name, "")) for name in ("after", "left"))
    known = min((number for number in (after, left) if number is not None), default=-1)
    hand = get_open_hand(request, public_id)
    look = game_view(public_id, request.user, newer_than=known, opened=hand)
    if look is None:
        _record_visit(request, public_id)
        return HttpResponse(status=204)
    return _partial(request, look, left=left)


def _record_visit(request: HttpRequest, public_id: str) -> None:
    """Record that the reader still sees the version that the site shows to them."""
    if not request.user.is_authenticated or _is_away(request):
        return
    found = Game.objects.filter(public_id=public_id).first()
    if found is not None:
        visits.record_visit(found.pk, request.user, shown_to(found, request.user).version)


def _is_away(request: HttpRequest) -> bool:
    """Return whether the page follows the game while it is hidden."""
    return "away" in request.GET


def table_response(
    request: Request,
    public_id: str,
    *,
    entry: LogEntry | None = None,
    status: int = 200,
    wait: int = 0,
    **more: Any,
) -> HttpResponse:
    """Render the current table in response to a form: for htmx alone, else as a whole page.

    After a move `entry` is its log entry, which saves reading the game again.

    `wait` is the seconds until another attempt makes sense, 0 if unknown. `more` may have a `problem` and a
    `notice` (sentences), a `draft`, a plan that was not saved, and `posted`, the number of the log entry that
    the posted form would have made.
    """
    if entry is None:
        look = _look(request, public_id)
    else:
        assert request.user.is_authenticated
        look = view_after_move(entry, request.user, get_open_hand(request, public_id))
    answer = (_partial if request.htmx else _page)(request, look, status=status, **more)
    if entry is not None and request.htmx:
        # A player who moves has read what happened before.
        answer.write(_while_away_part(None))
    return refusal_response.add_retry_after(answer, wait)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required_to_send
def advice(request: Request, public_id: str, number: int) -> HttpResponse:
    """Ask a bot about entry `number` of the log (POST), or show its advice (GET by htmx).

    Any other GET is redirected to the game, which shows the advice too.
    """
    look = _look(request, public_id)
    if request.method != "POST" and not request.htmx:
        return redirect(look.game)
    error = StalePosition() if number != look.game.version + 1 else advice_refusal(look)
    if error is None and request.method == "POST":
        if (answer := advice_rate_limited(request, look)) is not None:
            return answer
        try:
            ask_advice(look.game)
        except AdviceUnavailable as reason:
            error = reason
    if error is not None:
        return _no_advice(request, look, error)
    if not request.htmx:
        return redirect(look.game)
    context = {"advice": asking(look, waits=True), "game": look.game}
    return render(request, "games/analysis/_advice.html", context)


def _no_advice(request: Request, look: GameView, error: Refusal) -> HttpResponse:
    problem, status = str(error.message), error.status
    if not request.htmx:
        return _page(request, look, problem=problem, status=status)
    if status == 409:
        # The table that follows says more.
        return render(request, "games/analysis/_advice.html", {"problem": problem}, status=status)
    return HttpResponse(problem, status=status, content_type="text/plain; charset=utf-8")


@require_safe
@never_cache
def log(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the whole log of a game in sentences."""
    look = _look(request, public_id, whole_log=True)
    context = PRESENTERS[look.game.system].log_context(
        look.seen.rules, *_people_and_entries(look, _since(request, look))
    )
    return render(
        request,
        "games/play/log.html",
        {
            **context,
            "title": title(look.game),
            "game_url": look.game.get_absolute_url(),
            "log_of": look.game.public_id,
            "game": look.game,
            "late": late_text.notice(look.game),
        },
    )


@require_safe
@never_cache
def deal(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the commitment of the deal and, for a finished game, its seed.

    With `check` the site replays the finished game and shows what it verified.
    """
    found = shown_to(get_object_or_404(Game, public_id=public_id, state__isnull=False), request.user)
    context = {
        "title": title(found),
        "game_url": found.get_absolute_url(),
        "commitment": found.seed_hash,
        "seed": revealed_seed(found),
        "chance": PRESENTERS[found.system].chance(),
        "redeals": [{"made": one} for one in redeals(found)],
    }
    if context["seed"]:
        names = [str(person) for person in table_persons(found.seats.select_related("user"))]
        hidden = hidden_after_redeals(found) if context["redeals"] else {}
        for one in context["redeals"]:
            dealt = hidden[one["made"].number]
            one |= {"hands": list(zip(names, dealt["hands"], strict=True)), "bag": dealt["bag"]}
        context |= PRESENTERS[found.system].deal_context(found.rules, names, bytes.fromhex(context["seed"]))
        context["checked"] = check_deal(found) if "check" in request.GET else None
    return render(request, "games/play/deal.html", context)


def _look(request: HttpRequest, public_id: str, *, whole_log: bool = False) -> GameView:
    hand = get_open_hand(request, public_id)
    look = game_view(public_id, request.user, whole_log=whole_log, opened=hand)
    if look is None:
        raise Http404
    return look


def _since(request: HttpRequest, look: GameView) -> int:
    """Record the visit and return the last log entry seen on the one before."""
    return visits.record_visit_of_reader(look.game, request.user, away=_is_away(request))


def _people_and_entries(look: GameView, since: int) -> tuple[Any, list[Any]]:
    return people(table_persons(look.seats), look.seat), log_entry_views(look, look.entries, since)


def _partial(
    request: HttpRequest, look: GameView, status: int = 200, left: int | None = None, **more: Any
) -> HttpResponse:
    context = _context(request, look, **more)
    answer = render(request, PRESENTERS[look.game.system].TEMPLATE, context, status=status)
    answer.write(
        render_to_string("games/lobby/_waiting.html", {**context, "user": request.user, "oob": True})
    )
    if (away := while_away(look, request.user, left, context["replay"])) is not None:
        answer.write(_while_away_part(away))
    return answer


def _while_away_part(away: WhileAway | None) -> str:
    """The panel on a reader's absence for htmx, in place of the one that the page shows."""
    return render_to_string("games/play/_while_away.html", {"away": away, "oob": True})


def _page(request: Request, look: GameView, status: int = 200, **more: Any) -> HttpResponse:
    public_id = look.game.public_id
    shown = _context(request, look, **more)
    context = {
        **shown,
        **preview(look),
        "title": title_for(look.game, request.user if request.user.is_authenticated else None),
        "table_template": PRESENTERS[look.game.system].TEMPLATE,
        "stylesheet": PRESENTERS[look.game.system].STYLESHEET,
        "table_url": address("table", public_id),
        "live_url": f"/ws/games/{public_id}/",
        "talk": chat_views.chat_panel(request, look.game),
        "notes": note_views.sheet(request, look.game),
        "away": while_away(look, request.user, getattr(look.game, "visit_seen", None), shown["replay"]),
    }
    return render(request, "games/play/game.html", context, status=status)


def _context(
    request: HttpRequest, look: GameView, draft: PlanView | None = None, posted: int = 0, **sentences: str
) -> dict[str, Any]:
    public_id = look.game.public_id
    worth = () if look.game.is_running else worth_by_turn(look.game)
    waiting = getattr(look.game, "waiting", 0)
    since = _since(request, look)
    around, entries = _people_and_entries(look, since)
    underway = votes_underway(look.game) if look.game.is_running and not look.game.rounds_late else []
    shown = PRESENTERS[look.game.system].context(look.seen, around, entries, worth, **_plans(look, draft))
    if posted == look.game.version + 1:
        shown["decision"] = PRESENTERS[look.game.system].kept(shown["decision"], request.POST)
    return {
        **sentences,
        **shown,
        **plan_urls(look),
        "game": look.game,
        "version": look.game.version,
        "move_url": address("move", public_id, look.game.version + 1),
        "back": back_part(look),
        "proposed": proposed(look, underway),
        "pace_proposed": pace_proposed(look, underway),
        "ending_url": ending_url(look),
        "pace_url": pace_url(look),
        "explore_url": explore_url(look, request.user),
        "log_of": public_id,
        "story_url": address("game-review", public_id) if look.game.is_finished else "",
        "log_url": address("log", public_id),
        "deal_url": address("deal-check", public_id),
        "report_url": report_url(request, look.game),
        "rules_url": address("game-rules", public_id),
        "turn_number": turn_number(look.game) if look.game.is_running else 0,
        "course": game_course(look, entries) if look.game.is_finished else None,
        "deadline": deadline_shown(look.game.deadline, timezone.now()),
        "clock": clock_bar(look.game, look.seats),
        "live": live_clock(look.game, look.seats),
        "here": seats_here(look.game, look.seats, request.user.pk),
        "stopped": look.game.time_left is not None,
        "advice": asking(look),
        "coach": coach_mark(look, request.user),
        "orders": orders_part(look),
        "automatic": automatic_moves_notice(look, since),
        "absences": absence_panel(look, request.user),
        "usual_time": usual_time(look),
        "waiting_count": waiting,
        "others_waiting": waiting - waits_for(look.game, request.user),
        "again_url": again_url(look),
        "share_url": share_url(look),
        "replay": missed_moves(look, since),
        "rating_changes": made_by(look, request.user),
        **hand_cover(look, shown["headline"]),
        **pause_pages.pause_notice(look),
        **_lateness(look.game),
    }


def _lateness(game: Game) -> dict[str, Any]:
    """The changes to the context of a table that is shown late: nobody thinks about a past decision."""
    return {"late": late_text.notice(game), "thinking": False} if game.rounds_late else {}


def _plans(look: GameView, draft: PlanView | None) -> dict[str, PlanView | None]:
    """The reader's plan, if the rule system has plans."""
    return {"planned": draft or plan_view.planned(look)} if look.game.system in PLANS else {}
