"""The terms of a game that is not yet created, in one line."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Game
from games.web.lobby.new_game_form import NewGameForm
from games.web.text.game_titles import format_pace, players, preset_title


def summary(user: Any, form: NewGameForm) -> str:
    """Return the terms chosen in the form in a few words, or "" while they contradict each other."""
    if not form.is_bound:
        shown = {name: form[name].value() for name in form.fields}
        chosen = {name: value for name, value in shown.items() if value not in (None, "", False)}
        form = NewGameForm(user, form.system, chosen)
    if not form.is_valid():
        return ""
    terms = form.terms()
    try:
        game = terms.new_game(user)
    except ValueError:
        return ""
    found = [_rules(game, len(terms.options)), players(game), format_pace(game)]
    if not user.is_guest:
        found += [_visibility(game), _("rated") if game.rated else _("unrated")]
    return " · ".join(found)


def _rules(game: Game, changes: int) -> str:
    if not changes:
        return preset_title(game)
    return ngettext("{rules} with {n} change", "{rules} with {n} changes", changes).format(
        rules=preset_title(game), n=changes
    )


def _visibility(game: Game) -> str:
    return {
        Game.Visibility.PUBLIC: _("open to everyone"),
        Game.Visibility.UNLISTED: _("with an invite link"),
        Game.Visibility.INVITED: _("by invitation"),
    }[Game.Visibility(game.visibility)]
