"""The terms of a game in sentences: before its start, and for the page of the rules of a table."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Game
from games.tables import TABLES

from .naming import level_name

HOUR, DAY = 3600, 86400


@dataclass(frozen=True, slots=True)
class Term:
    """One term: its name and what it means here; `changed` when the set of rules says otherwise."""

    name: str
    sentence: str
    changed: bool = False


def settings(game: Game) -> list[Term]:
    """What the host chose besides the rules."""
    return [
        Term(_("Who can join"), _who(game)),
        Term(_("Seats"), _seats(game)),
        Term(_("The game starts"), _start(game)),
        Term(_("Time"), _time(game.pace)),
        Term(_("Rating"), _("The game counts.") if game.rated else _("The game is for fun.")),
    ]


def options(game: Game) -> list[Term]:
    """Every option of the rules, in its sentence."""
    table, system = TABLES[game.system], game.rule_system
    names, sentences, usual = table.option_names(), table.option_values(), system.PRESETS.get(game.preset)
    found = []
    for option in system.OPTIONS:
        value = getattr(game.rules, option)
        changed = usual is not None and getattr(usual, option) != value
        found.append(Term(names[option], sentences[option, value], changed))
    return found


def _who(game: Game) -> str:
    return {
        Game.Visibility.PUBLIC: _("Everybody can join and watch: the game stands in the lobby."),
        Game.Visibility.UNLISTED: _(
            "Whoever has the invite link can join; the lobby does not show the game."
        ),
        Game.Visibility.INVITED: _("Only people whom the host invites can join."),
    }[Game.Visibility(game.visibility)]


def _seats(game: Game) -> str:
    number = (
        str(game.most)
        if game.least == game.most
        else _("{least} to {most}").format(least=game.least, most=game.most)
    )
    players = _("{number} players.").format(number=number)
    if not game.fill:
        return players
    rest = _("Seats still free at the start are taken by computer opponents ({level}).").format(
        level=level_name(game.system, game.fill)
    )
    return f"{players} {rest}"


def _start(game: Game) -> str:
    if game.start == Game.Start.FULL and game.least == game.most:
        return _("By itself, as soon as all seats are taken.")
    if game.start == Game.Start.FULL:
        return _(
            "By itself, as soon as all seats are taken; the host may start it with fewer players before."
        )
    return _("When the host says so, once enough seats are taken.")


def _time(pace: int | None) -> str:
    if pace is None:
        return _("There is no time limit.")
    return _("{time} for each decision; when it is over, a computer decides this once.").format(
        time=_long(pace)
    )


def _long(seconds: int) -> str:
    if seconds % DAY == 0:
        return ngettext("{n} day", "{n} days", seconds // DAY).format(n=seconds // DAY)
    hours = max(1, round(seconds / HOUR))
    return ngettext("{n} hour", "{n} hours", hours).format(n=hours)
