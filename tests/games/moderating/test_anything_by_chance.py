"""Moderators do anything at any time to games played at random: the log always leads to what is stored."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from django.core.exceptions import ValidationError

from accounts.models import Audit, User
from accounts.services.action_forms import ChoiceField, MemberField
from accounts.services.refusals import Refusal
from games import queries, services
from games.models import Game, Notification
from games.services.moderating import GAME_ACTIONS
from tests.staff_actions import perform_action

from ..conftest import play_on
from .conftest import REASON, again, member, replays

pytestmark = pytest.mark.django_db

STEPS = 60


def filled_in(name: str, game: Game, rng: Random) -> dict[str, Any]:
    """Something for each field, most of it sensible."""
    values: dict[str, Any] = {}
    form = GAME_ACTIONS[name].form_class(target=game)
    for field in form.own_fields():
        kind = form.fields[field]
        if isinstance(kind, ChoiceField):
            values[field] = rng.choice([value for value, _label in kind.choices if value] or ["1"])
        elif isinstance(kind, MemberField):
            values[field] = rng.choice(["carol", "dora", "alice", "bob"])
        elif field == "entry":
            values[field] = rng.randrange(max(1, game.version - 12), game.version + 1)
        elif field == "line":
            values[field] = rng.choice([*game.lines.values_list("pk", flat=True), 1])
        else:
            values[field] = rng.randrange(1, 50)
    return values


# What ends a game would leave little to do.
NAMES = sorted(set(GAME_ACTIONS) - {"end-with-standings", "end-without-result", "cancel"})


def anything(game: Game, rng: Random) -> str:
    """Do something to the game: play, or moderate; returns what."""
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


def check(game: Game) -> None:
    now = again(game)
    assert replays(game)
    assert queries.replay(now).faults == []
    stands = now.held is not None or now.deleted is not None
    assert (now.paused is not None) == (stands and now.finished is None)
    if now.paused is not None:
        assert now.deadline is None
    if now.is_running and now.paused is None:
        asks_person, asks_computer = now.asked_id is not None, now.due is not None
        assert asks_person != asks_computer
        assert (now.deadline is not None) == asks_person
    asking = Notification.objects.filter(game=game, kind="decision", state="waiting")
    assert {(row.user_id, row.version) for row in asking} <= {(now.asked_id, now.version)}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("bank", [None, 3600], ids=["each decision", "bank"])
def test_whatever_moderators_do_the_log_leads_to_what_is_stored(
    seed: int, bank: int | None, start: Callable[..., Game], alice: User, bob: User, carol: User
) -> None:
    member("dora")
    rng = Random(seed)
    terms = {"pace": 3600, "bank": bank, "visibility": "public", "rated": True}
    game = start(alice, bob, "easy", terms=terms)
    services.say(game_id=game.pk, user=alice, text="Good luck!")
    done = []
    for _ in range(STEPS):
        done.append(anything(game, rng))
        check(game)
    assert Audit.objects.count() == sum("refused" not in what and what != "play" for what in done)
    assert Audit.objects.count() > STEPS / 10
