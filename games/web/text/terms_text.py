"""The terms of a game in sentences."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Game
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.text import late_text
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
        alone = _("Several players share one device. The game is private and unrated, and it has no clock.")
        return [
            Term(_("Practice table"), alone),
            *_skips(game),
            Term(_("Taking back"), _takebacks(game)),
        ]
    return [
        Term(_("Who can join"), _who(game)),
        Term(_("Seats"), _seats(game)),
        Term(_("Start"), _start(game)),
        *_times(game),
        *_reliable(game),
        *_programs(game),
        *_team_chat(game),
        *_spectators(game),
        *_skips(game),
        Term(_("Taking back"), _takebacks(game)),
        Term(_("Rating"), _("This game is rated.") if game.rated else _("This game is not rated.")),
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
        Game.Visibility.PUBLIC: _("Everyone can join and watch. The game is listed in the lobby."),
        Game.Visibility.UNLISTED: _(
            "Anyone with the invite link can join. The lobby does not list the game."
        ),
        Game.Visibility.INVITED: _("Only people invited by the host can join."),
    }[Game.Visibility(game.visibility)]


def _seats(game: Game) -> str:
    number = (
        str(game.max_players)
        if game.min_players == game.max_players
        else f"{game.min_players}–{game.max_players}"
    )
    players = ngettext("{number} player.", "{number} players.", game.max_players).format(number=number)
    if not game.fill_level:
        return players
    rest = _("Seats still open at the start go to computer players ({level}).").format(
        level=level_name(game.system, game.fill_level)
    )
    return f"{players} {rest}"


def _start(game: Game) -> str:
    if game.start == Game.Start.FULL and game.min_players == game.max_players:
        return _("The game starts as soon as all seats are taken.")
    if game.start == Game.Start.FULL:
        return _(
            "The game starts as soon as all seats are taken. The host can start it earlier with "
            "fewer players."
        )
    return _("The host starts the game once enough seats are taken.")


def _programs(game: Game) -> list[Term]:
    """The term about bot accounts, if they may join without an invitation."""
    if not game.bots_allowed:
        return []
    return [Term(_("Bots"), _("Members’ bots can join. Their names end in “-bot”."))]


def _team_chat(game: Game) -> list[Term]:
    """The term about the chat within a team, if there are teams."""
    if not game.teams:
        return []
    sentence = {
        Game.TeamChat.OFF: _("Teams have no chat of their own."),
        Game.TeamChat.BETWEEN: _("Partners can write to each other between their own turns."),
        Game.TeamChat.ALWAYS: _("Partners can write to each other at any time."),
    }[Game.TeamChat(game.team_chat)]
    return [Term(_("Team chat"), sentence)]


def _spectators(game: Game) -> list[Term]:
    """The term about the delay with which spectators see the game, if there is one."""
    told = late_text.term(game)
    return [Term(_("Spectators"), told)] if told else []


def _skips(game: Game) -> list[Term]:
    """The term about forced moves, if the rule system has them."""
    if not game.rule_system.HAS_FORCED_MOVES:
        return []
    if game.skip_forced_moves:
        house = _("When a player has only one possible move and everyone can see why, the site makes it.")
        return [Term(_("Automatic moves"), house)]
    asked = _("Players make every move themselves, even when only one is possible.")
    return [Term(_("Automatic moves"), asked)]


def _takebacks(game: Game) -> str:
    if game.takebacks_allowed:
        return _(
            "Players can take back moves on their own turn until something hidden is revealed or someone "
            "else moves."
        )
    return _("Players cannot take back moves.")


def _times(game: Game) -> list[Term]:
    found = [Term(_("Time"), _time(game))]
    if game.is_live:
        live = _("Everyone plays at the same time. No email tells you that it is your turn.")
        found.insert(0, Term(_("Live game"), live))
    if game.seconds_per_move is not None and game.clock_pauses and not game.is_live:
        found.append(Term(_("Clock pauses"), _off(game)))
    if game.seconds_per_move is not None:
        found.append(Term(_("When time runs out"), _overrun(game)))
    return found


def _reliable(game: Game) -> list[Term]:
    if game.min_on_time_percent is None:
        return []
    asked = _("Only invited players, new players and players with at least {least}% punctuality can join.")
    return [Term(_("Minimum punctuality"), asked.format(least=game.min_on_time_percent))]


def _time(game: Game) -> str:
    if game.seconds_per_move is None:
        return _("No time limit.")
    if game.time_bank is None:
        return _("{time} per move.").format(time=format_duration(game.seconds_per_move))
    store = _("Each player starts with {bank}, and every move adds {pace}.").format(
        bank=format_duration(game.time_bank), pace=format_duration(game.seconds_per_move)
    )
    if game.time_bank_cap is None:
        return store
    limit = _("The time bank never holds more than {cap}.").format(cap=format_duration(game.time_bank_cap))
    return f"{store} {limit}"


def _off(game: Game) -> str:
    return {
        Game.ClockPauses.NIGHTS: _("Clocks pause from 23:00 to 07:00 in each player’s own time zone."),
        Game.ClockPauses.WEEKENDS: _("Clocks pause on Saturdays and Sundays in each player’s own time zone."),
        Game.ClockPauses.BOTH: _(
            "Clocks pause from 23:00 to 07:00 and on Saturdays and Sundays in each player’s own time zone."
        ),
    }[Game.ClockPauses(game.clock_pauses)]


def _overrun(game: Game) -> str:
    if game.is_live:
        return {
            Game.OnTimeout.DECIDE: _("A computer player makes that one move."),
            Game.OnTimeout.TAKE: _(
                "A computer player takes over the seat until its player comes back or someone else takes it."
            ),
            Game.OnTimeout.VOTE: _(
                "The other players vote. A computer player makes that one move or takes over the seat."
            ),
        }[Game.OnTimeout(game.on_timeout)]
    grace = _("Each player who runs out of time gets one extension per game.")
    then = {
        Game.OnTimeout.DECIDE: _("After that, a computer player makes that one move."),
        Game.OnTimeout.TAKE: _(
            "After that, a computer player takes over the seat until its player comes back or "
            "someone else takes it."
        ),
        Game.OnTimeout.VOTE: _(
            "After that, the other players vote. A computer player makes that one move or takes over "
            "the seat."
        ),
    }[Game.OnTimeout(game.on_timeout)]
    return f"{grace} {then}"
