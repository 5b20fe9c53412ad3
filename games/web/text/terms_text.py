"""The terms of a game in sentences."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.models import Game
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.text.game_titles import format_duration
from games.web.text.seat_names import level_name


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a game; `changed` if it differs from the preset."""

    name: str
    sentence: str
    changed: bool = False


def settings(game: Game) -> list[Term]:
    """The terms of a game besides its rules."""
    if game.is_practice:
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
    """All options of the rules with their sentences."""
    table, system = PRESENTERS[game.system], game.rule_system
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
        str(game.max_players)
        if game.min_players == game.max_players
        else _("{least} to {most}").format(least=game.min_players, most=game.max_players)
    )
    players = _("{number} players.").format(number=number)
    if not game.fill_level:
        return players
    rest = _("Seats still free at the start are taken by computer opponents ({level}).").format(
        level=level_name(game.system, game.fill_level)
    )
    return f"{players} {rest}"


def _start(game: Game) -> str:
    if game.start == Game.Start.FULL and game.min_players == game.max_players:
        return _("By itself, as soon as all seats are taken.")
    if game.start == Game.Start.FULL:
        return _(
            "By itself, as soon as all seats are taken; the host may start it with fewer players before."
        )
    return _("When the host says so, once enough seats are taken.")


def _programs(game: Game) -> list[Term]:
    """The term about bot accounts, if they may join without an invitation."""
    if not game.bots_allowed:
        return []
    return [Term(_("Programs"), _("Programs of members can join. Their names end with “-bot”."))]


def _skips(game: Game) -> list[Term]:
    """The term about forced moves, if the rule system has them."""
    if not game.rule_system.HAS_FORCED_MOVES:
        return []
    if game.skip_forced_moves:
        house = _("Where a player has one answer only, and everybody can see it, the house gives it.")
        return [Term(_("Nothing to decide"), house)]
    asked = _("Every decision is asked, even where there is one answer only.")
    return [Term(_("Nothing to decide"), asked)]


def _takebacks(game: Game) -> str:
    if game.takebacks_allowed:
        return _(
            "Steps of one’s own turn can be taken back until something is revealed or somebody else acts."
        )
    return _("What was done stands.")


def _times(game: Game) -> list[Term]:
    found = [Term(_("Time"), _time(game))]
    if game.seconds_per_move is not None and game.clock_pauses:
        found.append(Term(_("Pauses"), _off(game)))
    if game.seconds_per_move is not None:
        found.append(Term(_("When time is over"), _overrun(game)))
    return found


def _reliable(game: Game) -> list[Term]:
    if game.min_on_time_percent is None:
        return []
    asked = _("Whose decisions came in time at least {least} % of the times, newcomers, and who is invited.")
    return [Term(_("Who can sit down"), asked.format(least=game.min_on_time_percent))]


def _time(game: Game) -> str:
    if game.seconds_per_move is None:
        return _("There is no time limit.")
    if game.time_bank is None:
        return _("{time} for each decision.").format(time=format_duration(game.seconds_per_move))
    store = _("Everybody begins with {bank}, and each decision brings {pace} more.").format(
        bank=format_duration(game.time_bank), pace=format_duration(game.seconds_per_move)
    )
    if game.time_bank_cap is None:
        return store
    return f"{store} {_('Nobody ever has more than {cap}.').format(cap=format_duration(game.time_bank_cap))}"


def _off(game: Game) -> str:
    return {
        Game.ClockPauses.NIGHTS: _("Clocks stand still from 23 to 7 o’clock, where whoever decides lives."),
        Game.ClockPauses.WEEKENDS: _(
            "Clocks stand still on Saturdays and Sundays, where whoever decides lives."
        ),
        Game.ClockPauses.BOTH: _(
            "Clocks stand still from 23 to 7 o’clock and on Saturdays and Sundays,"
            " where whoever decides lives."
        ),
    }[Game.ClockPauses(game.clock_pauses)]


def _overrun(game: Game) -> str:
    grace = _("Once in a game everybody gets the time for one decision more.")
    then = {
        Game.OnTimeout.DECIDE: _("After that a computer decides this once."),
        Game.OnTimeout.TAKE: _(
            "After that a computer takes the seat, until its player comes back"
            " or somebody else takes it over."
        ),
        Game.OnTimeout.VOTE: _(
            "After that the others vote whether a computer decides this once or takes the seat."
        ),
    }[Game.OnTimeout(game.on_timeout)]
    return f"{grace} {then}"
