"""Titles of games, and their rules, pace and number of players in words."""

from collections.abc import Callable
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import AbuseReport, Game
from games.models.playable_systems import withheld_systems
from games.web.presenters.presenter_registry import PRESENTERS

MINUTE, HOUR, DAY = 60, 3600, 86400

_UNITS: Final[list[tuple[int, Callable[[int], str]]]] = [
    (DAY, lambda n: ngettext("{n} day", "{n} days", n)),
    (HOUR, lambda n: ngettext("{n} hour", "{n} hours", n)),
    (MINUTE, lambda n: ngettext("{n} minute", "{n} minutes", n)),
]


def title(game: Game) -> str:
    """Return the name that the host gave the game, or its rules and id."""
    return game.name or _("{rules}, game {id}").format(rules=preset_title(game), id=game.public_id)


def report_subject(report: AbuseReport) -> str:
    """Return the subject of a report, for use in a sentence; hidden and deleted games are not named."""
    if report.about == AbuseReport.About.NAME:
        return _("the name {name}").format(name=report.called)
    if report.about == AbuseReport.About.GAME:
        assert report.game is not None
        shown = report.game.system not in withheld_systems() and report.game.deleted is None
        return _("the game {game}").format(game=title(report.game)) if shown else _("a game")
    said = _("what {name} said") if report.about == AbuseReport.About.LINE else "{name}"
    return said.format(name=report.person)


def preset_title(game: Game) -> str:
    """Return the title of the game's preset."""
    return next(
        (preset.title for preset in PRESENTERS[game.system].presets() if preset.name == game.preset),
        game.preset,
    )


def rules_title(game: Game) -> str:
    """Return the title of the game's preset, marked if options differ from it."""
    if game.is_by_preset:
        return preset_title(game)
    return _("{rules}, changed").format(rules=preset_title(game))


def withheld_names() -> list[str]:
    """The names of rule systems that are off, which no page may mention."""
    return [PRESENTERS[system].name() for system in withheld_systems()]


def format_pace(game: Game) -> str:
    """Return the pace of a game in a few words."""
    if game.seconds_per_move is None:
        return _("no time limit")
    if game.time_bank is not None:
        return _("{bank} and {pace} a move").format(
            bank=format_duration(game.time_bank), pace=format_duration(game.seconds_per_move)
        )
    return _("{pace} a move").format(pace=format_duration(game.seconds_per_move))


def format_duration(seconds: float) -> str:
    """Return a duration in its largest whole unit: "3 days", "36 hours", "5 minutes"."""
    whole = ((unit, words) for unit, words in _UNITS if seconds >= unit and seconds % unit == 0)
    unit, words = next(whole, _UNITS[-1])
    number = max(1, round(seconds / unit))
    return words(number).format(n=number)


def players(game: Game) -> str:
    """Return the number of players, or the range of it before the start."""
    if game.is_open and game.min_players != game.max_players:
        return _("{least}–{most} players").format(least=game.min_players, most=game.max_players)
    number = game.max_players if game.is_open else game.seats_taken
    return ngettext("{n} player", "{n} players", number).format(n=number)
