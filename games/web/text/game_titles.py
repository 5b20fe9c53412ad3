"""Titles of games, and their rules, pace and number of players in words."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.models import AbuseReport, Game
from games.models.playable_systems import withheld_systems
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import join_list

MINUTE, HOUR, DAY = 60, 3600, 86400

# In a title without a name; a mail's subject has no room for six.
_MOST_NAMES: Final = 4

_UNITS: Final[list[tuple[int, Callable[[int], str]]]] = [
    (DAY, lambda n: ngettext("{n} day", "{n} days", n)),
    (HOUR, lambda n: ngettext("{n} hour", "{n} hours", n)),
    (MINUTE, lambda n: ngettext("{n} minute", "{n} minutes", n)),
]

# Durations from and to which seconds are told, as a live game counts them.
_IN_SECONDS: Final = (30, 120)


def title(game: Game) -> str:
    """Return the name that the host gave the game, or else its players, in the order of the seats.

    Lists prefetch `seats__user`; a game without them costs a query.
    """
    if game.name:
        return game.name
    is_loaded = "seats" in getattr(game, "_prefetched_objects_cache", {})
    seats = game.seats.all() if is_loaded else game.seats.select_related("user")
    names = [seat.name for seat in seats]
    if not names:
        return preset_title(game)
    if len(names) == 1:
        return _("{player}’s game").format(player=names[0])
    if len(names) <= _MOST_NAMES:
        return join_list(names)
    others = len(names) - _MOST_NAMES + 1
    told = ngettext("{names} and {n} other", "{names} and {n} others", others)
    return told.format(names=", ".join(names[:-others]), n=others)


def title_for(game: Game, reader: User | None) -> str:
    """Name the game for one reader by its other people: "Friday club, with bob and carol"."""
    others = _others(game, reader)
    if not others:
        return title(game)
    if game.name:
        return _("{game}, with {people}").format(game=game.name, people=join_list(others))
    return _("Game with {people}").format(people=join_list(others))


def titles_in_brackets(game: Game, reader: User | None, named: str = "") -> list[str]:
    """The same name for use in brackets, and shorter ones for where it does not fit, the longest first.

    `named` is the person whom the text before names already; it is "" if nothing is left to name.
    """
    everyone = _others(game, reader)
    if not everyone:
        return [title(game)]
    others = [person for person in everyone if person != named]
    if not others:
        return [game.name]
    people = [join_list(others), *([_first_of(others)] if len(others) > 1 else [])]
    if game.name:
        full = [_("{game}, with {people}").format(game=game.name, people=names) for names in people]
        return [*full, game.name]
    return [_("with {people}").format(people=names) for names in people]


def _others(game: Game, reader: User | None) -> list[str]:
    """The names of the people in the game, in the order of the seats, without the reader."""
    is_loaded = "seats" in getattr(game, "_prefetched_objects_cache", {})
    seats = game.seats.all() if is_loaded else game.seats.select_related("user").order_by("number")
    return [seat.name for seat in seats if reader is None or seat.user_id != reader.pk]


def _first_of(names: Sequence[str]) -> str:
    return ngettext("{name} and {n} other", "{name} and {n} others", len(names) - 1).format(
        name=names[0], n=len(names) - 1
    )


def report_subject(report: AbuseReport) -> str:
    """Return the subject of a report, for use in a sentence; hidden and deleted games are not named."""
    if report.about == AbuseReport.About.NAME:
        return _("the name {name}").format(name=report.called)
    if report.about == AbuseReport.About.GAME:
        assert report.game is not None
        shown = report.game.system not in withheld_systems() and report.game.deleted is None
        return _("the game {game}").format(game=title(report.game)) if shown else _("a game")
    said = _("a message from {name}") if report.about == AbuseReport.About.LINE else "{name}"
    return said.format(name=report.person)


def preset_title(game: Game) -> str:
    """Return the title of the game's preset."""
    return next(
        (preset.title for preset in PRESENTERS[game.system].presets() if preset.name == game.preset),
        game.preset,
    )


def rules_title(game: Game) -> str:
    """Return the title of the game's preset with the number of teams, marked if options differ from it."""
    rules = preset_title(game)
    if not game.plays_preset:
        rules = _("{rules}, changed").format(rules=rules)
    if not game.teams:
        return rules
    told = ngettext("{rules}, {n} team", "{rules}, {n} teams", len(game.teams))
    return told.format(rules=rules, n=len(game.teams))


def withheld_names() -> list[str]:
    """The names of rule systems that are off, which no page may mention."""
    return [PRESENTERS[system].name() for system in withheld_systems()]


def format_pace(game: Game) -> str:
    """Return the pace of a game in a few words."""
    if game.seconds_per_move is None:
        return _("No time limit")
    if game.is_live:
        return _live_pace(game.seconds_per_move, game.time_bank)
    if game.time_bank is not None:
        return _("{bank} plus {pace} per move").format(
            bank=format_duration(game.time_bank), pace=format_duration(game.seconds_per_move)
        )
    return _("{pace} per move").format(pace=format_duration(game.seconds_per_move))


def _live_pace(seconds: int, bank: int | None) -> str:
    if bank is None:
        return _("Live, {seconds}\N{NO-BREAK SPACE}s per move").format(seconds=seconds)
    said = _("Live, {minutes}\N{NO-BREAK SPACE}min + {seconds}\N{NO-BREAK SPACE}s")
    return said.format(minutes=f"{bank / MINUTE:.4g}", seconds=seconds)


def format_duration(seconds: float) -> str:
    """Return a duration in its largest whole unit: "3 days", "36 hours", "5 minutes", "90 seconds"."""
    if _IN_SECONDS[0] <= seconds <= _IN_SECONDS[1] and seconds % MINUTE and seconds == int(seconds):
        return ngettext("{n} second", "{n} seconds", int(seconds)).format(n=int(seconds))
    whole = ((unit, words) for unit, words in _UNITS if seconds >= unit and seconds % unit == 0)
    unit, words = next(whole, _UNITS[-1])
    number = max(1, round(seconds / unit))
    return words(number).format(n=number)


def format_roughly(time: timedelta) -> str:
    """Return a duration in whole days, hours or minutes, whichever leaves at least two: "9 days"."""
    seconds = time.total_seconds()
    unit = next((unit for unit in (DAY, HOUR) if seconds >= 2 * unit), MINUTE)
    return format_duration(max(1, round(seconds / unit)) * unit)


def players(game: Game) -> str:
    """Return the number of players, or the range of it before the start."""
    if game.is_open and game.min_players != game.max_players:
        sentence = ngettext("{least}–{most} player", "{least}–{most} players", game.max_players)
        return sentence.format(least=game.min_players, most=game.max_players)
    number = game.max_players if game.is_open else game.seats_taken
    return ngettext("{n} player", "{n} players", number).format(n=number)
