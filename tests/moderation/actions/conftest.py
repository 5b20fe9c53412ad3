"""Helpers for staff actions on games, and a moderator with no part in any game."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission

from accounts.models import AuditEntry, User
from games.log.positions import standing_steps, state_after
from games.models import Game, LogEntry, Notification
from games.moderation.actions.game_actions import GAME_ACTIONS
from tests.support.mailboxes import with_mailbox
from tests.support.staff_actions import perform_action

REASON = "Nobody could play on."


@pytest.fixture
def alice(alice: User) -> User:
    return with_mailbox(alice)


@pytest.fixture
def bob(bob: User) -> User:
    return with_mailbox(bob)


@pytest.fixture
def carol(carol: User) -> User:
    return with_mailbox(carol)


@pytest.fixture
def mona(db: None) -> User:
    """A moderator of games without any other right."""
    mona = User.objects.create_user("mona", is_staff=True)
    mona.user_permissions.add(Permission.objects.get(codename="moderate_game"))
    return User.objects.get(pk=mona.pk)


def act(name: str, game: Game, by: User | None = None, reason: str = REASON, **values: Any) -> AuditEntry:
    """Perform an action as this moderator, or from the shell without one."""
    return perform_action(GAME_ACTIONS[name], again(game), by, reason, **values)


def again(game: Game) -> Game:
    """Read the game again as it is stored now."""
    return Game.all_games.defer(None).get(pk=game.pk)


def last_entry(game: Game) -> LogEntry:
    return LogEntry.objects.filter(game=game).latest("number")


def told(user: User, **facts: Any) -> list[str]:
    """The kinds of a user's notifications; for those of moderators, the action."""
    rows = Notification.objects.filter(user=user, endpoint=None, **facts).order_by("pk")
    return [row.moderator_action or row.kind for row in rows]


def replays(game: Game) -> bool:
    """Return whether the log leads to the stored state; fails on gaps and differences."""
    game = again(game)
    entries = list(game.moves.all())
    assert [entry.number for entry in entries] == list(range(1, game.version + 1))
    system = game.rule_system
    state = state_after(game, standing_steps(entries))
    assert system.state_to_json(state) == system.state_to_json(system.state_from_json(game.state))
    return True
