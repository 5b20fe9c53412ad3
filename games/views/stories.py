"""The story of a game that is over: how it went, what was thought of it, and how long it took."""

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

from games import queries, services
from games.bots import ADVISERS
from games.models import Assessment, Move
from games.queries import Look
from games.queries.stories import Fate, Pace, Play, Player, Told, Turning
from games.tables import COMPUTER, TABLES, People, people
from games.tables.advice import percent
from games.tables.chart import chart
from games.tables.log import standing

from .covering import opened
from .naming import DAY, HOUR, MINUTE, level_name, persons, title
from .pictures import may_have, preview
from .requests import Request
from .telling import told as entries_told

_MINUS: Final = "−"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def story(request: Request, public_id: str) -> HttpResponse:
    """The story of a game; a POST of somebody who played in it asks for its decisions to be rated.

    htmx gets the part about the decisions alone, which grows while they are being rated.
    """
    found = queries.story(public_id, request.user, opened(request, public_id))
    if request.method == "POST":
        return _ask(request, found)
    if request.htmx:
        return render(request, "games/_rated.html", _rated(found))
    has_picture = may_have(found.look, request.user)
    context = {**_context(found), **_rated(found), **preview(found.look), "has_picture": has_picture}
    return render(request, "games/story.html", context)


@login_required
def _ask(request: Request, found: Told) -> HttpResponse:
    if not _may_ask(found):
        raise Http404
    services.begin_report(found.look.game)
    return redirect("story", found.look.game.public_id)


def _may_ask(found: Told) -> bool:
    """Whether the reader played in a game that nobody rates: it was over before games were rated."""
    plays = found.look.seat is not None or found.look.game.practice
    return found.rated is None and plays and queries.may_be_rated(found.look.game)


def _context(found: Told) -> dict[str, Any]:
    """How the game went."""
    look, table = found.look, TABLES[found.look.game.system]
    around = _around(look)
    names = [_("you") if seat == look.seat else str(person) for seat, person in enumerate(around.persons)]
    entries = standing(entries_told(look, look.entries))
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
        "turning": [_turning(look, around, turning) for turning in queries.turning_points(found.turns)],
        "paces": [_pace(look, pace) for pace in queries.paces(look)],
    }


def _rated(found: Told) -> dict[str, Any]:
    """What was thought of the decisions, as far as they are rated."""
    look = found.look
    entries = {entry.number: entry for entry in look.entries}
    plays = queries.plays(found)

    def judged(some: Iterable[Assessment]) -> list[dict[str, Any]]:
        return [_judged(look, rated, entries[rated.number]) for rated in some]

    return {
        "title": title(look.game),
        "story_url": reverse("story", args=[look.game.public_id]),
        "level": level_name(look.game.system, ADVISERS.get(look.game.system, "")),
        "may_ask": _may_ask(found),
        "is_rated": found.rated is not None,
        "under_way": found.rated is not None and found.rated < 1,
        "progress": percent(found.rated or 0.0),
        "plays": [_play(look, play) for play in plays],
        "costly": judged(queries.costly(found)),
        "judged": judged(found.assessments),
        "fates": [_fate(look, fate) for fate in queries.fates(found)],
        "lost_name": _("{points} lost").format(points=TABLES[look.game.system].score_name()),
        "luck": TABLES[look.game.system].luck(),
    }


def _around(look: Look) -> People:
    return people(persons(look.seats), look.seat)


def _name(look: Look, player: Player) -> str:
    """Who decided, as a table names them."""
    seat = look.seats[player.seat]
    if player.stand_in:
        return _("{name}, in whose place a computer decided").format(name=player.name)
    if player.name != seat.name:
        return player.name
    if player.seat == look.seat:
        return _("you")
    return f"{player.name} {COMPUTER}" if seat.by_computer and not seat.is_replaced else player.name


def _turning(look: Look, around: People, turning: Turning) -> dict[str, Any]:
    table = TABLES[look.game.system]
    text = _("{who} gained {points} on everybody else, and took the lead.")
    if not turning.took_lead:
        text = _("{who} gained {points} on everybody else.")
    return {
        "turn": turning.turn,
        "url": _position(look, turning.after),
        "text": text.format(who=around.start(turning.seat), points=table.score(turning.gained)),
    }


def _position(look: Look, number: int) -> str:
    return reverse("position", args=[look.game.public_id, number])


def _play(look: Look, play: Play) -> dict[str, Any]:
    return {
        "name": _name(look, play.player),
        "me": play.player.seat == look.seat and not play.player.stand_in,
        "decisions": play.decisions,
        "accuracy": percent(play.accuracy),
        "lost_chance": _points(play.lost_chance),
        "lost_lead": _amount(look, play.lost_lead),
    }


def _amount(look: Look, points: float) -> str:
    """So much of what the game is won by, to whole hundreds where it comes to thousands."""
    whole = round(points, -2) if points >= 1000 else round(points)
    amount: str = TABLES[look.game.system].amount(int(whole))
    return amount


def _points(share: float) -> str:
    """A part of the win in points: a hundred of them are a whole one."""
    return f"{100 * share:.1f}".replace("-", _MINUS)


def _signed(share: float) -> str:
    """The same with its sign."""
    return f"+{_points(share)}" if round(share, 3) > 0 else _points(share) if round(share, 3) else "0.0"


def _judged(look: Look, rated: Assessment, entry: Move) -> dict[str, Any]:
    """A decision and what was thought of it; `lost_chance` is "" where nothing was lost."""
    table, game = TABLES[look.game.system], look.game
    system = game.rule_system

    def phrase(text: str) -> str:
        said: str = table.phrase(system.parse_move(text), game.rules)
        return said

    return {
        "number": rated.number,
        "url": _position(look, rated.number - 1),
        "name": _name(look, queries.player_of(look, entry)),
        "played": phrase(entry.text),
        "best": phrase(rated.best),
        "lost_chance": _points(rated.lost_chance) if rated.lost_chance > 0 else "",
        # Where it is the win that was given away, and nothing else, there is no need to say so.
        "lost_lead": _amount(look, rated.lost_lead) if round(rated.lost_lead) else "",
    }


def _fate(look: Look, fate: Fate) -> dict[str, Any]:
    seat = look.seats[fate.seat]
    return {
        "name": _name(look, Player(fate.seat, seat.name, stand_in=False)),
        "me": fate.seat == look.seat,
        "result": _signed(fate.result),
        "given_away": _signed(-fate.given_away),
        "got": _signed(fate.got),
        "luck": _signed(fate.luck),
    }


def _pace(look: Look, pace: Pace) -> dict[str, Any]:
    return {
        "name": _name(look, pace.player),
        "me": pace.player.seat == look.seat,
        "times": pace.times,
        "median": _span(pace.median),
        "longest": _span(pace.longest),
    }


def _span(time: timedelta) -> str:
    """A stretch of time in its two largest units: "2 days 3 h", "5 min 10 s"."""
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
