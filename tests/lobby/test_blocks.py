"""Blocks keep two members apart, and the blocked one does not learn of it."""

import io
import re
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.membership.account_deletion import delete_account
from accounts.models import User
from accounts.privacy.account_data import personal_data_zip
from games.chat.conversation import blocked_by, unread
from games.chat.messages import say
from games.lobby import block_list, game_lists
from games.lobby.block_list import block, unblock
from games.lobby.invite import invite, invite_address
from games.lobby.join_game import join
from games.lobby.rematch import start_rematch
from games.models import Block, Game, Invitation, Kind, Notification
from games.notifications.outbox.claim import claim_letter
from games.play.seats.substitutes import take_over_seat
from games.players import blocks
from games.refusals import BlockedFromTable, MembersOnly, NotInvited, TooManyBlocks
from tests.support.clients import client_of
from tests.support.games import NewGame, make_room, play_to_the_end

pytestmark = pytest.mark.django_db


@pytest.fixture
def dave(db: None) -> User:
    return User.objects.create_user("dave")


def both_ways(one: User, other: User) -> list[tuple[User, User]]:
    return [(one, other), (other, one)]


# -- Blocking and unblocking -----------------------------------------------------------------------------


def test_block_is_made_once_and_taken_back(alice: User, bob: User) -> None:
    block(alice, bob)
    block(alice, bob)
    assert list(blocked_by(alice)) == [bob]
    assert list(blocked_by(bob)) == []
    unblock(alice, bob)
    unblock(alice, bob)
    assert not blocks.is_blocked_between(alice, bob)


def test_guests_and_oneself_are_not_blocked(alice: User, guest: User) -> None:
    block(alice, alice)
    with pytest.raises(MembersOnly):
        block(guest, alice)
    assert not Block.objects.exists()


def test_blocks_are_limited(alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_list, "MAX_BLOCKS", 1)
    block(alice, bob)
    with pytest.raises(TooManyBlocks):
        block(alice, carol)
    block(alice, bob)
    unblock(alice, bob)
    block(alice, carol)
    answer = client_of(alice).post(reverse("block", args=["bob"]))
    assert answer.status_code == 429
    assert TooManyBlocks(1).message in answer.content.decode()


# -- Sitting down ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [0, 1])
def test_block_bars_join_both_ways(create: NewGame, alice: User, bob: User, carol: User, way: int) -> None:
    block(*both_ways(alice, bob)[way])
    game = create(carol)
    join(game_id=game.pk, user=alice)
    with pytest.raises(BlockedFromTable):
        join(game_id=game.pk, user=bob)
    answer = client_of(bob).post(reverse("join", args=[game.public_id]))
    assert answer.status_code == 403
    assert "You cannot join this game. Choose another one in the lobby." in answer.content.decode()
    unblock(*both_ways(alice, bob)[way])
    join(game_id=game.pk, user=bob)


