"""Blocks made while the two sit down or invite: they never wait at one table."""

from functools import partial

import pytest
from django.db import connection

from accounts.models import User
from games.lobby import block_list
from games.lobby.block_list import block
from games.lobby.invite import invite
from games.lobby.join_game import join
from games.models import Block, Game, Invitation
from games.players import limits
from games.refusals import BlockedFromTable, CannotBeInvited
from tests.support.games import NewGame, make_room
from tests.support.simultaneous_calls import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

ROUNDS = 6
REFUSED = (BlockedFromTable, CannotBeInvited)


def check_apart(game: Game, *results: object) -> None:
    """Assert that only the block refused something, and that the two do not wait together."""
    assert [
        error for error in results if isinstance(error, Exception) and not isinstance(error, REFUSED)
    ] == []
    assert Block.objects.count() == 1
    both = game.seats.filter(user__in=Block.objects.values("user")).exists() and (
        game.seats.filter(user__in=Block.objects.values("person")).exists()
    )
    assert not both, "they wait together"


def reset(*users: User) -> None:
    Block.objects.all().delete()
    make_room(*users)


@pytest.mark.parametrize("who", ["the host", "the one who joins"])
def test_block_during_join(create: NewGame, alice: User, bob: User, carol: User, who: str) -> None:
    for _ in range(ROUNDS):
        reset(alice, bob, carol)
        game = create(carol)
        join(game_id=game.pk, user=alice)
        pair = (alice, bob) if who == "the host" else (bob, alice)
        check_apart(game, *at_once(partial(join, game_id=game.pk, user=bob), partial(block, *pair)))


def test_block_during_two_joins(create: NewGame, alice: User, bob: User, carol: User) -> None:
    for _ in range(ROUNDS):
        reset(alice, bob, carol)
        game = create(carol)
        joins = [partial(join, game_id=game.pk, user=user) for user in (alice, bob)]
        check_apart(game, *at_once(*joins, partial(block, alice, bob)))


def test_mutual_blocks(alice: User, bob: User) -> None:
    for _ in range(ROUNDS):
        reset(alice, bob)
        results = at_once(partial(block, alice, bob), partial(block, bob, alice))
        assert results == [None, None]
        assert Block.objects.count() == 2


def test_block_during_invitation(create: NewGame, alice: User, bob: User) -> None:
    for _ in range(ROUNDS):
        reset(alice, bob)
        game = create(alice)
        results = at_once(partial(invite, game_id=game.pk, user=bob, by=alice), partial(block, bob, alice))
        check_apart(game, *results)
        assert not Invitation.objects.filter(game=game).exists()


def test_missing_block_lock_is_detected(
    create: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sabotage twin: the block locks nobody while bob sits down."""
    if connection.vendor != "postgresql":
        pytest.skip("on SQLite the transaction itself is the lock")
    game = create(alice)
    found = limits.is_at_game_limit

    def meanwhile(user: User) -> bool:
        """Let alice block bob during the last check before bob sits down."""
        at_once(partial(block, alice, bob))
        return found(user)

    monkeypatch.setattr(block_list, "_lock", lambda *people: None)
    monkeypatch.setattr(limits, "is_at_game_limit", meanwhile)
    join(game_id=game.pk, user=bob)
    with pytest.raises(AssertionError, match="they wait together"):
        check_apart(game)
