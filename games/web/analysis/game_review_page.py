"""The page of a game review."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.analysis import report_figures
from games.analysis.report_figures import AnswerTimes, Play, Player, ReportData, ResultBreakdown, TurningPoint
from games.engine.bots.bot_levels import ADVISERS
from games.models import LogEntry, MoveAssessment
from games.play import finished_game
from games.play.game_view import GameView
from games.web.analysis.share_picture_views import may_have, preview
from games.web.open_hand import get_open_hand
from games.web.presenters.advice_view import percent
from games.web.presenters.log_entry_view import without_taken_back
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import COMPUTER, TablePeople, people
from games.web.presenters.worth_chart import chart
from games.web.requests import Request
from games.web.text.game_titles import DAY, HOUR, MINUTE, title
from games.web.text.log_view import log_entry_views as entries_told
from games.web.text.seat_names import level_name, table_persons

_MINUS: Final = "−"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def story(request: Request, public_id: str) -> HttpResponse:
    """Show the game review; a POST by one of its players asks for its moves to be assessed.

    htmx gets only the part with the assessments, which grows while they are made.
    """
    found = report_figures.story(public_id, request.user, get_open_hand(request, public_id))
    if request.method == "POST":
        return _ask(request, found)
    if request.htmx:
        return render(request, "games/analysis/_assessments.html", _rated(found))
    has_picture = may_have(found.look, request.user)
    context = {**_context(found), **_rated(found), **preview(found.look), "has_picture": has_picture}
    return render(request, "games/analysis/game_review.html", context)


@login_required
def _ask(request: Request, found: ReportData) -> HttpResponse:
    if not _may_ask(found):
        raise Http404
    finished_game.begin_report(found.look.game)
    return redirect("game-review", found.look.game.public_id)


def _may_ask(found: ReportData) -> bool:
    """Return whether the reader played in the game and its moves are not being assessed."""
    plays = found.look.seat is not None or found.look.game.is_practice
    return found.rated is None and plays and report_figures.may_be_rated(found.look.game)


def _context(found: ReportData) -> dict[str, Any]:
    """The part of the context about the course of the game."""
    look, table = found.look, PRESENTERS[found.look.game.system]
    around = _report_people(look)
    names = [_("you") if seat == look.seat else str(person) for seat, person in enumerate(around.persons)]
    entries = without_taken_back(entries_told(look, look.entries))
    worth = [turn.worth for turn in found.turns]
    return {
        "title": title(look.game),
        "game": look.game,
        "game_url": look.game.get_absolute_url(),
        "names": names,
        "places": [
            (rank, around.at_the_end(seat, names[seat]), table.score(points), seat == look.seat)
            for rank, seat, points in table.places(look.seen, around)
        ],
        "score_name": table.score_name(),
        "chart": chart(names, worth, table.amount) if len(worth) > 1 else None,
        "rows": [(turn, [table.amount(points) for points in row]) for turn, row in enumerate(worth)],
        "breakdowns": table.breakdowns(look.seen, names, entries),
        "turning": [
            _turning(look, around, turning) for turning in report_figures.turning_points(found.turns)
        ],
        "paces": [_pace(look, pace) for pace in report_figures.paces(look)],
    }


def _rated(found: ReportData) -> dict[str, Any]:
    """The part of the context about the assessments made so far."""
    look = found.look
    entries = {entry.number: entry for entry in look.entries}
    plays = report_figures.player_accuracy(found)

    def judged(some: Iterable[MoveAssessment]) -> list[dict[str, Any]]:
        return [_assessed_move(look, rated, entries[rated.number]) for rated in some]

    return {
        "title": title(look.game),
        "story_url": reverse("game-review", args=[look.game.public_id]),
        "level": level_name(look.game.system, ADVISERS.get(look.game.system, "")),
        "may_ask": _may_ask(found),
        "is_rated": found.rated is not None,
        "under_way": found.rated is not None and found.rated < 1,
        "progress": percent(found.rated or 0.0),
        "plays": [_play(look, play) for play in plays],
        "costly": judged(report_figures.costliest_moves(found)),
        "judged": judged(found.assessments),
        "fates": [_fate(look, fate) for fate in report_figures.result_breakdowns(found)],
        "lost_name": _("{points} lost").format(points=PRESENTERS[look.game.system].score_name()),
        "luck": PRESENTERS[look.game.system].luck(),
    }


def _report_people(look: GameView) -> TablePeople:
    return people(table_persons(look.seats), look.seat)


def _name(look: GameView, player: Player) -> str:
    """The name of the player who decided, as shown at the table."""
    seat = look.seats[player.seat]
    if player.stand_in:
        return _("{name}, in whose place a computer decided").format(name=player.name)
    if player.name != seat.name:
        return player.name
    if player.seat == look.seat:
        return _("you")
    return f"{player.name} {COMPUTER}" if seat.is_bot_playing and not seat.is_replaced else player.name


def _turning(look: GameView, around: TablePeople, turning: TurningPoint) -> dict[str, Any]:
    table = PRESENTERS[look.game.system]
    text = _("{who} gained {points} on everybody else, and took the lead.")
    if not turning.took_lead:
        text = _("{who} gained {points} on everybody else.")
    return {
        "turn": turning.turn,
        "url": _position(look, turning.after),
        "text": text.format(who=around.sentence_start(turning.seat), points=table.score(turning.gained)),
    }


def _position(look: GameView, number: int) -> str:
    return reverse("past-position", args=[look.game.public_id, number])


def _play(look: GameView, play: Play) -> dict[str, Any]:
    return {
        "name": _name(look, play.player),
        "me": play.player.seat == look.seat and not play.player.stand_in,
        "decisions": play.decisions,
        "accuracy": percent(play.accuracy),
        "lost_chance": _points(play.lost_chance),
        "lost_lead": _amount(look, play.lost_lead),
    }


def _amount(look: GameView, points: float) -> str:
    """An amount of points, rounded to whole hundreds from 1000 on."""
    whole = round(points, -2) if points >= 1000 else round(points)
    amount: str = PRESENTERS[look.game.system].amount(int(whole))
    return amount


def _points(share: float) -> str:
    """A share of the win in points, of which 100 make a whole win."""
    return f"{100 * share:.1f}".replace("-", _MINUS)


def _signed(share: float) -> str:
    """A share of the win in points with its sign."""
    return f"+{_points(share)}" if round(share, 3) > 0 else _points(share) if round(share, 3) else "0.0"


def _assessed_move(look: GameView, rated: MoveAssessment, entry: LogEntry) -> dict[str, Any]:
    """A move with its assessment; `lost_chance` is "" if it lost nothing."""
    table, game = PRESENTERS[look.game.system], look.game
    system = game.rule_system

    def phrase(text: str) -> str:
        said: str = table.phrase(system.parse_move(text), game.rules)
        return said

    return {
        "number": rated.number,
        "url": _position(look, rated.number - 1),
        "name": _name(look, report_figures.player_of(look, entry)),
        "played": phrase(entry.text),
        "best": phrase(rated.best),
        "lost_chance": _points(rated.lost_chance) if rated.lost_chance > 0 else "",
        "lost_lead": _amount(look, rated.lost_lead) if round(rated.lost_lead) else "",
    }


def _fate(look: GameView, fate: ResultBreakdown) -> dict[str, Any]:
    seat = look.seats[fate.seat]
    return {
        "name": _name(look, Player(fate.seat, seat.name, stand_in=False)),
        "me": fate.seat == look.seat,
        "result": _signed(fate.result),
        "given_away": _signed(-fate.given_away),
        "got": _signed(fate.got),
        "luck": _signed(fate.luck),
    }


def _pace(look: GameView, pace: AnswerTimes) -> dict[str, Any]:
    return {
        "name": _name(look, pace.player),
        "me": pace.player.seat == look.seat,
        "times": pace.times,
        "median": _span(pace.median),
        "longest": _span(pace.longest),
    }


def _span(time: timedelta) -> str:
    """A duration in its two largest units: "2 days 3 h", "5 min 10 s"."""
    seconds = round(time.total_seconds())
    days, hours, minutes = seconds // DAY, seconds % DAY // HOUR, seconds % HOUR // MINUTE
    if days:
        text = ngettext("{n} day", "{n} days", days).format(n=days)
        return _("{days} {n} h").format(days=text, n=hours) if hours else text
    if hours:
        return _("{h} h {m} min").format(h=hours, m=minutes)
    if minutes:
        return _("{m} min {s} s").format(m=minutes, s=seconds % MINUTE)
    return _("{s} s").format(s=seconds)
