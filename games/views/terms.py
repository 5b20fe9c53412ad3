"""The terms of a game in sentences: before its start, and for the page of the rules of a table."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.models import Game
from games.tables import TABLES

from .naming import level_name, span


@dataclass(frozen=True, slots=True)
class Term:
    """One term: its name and what it means here; `changed` when the set of rules says otherwise."""

    name: str
    sentence: str
    changed: bool = False


def settings(game: Game) -> list[Term]:
    """What the host chose besides the rules."""
    if game.practice:
        alone = _("Several players on one device, for fun. Nobody else sees it, and no clock runs.")
        return [
            Term(_("Practice table"), alone),
            *_skips(game),
            Term(_("Taking back"), _takebacks(game)),
        ]
    return [
        Term(_("Who can join"), _who(game)),
        Term(_("Seats"), _seats(game)),
        Term(_("The game starts"), _start(game)),
        *_times(game),
        *_reliable(game),
        *_programs(game),
        *_skips(game),
        Term(_("Taking back"), _takebacks(game)),
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


def _programs(game: Game) -> list[Term]:
    """Nothing where none comes in but who is invited."""
    if not game.programs:
        return []
    return [Term(_("Programs"), _("Programs of members can join. Their names end with “-bot”."))]


def _skips(game: Game) -> list[Term]:
    """Nothing where the rules never leave one answer only."""
    if not game.rule_system.FORCES:
        return []
    if game.skips:
        house = _("Where a player has one answer only, and everybody can see it, the house gives it.")
        return [Term(_("Nothing to decide"), house)]
    asked = _("Every decision is asked, even where there is one answer only.")
    return [Term(_("Nothing to decide"), asked)]


def _takebacks(game: Game) -> str:
    if game.takebacks:
        return _(
            "Steps of one’s own turn can be taken back until something is revealed or somebody else acts."
        )
    return _("What was done stands.")


def _times(game: Game) -> list[Term]:
    found = [Term(_("Time"), _time(game))]
    if game.pace is not None and game.off:
        found.append(Term(_("Pauses"), _off(game)))
    if game.pace is not None:
        found.append(Term(_("When time is over"), _overrun(game)))
    return found


def _reliable(game: Game) -> list[Term]:
    if game.reliable is None:
        return []
    asked = _("Whose decisions came in time at least {least} % of the times, newcomers, and who is invited.")
    return [Term(_("Who can sit down"), asked.format(least=game.reliable))]


def _time(game: Game) -> str:
    if game.pace is None:
        return _("There is no time limit.")
    if game.bank is None:
        return _("{time} for each decision.").format(time=span(game.pace))
    store = _("Everybody begins with {bank}, and each decision brings {pace} more.").format(
        bank=span(game.bank), pace=span(game.pace)
    )
    if game.cap is None:
        return store
    return f"{store} {_('Nobody ever has more than {cap}.').format(cap=span(game.cap))}"


def _off(game: Game) -> str:
    return {
        Game.Off.NIGHTS: _("Clocks stand still from 23 to 7 o’clock, where whoever decides lives."),
        Game.Off.WEEKENDS: _("Clocks stand still on Saturdays and Sundays, where whoever decides lives."),
        Game.Off.BOTH: _(
            "Clocks stand still from 23 to 7 o’clock and on Saturdays and Sundays,"
            " where whoever decides lives."
        ),
    }[Game.Off(game.off)]


def _overrun(game: Game) -> str:
    grace = _("Once in a game everybody gets the time for one decision more.")
    then = {
        Game.Overrun.DECIDE: _("After that a computer decides this once."),
        Game.Overrun.TAKE: _(
            "After that a computer takes the seat, until its player comes back"
            " or somebody else takes it over."
        ),
        Game.Overrun.VOTE: _(
            "After that the others vote whether a computer decides this once or takes the seat."
        ),
    }[Game.Overrun(game.overrun)]
    return f"{grace} {then}"
