"""Moderators who do anything they are allowed to."""

from random import Random
from typing import Any

from django.core.exceptions import ValidationError

from accounts.moderation.action_forms import ChoiceField, MemberField
from accounts.refusals import Refusal
from games.models import Game
from games.moderation.actions.game_actions import GAME_ACTIONS
from tests.moderation.actions.conftest import REASON, again
from tests.support.games import play_on
from tests.support.staff_actions import perform_action


def filled_in(name: str, game: Game, rng: Random) -> dict[str, Any]:
    """Fill in each field of an action, most of them with something sensible."""
    values: dict[str, Any] = {}
    form = GAME_ACTIONS[name].form_class(target=game)
    for field in form.own_fields():
        kind = form.fields[field]
        if isinstance(kind, ChoiceField):
            values[field] = rng.choice([value for value, _label in kind.choices if value] or ["1"])  # type: ignore[union-attr]
        elif isinstance(kind, MemberField):
            values[field] = rng.choice(["carol", "dora", "alice", "bob"])
        elif field == "entry":
            values[field] = rng.randrange(max(1, game.version - 12), game.version + 1)
        elif field == "line":
            values[field] = rng.choice([*game.lines.values_list("pk", flat=True), 1])
        else:
            values[field] = rng.randrange(1, 50)
    return values


# Actions that end a game would leave little to do.
NAMES = sorted(set(GAME_ACTIONS) - {"end-with-standings", "end-without-result", "cancel"})


def anything(game: Game, rng: Random) -> str:
    """Play or moderate at random, and return what was done."""
    if rng.random() < 0.4:
        now = again(game)
        if now.paused is None and now.deleted is None:
            play_on(game, rng.randrange(1, 6), seed=rng.randrange(1000))
        return "play"
    now = again(game)
    name = rng.choice(NAMES)
    if now.deleted is not None and rng.random() < 0.5:
        name = "restore"
    try:
        values = filled_in(name, now, rng)
        perform_action(GAME_ACTIONS[name], now, None, REASON, **values)
    except ValidationError as error:
        return f"{name}, refused: {error.messages}"
    except Refusal as error:
        assert error.message
        return f"{name}, refused: {error.message}"
    return name
