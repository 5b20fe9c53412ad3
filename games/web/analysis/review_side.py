"""The parts of a game review beside the board: the chart, the list of moves, and the figures."""

from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.analysis import review_figures
from games.analysis.review_figures import AnswerTimes, Play, Player, ResultBreakdown, ReviewData
from games.analysis.win_chances import chance_curve
from games.models import LogEntry
from games.play.game_view import GameView
from games.web.analysis.review_moment import listed_entries, place
from games.web.analysis.review_text import adviser_name, amount, move_mark, player_name
from games.web.presenters.advice_view import percent
from games.web.presenters.chance_chart import chance_chart
from games.web.presenters.log_entry_view import without_taken_back
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import people
from games.web.presenters.worth_chart import chart
from games.web.text.game_titles import DAY, HOUR, MINUTE
from games.web.text.log_view import log_entry_views
from games.web.text.seat_names import table_persons
from games.web.text.win_points import win_points


def side_context(found: ReviewData, turns: dict[int, int], at: int) -> dict[str, Any]:
    """The context of games/analysis/_review_side.html; `turns` are those of a moment, `at` is shown now."""
    look = found.look
    return {
        **progress_context(found),
        **_chart(found),
        "rows": _rows(found, turns),
        "at": at,
        "at_place": place(found, at),
        "moment_base": reverse("game-review", args=[look.game.public_id]),
        **_figures(found),
    }


def progress_context(found: ReviewData) -> dict[str, Any]:
    """The part of the context about how far the assessments are."""
    return {
        "story_url": reverse("game-review", args=[found.look.game.public_id]),
        "level": adviser_name(found.look.game),
        "may_ask": may_ask(found),
        "is_rated": found.rated is not None,
        "is_outdated": found.outdated,
        "under_way": found.rated is not None and found.rated < 1,
        "progress": percent(found.rated or 0.0),
    }


def may_ask(found: ReviewData) -> bool:
    """Return whether the reader played in the game and may have its moves assessed."""
    plays = found.look.seat is not None or found.look.game.is_practice
    is_wanted = found.rated is None or found.outdated
    return is_wanted and plays and review_figures.may_be_rated(found.look.game)


def _chart(found: ReviewData) -> dict[str, Any]:
    """Everybody's chance to win, or net worth while the chances are not known."""
    curve = chance_curve(found)
    table, seats = (
        PRESENTERS[found.look.game.system],
        people(table_persons(found.look.seats), found.look.seat),
    )
    names = [seats.name(seat) for seat in range(len(seats))]
    shown = [(seat, name, seats[seat].is_machine) for seat, name in enumerate(names)]
    if curve and seats.teams:
        shown = [(team, name, False) for team, name in enumerate(seats.sides(names))]
    context: dict[str, Any] = {
        "people_shown": shown,
        "chances_chart": None,
        "chart": None,
    }
    if curve:
        places = [place(found, one.after) for one in curve]
        context["chances_chart"] = chance_chart(places, [one.shares for one in curve])
        return context
    worth = [turn.worth for turn in found.turns]
    context["chart"] = chart(names, worth, table.amount) if len(worth) > 1 else None
    return context


def _rows(found: ReviewData, turns: dict[int, int]) -> list[dict[str, Any]]:
    """The moves and rulings in order, each with its turn if it begins one, and with its mark."""
    look, rated_by = found.look, {rated.number: rated for rated in found.assessments}
    rows: list[dict[str, Any]] = []
    turn = 0
    for entry in listed_entries(found):
        now = turns.get(entry.number, turn)
        rows.append(
            {
                "number": entry.number,
                "turn": now if now != turn else "",
                "seat": entry.seat,
                "bot": entry.seat is not None and look.seats[entry.seat].is_bot_playing,
                "text": _told(look, entry),
                "mark": move_mark(rated_by[entry.number]) if entry.number in rated_by else None,
                "rated": entry.number in rated_by,
            }
        )
        turn = now
    return rows


def _told(look: GameView, entry: LogEntry) -> str:
    """A move or ruling in a short sentence."""
    if entry.kind != LogEntry.Kind.MOVE:
        return log_entry_views(look, [entry])[0].text
    table, game = PRESENTERS[look.game.system], look.game
    name = player_name(look, review_figures.player_of(look, entry))
    told: str = table.was_made(game.rule_system.parse_move(entry.text), game.rules, name)
    return told


def _figures(found: ReviewData) -> dict[str, Any]:
    """Accuracy, sources of money, luck and skill, and the time used."""
    look, table = found.look, PRESENTERS[found.look.game.system]
    around = people(table_persons(look.seats), look.seat)
    names = [_("you") if seat == look.seat else str(person) for seat, person in enumerate(around.persons)]
    entries = without_taken_back(log_entry_views(look, look.entries))
    return {
        "plays": [_play(look, play) for play in review_figures.player_accuracy(found)],
        "breakdowns": table.breakdowns(look.seen, names, entries),
        "fates": [_fate(look, fate) for fate in review_figures.result_breakdowns(found)],
        "paces": [_pace(look, pace) for pace in review_figures.paces(look)],
        "lost_name": _("Lead lost"),
        "luck": table.luck(),
    }


def _play(look: GameView, play: Play) -> dict[str, Any]:
    return {
        "name": player_name(look, play.player),
        "me": review_figures.is_reader(look, play.player),
        "decisions": play.decisions,
        "accuracy": percent(play.accuracy),
        "lost_chance": win_points(play.lost_chance),
        "lost_lead": amount(look, play.lost_lead),
    }


def _signed(share: float) -> str:
    """A share of the win in points with its sign."""
    if not round(share, 3):
        return "0.0"
    return f"+{win_points(share)}" if share > 0 else win_points(share)


def _fate(look: GameView, fate: ResultBreakdown) -> dict[str, Any]:
    seat = look.seats[fate.seat]
    return {
        "name": player_name(look, Player(fate.seat, seat.name, stand_in=False)),
        "me": fate.seat == look.seat,
        "result": _signed(fate.result),
        "given_away": _signed(-fate.given_away),
        "got": _signed(fate.got),
        "luck": _signed(fate.luck),
    }


def _pace(look: GameView, pace: AnswerTimes) -> dict[str, Any]:
    return {
        "name": player_name(look, pace.player),
        "me": review_figures.is_reader(look, pace.player),
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
