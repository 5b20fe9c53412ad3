"""The terms of a game that is not yet created, in one line, and its seats."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.lobby.game_terms import GameTerms
from games.models import Game
from games.web.lobby.new_game_form import NewGameForm
from games.web.presenters.table_people import join_list
from games.web.text import late_text
from games.web.text.game_titles import format_pace, players, preset_title
from games.web.text.seat_names import level_name


@dataclass(frozen=True, slots=True)
class SummarySeat:
    """A seat of the game: who takes it; no name if it stays open."""

    name: str = ""
    is_computer: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """The chosen terms in a few words, and the seats in their order."""

    text: str
    seats: Sequence[SummarySeat]


def summary(user: Any, form: NewGameForm) -> Summary | None:
    """Sum up the terms chosen in the form; None while they contradict each other."""
    if not form.is_bound:
        shown = {name: form[name].value() for name in form.fields}
        chosen = {name: value for name, value in shown.items() if value not in (None, "", False)}
        form = NewGameForm(user, form.system, chosen)
    if not form.is_valid():
        return None
    terms = form.terms()
    try:
        game = terms.new_game(user)
    except ValueError:
        return None
    found = [
        _rules(game, len(set(terms.options) - {"teams"})),
        players(game),
        *_teams(game),
        *_computers(form.system, terms),
        format_pace(game),
    ]
    if not user.is_guest:
        found += [_visibility(game), _("rated") if game.rated else _("unrated")]
        found += filter(None, [late_text.label(game)])
    return Summary(" · ".join(found), _seats(user, form.system, terms))


def _computers(system: str, terms: GameTerms) -> list[str]:
    """The computer players that sit down at once, with their levels, and those that fill open seats."""
    found, number = [], len(terms.computers)
    if number:
        levels = dict.fromkeys(level_name(system, level) for level in terms.computers.values())
        found.append(
            ngettext("{n} computer player ({levels})", "{n} computer players ({levels})", number).format(
                n=number, levels=join_list(list(levels))
            )
        )
    if terms.fill and number < terms.most - 1:
        found.append(
            _("computer players ({level}) for seats left open").format(level=level_name(system, terms.fill))
        )
    return found


def _seats(user: Any, system: str, terms: GameTerms) -> list[SummarySeat]:
    taken = {number: level_name(system, level) for number, level in terms.computers.items()}
    others = [SummarySeat(taken.get(number, ""), number in taken) for number in range(1, terms.most)]
    return [SummarySeat(str(user)), *others]


def _rules(game: Game, changes: int) -> str:
    if not changes:
        return preset_title(game)
    return ngettext("{rules} with {n} change", "{rules} with {n} changes", changes).format(
        rules=preset_title(game), n=changes
    )


def _teams(game: Game) -> list[str]:
    number = len(game.teams)
    if not number:
        return []
    chat = {Game.TeamChat.BETWEEN: _("team chat between turns"), Game.TeamChat.ALWAYS: _("team chat")}
    told = [ngettext("{n} team", "{n} teams", number).format(n=number)]
    return [*told, chat[Game.TeamChat(game.team_chat)]] if game.team_chat else told


def _visibility(game: Game) -> str:
    return {
        Game.Visibility.PUBLIC: _("open to everyone"),
        Game.Visibility.UNLISTED: _("with an invite link"),
        Game.Visibility.INVITED: _("by invitation"),
    }[Game.Visibility(game.visibility)]