def test_missing_block_check_is_detected(
    create: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sabotage twin: joining ignores blocks."""
    block(alice, bob)
    monkeypatch.setattr(blocks, "with_any", lambda *people: False)
    with pytest.raises(pytest.fail.Exception), pytest.raises(BlockedFromTable):
        join(game_id=create(alice).pk, user=bob)


def test_invitation_does_not_override_block(create: NewGame, alice: User, bob: User, carol: User) -> None:
    game = create(carol)
    join(game_id=game.pk, user=alice)
    block(alice, bob)
    invite(game_id=game.pk, user=bob, by=carol)
    with pytest.raises(BlockedFromTable):
        join(game_id=game.pk, user=bob)


@pytest.mark.parametrize("way", [0, 1])
def test_games_of_blocked_member_are_not_joinable(
    create: NewGame, alice: User, bob: User, carol: User, way: int
) -> None:
    hers, free = create(alice), create(carol)
    block(*both_ways(alice, bob)[way])
    assert set(game_lists.open_games(bob, game_lists.OpenGameFilter())) == {free}
    assert set(game_lists.open_games(bob, game_lists.OpenGameFilter(joinable=False))) == {hers, free}
    assert set(game_lists.open_games(Anonymous, game_lists.OpenGameFilter())) == {hers, free}


class Anonymous:
    is_authenticated = False


def test_blocker_leaves_shared_open_games(create: NewGame, alice: User, bob: User, carol: User) -> None:
    hers, another, empty = create(alice), create(carol), create(alice)
    for game in (hers, another):
        for user in (alice, bob):
            join(game_id=game.pk, user=user)
    block(alice, bob)
    for game in (hers, another):
        game.refresh_from_db()
        assert game.is_open
        assert not game.seats.filter(user=alice).exists()
        assert game.seats.filter(user=bob).exists()
    assert hers.host == bob
    assert empty.seats.get().user == alice, "a table without the other is left alone"


def test_running_games_continue_despite_block(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob)
    block(alice, bob)
    assert play_to_the_end(game).is_finished


# -- Inviting --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [0, 1])
def test_block_bars_invitations_both_ways(
    create: NewGame, alice: User, bob: User, carol: User, way: int
) -> None:
    block(*both_ways(alice, bob)[way])
    game = create(alice)
    answer = client_of(alice).post(reverse("invite", args=[game.public_id]), {"who": "bob, carol"})
    assert answer.status_code == 403
    page = answer.content.decode()
    assert "bob: You cannot invite this member." in page
    assert "You invited carol." in page
    assert not Invitation.objects.filter(user=bob).exists()


def test_block_withdraws_invitations_between_both(
    create: NewGame, alice: User, bob: User, carol: User
) -> None:
    for host, asked in ((alice, bob), (bob, alice), (carol, bob), (carol, alice)):
        invite(game_id=create(host).pk, user=asked, by=host)
    block(alice, bob)
    left = Invitation.objects.values_list("invited_by__username", "user__username")
    assert sorted(left) == [("carol", "alice"), ("carol", "bob")]


def test_rematch_leaves_out_blocked_player(start: NewGame, alice: User, bob: User, carol: User) -> None:
    game = play_to_the_end(start(alice, bob, carol))
    block(bob, alice)
    again = start_rematch(game_id=game.pk, by=alice)
    assert [invitation.user for invitation in again.invitations.all()] == [carol]
    with pytest.raises(NotInvited):
        start_rematch(game_id=game.pk, by=bob)


@pytest.mark.parametrize("way", [0, 1, None])
def test_address_of_blocked_member_gets_no_invitation_mail(
    create: NewGame, alice: User, bob: User, way: int | None
) -> None:
    EmailAddress.objects.create(user=bob, email="bob@mail.example", verified=True, primary=True)
    if way is not None:
        block(*both_ways(alice, bob)[way])
    invite_address(game_id=create(alice).pk, address="Bob@mail.example", by=alice)
    claim = claim_letter()
    assert (claim is None) == (way is not None)
    if claim is None:
        assert Notification.objects.get().state == Notification.State.DROPPED


# -- Taking seats over -----------------------------------------------------------------------------------


def vacated(start: NewGame, left: User, *others: User) -> tuple[Game, int]:
    """A running game with a bot in the seat of a player, and the number of that seat."""
    game = start(left, *others, terms={"visibility": "public"})
    seat = game.seats.get(user=left)
    game.seats.filter(pk=seat.pk).update(bot_level="medium", replaced_at=timezone.now())
    return game, seat.number


@pytest.mark.parametrize("way", [0, 1])
def test_block_bars_taking_over_seat(start: NewGame, alice: User, bob: User, carol: User, way: int) -> None:
    game, number = vacated(start, carol, alice)
    block(*both_ways(alice, bob)[way])
    assert list(game_lists.vacant_games(bob)) == []
    with pytest.raises(BlockedFromTable):
        take_over_seat(game_id=game.pk, number=number, user=bob)
    unblock(*both_ways(alice, bob)[way])
    assert list(game_lists.vacant_games(bob)) == [game]
    take_over_seat(game_id=game.pk, number=number, user=bob)


def test_seat_left_by_blocked_member_can_be_taken_over(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game, number = vacated(start, alice, carol)
    block(bob, alice)
    assert list(game_lists.vacant_games(bob)) == [game]
    take_over_seat(game_id=game.pk, number=number, user=bob)


# -- Chat ------------------------------------------------------------------------------------------------


def test_lines_of_blocked_member_are_folded(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob)
    say(game_id=game.pk, user=bob, text="@alice you never listen")
    block(alice, bob)
    assert unread(game, alice) == 0
    page = client_of(alice).get(reverse("chat", args=[game.public_id])).content.decode()
    assert page.count("Message from someone you blocked") == 1
    assert "you never listen" in page, "it can be unfolded"
    unblock(alice, bob)
    page = client_of(alice).get(reverse("chat", args=[game.public_id])).content.decode()
    assert "Message from someone you blocked" not in page


def test_blocked_member_reads_everything(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob)
    block(alice, bob)
    say(game_id=game.pk, user=alice, text="Good luck.")
    assert unread(game, bob) == 1
    page = client_of(bob).get(reverse("chat", args=[game.public_id])).content.decode()
    assert "Message from someone you blocked" not in page


def test_mention_by_blocked_member_is_dropped(start: NewGame, alice: User, bob: User) -> None:
    EmailAddress.objects.create(user=alice, email="alice@mail.example", verified=True, primary=True)
    game = start(alice, bob)
    say(game_id=game.pk, user=bob, text="@alice one")
    block(alice, bob)
    say(game_id=game.pk, user=bob, text="@alice two")
    assert Notification.objects.filter(kind=Kind.MENTION).count() == 1
    Notification.objects.update(due=timezone.now())
    while claim_letter():
        pass
    told = Notification.objects.get(kind=Kind.MENTION)
    assert (told.state, told.outcome) == (Notification.State.DROPPED, "over")


# -- Secrecy ---------------------------------------------------------------------------------------------


def pages_of(user: User, *addresses: str) -> list[bytes]:
    """The user's pages, without CSRF tokens."""
    client = client_of(user)
    return [without_tokens(client.get(address).content) for address in addresses]


def without_tokens(page: bytes) -> bytes:
    return re.sub(rb"[A-Za-z0-9]{64}", b"", page)


def test_pages_of_blocked_member_do_not_change(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, terms={"visibility": "public"})
    say(game_id=game.pk, user=alice, text="Well met.")
    addresses = [
        reverse("player", args=["alice"]),
        reverse("settings"),
        reverse("chat", args=[game.public_id]),
        game.get_absolute_url(),
        reverse("block", args=["alice"]),
    ]
    pages_of(bob, *addresses)  # the first visit is recorded
    before = pages_of(bob, *addresses)
    block(alice, bob)
    assert pages_of(bob, *addresses) == before
    assert b"alice" not in dict(everything(bob))["blocks.json"]
    assert pages_of(alice, *addresses[:2]) != pages_of(bob, *addresses[:2])


def test_refusal_does_not_reveal_who_blocked(create: NewGame, alice: User, bob: User, carol: User) -> None:
    game = create(carol)
    join(game_id=game.pk, user=alice)
    address = game.get_absolute_url()
    block(alice, bob)
    theirs = pages_of(bob, address, "/")
    refused = client_of(bob).post(reverse("join", args=[game.public_id])).content
    unblock(alice, bob)
    block(bob, alice)
    assert pages_of(bob, address, "/") == theirs
    mine = client_of(bob).post(reverse("join", args=[game.public_id])).content
    assert without_tokens(mine) == without_tokens(refused)
    unblock(bob, alice)
    assert pages_of(bob, address, "/") != theirs, "this test can see a difference"


# -- Pages -----------------------------------------------------------------------------------------------


def test_pages_block_and_unblock(create: NewGame, alice: User, bob: User) -> None:
    client = client_of(alice)
    game = create(alice, name="Ours")
    join(game_id=game.pk, user=bob)
    profile, block = reverse("player", args=["bob"]), reverse("block", args=["bob"])
    assert block in client.get(profile).content.decode()
    assert "You will leave these games: Ours." in client.get(block).content.decode()
    answer = client.post(block, follow=True)
    assert "You blocked bob." in answer.content.decode()
    assert "You have blocked this member." in answer.content.decode()
    assert "Blocked members" in client.get(reverse("settings")).content.decode()
    answer = client.post(reverse("unblock", args=["bob"]), follow=True)
    assert "You unblocked bob." in answer.content.decode()
    assert "Blocked members" not in client.get(reverse("settings")).content.decode()
    again = client.post(reverse("unblock", args=["bob"]), follow=True)
    assert "You have not blocked bob." in again.content.decode()


def test_block_is_offered_to_members_only(alice: User, bob: User, guest: User) -> None:
    profile, block = reverse("player", args=["bob"]), reverse("block", args=["bob"])
    for client in (Client(), client_of(guest), client_of(bob)):
        assert block not in client.get(profile).content.decode()
    assert client_of(bob).get(block).status_code == 404
    assert client_of(guest).post(block).status_code == 403
    assert Client().post(block).status_code == 302
    assert not Block.objects.exists()


# -- Personal data ---------------------------------------------------------------------------------------


def everything(user: User) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(personal_data_zip(user))) as archive:
        return [(name.rpartition("/")[2], archive.read(name)) for name in archive.namelist()]


def test_blocks_are_exported_by_blocker_and_deleted_with_either(alice: User, bob: User, carol: User) -> None:
    block(alice, bob)
    block(carol, alice)
    told = dict(everything(alice))["blocks.json"]
    assert b"bob" in told
    assert b"carol" not in told
    delete_account(alice)
    assert not Block.objects.exists()


def test_lobby_queries_do_not_depend_on_blocks(
    create: NewGame, alice: User, bob: User, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    client = client_of(bob)
    for number in range(12):
        other = User.objects.create_user(f"other{number}")
        create(other)
        block(*both_ways(bob, other)[number % 2])
    make_room(alice)
    client.get("/")
    with django_assert_max_num_queries(8):
        assert client.get("/").status_code == 200
