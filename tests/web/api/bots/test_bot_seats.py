"""Seats of bot accounts: where the host allows or invites them; never beside their own in a rated game."""

from collections.abc import Callable
from itertools import cycle
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from accounts.api_access.bot_accounts import register_program
from accounts.models import User
from games.lobby.departures import leave_all_games
from games.lobby.game_start import start_as_host
from games.lobby.game_terms import GameTerms
from games.lobby.invite import invite
from games.lobby.join_game import join, leave
from games.log.end_proposals import voters
from games.models import Game, Invitation
from games.play.seats.absence_vote import replacement_voters
from games.play.seats.substitutes import reason_against_taking_over
from games.refusals import OwnBotAtTable
from tests.support.clients import client_of
from tests.support.games import NewGame
from tests.web.api.bots.conftest import Bot

pytestmark = pytest.mark.django_db


def listed(greedy: Bot, name: str) -> list[str]:
    return [game["game"] for game in greedy.get("games").json()[name]]


def test_bot_account_joins_where_the_host_allows_it(create: NewGame, bob: User, greedy: Bot) -> None:
    game = create(bob, programs=True)
    assert listed(greedy, "open") == [game.public_id]
    answer = greedy.post(f"games/{game.public_id}/join")
    assert answer.status_code == 200 and [one["program"] for one in answer.json()["players"]] == [False, True]
    assert game.seats.filter(user=greedy.user).exists() and listed(greedy, "mine") == [game.public_id]


@pytest.mark.parametrize("first", [True, False])
def test_own_games_are_listed_whoever_decides_meanwhile(
    first: bool, start: NewGame, bob: User, greedy: Bot
) -> None:
    """A program that missed its game in the list would think it over."""
    game = start(greedy.user, bob)
    turns = cycle([greedy.user, bob] if first else [bob, greedy.user])

    def somebody_decides(execute: Callable[..., Any], sql: str, *more: Any) -> Any:
        found = execute(sql, *more)
        if sql.startswith("SELECT") and 'FROM "games_game"' in sql:
            Game.objects.update(waiting_for=next(turns))
        return found

    Game.objects.update(waiting_for=next(turns))
    with connection.execute_wrapper(somebody_decides):
        assert listed(greedy, "mine") == [game.public_id]


def test_bot_account_is_refused_where_the_host_does_not_allow_it(
    create: NewGame, bob: User, greedy: Bot
) -> None:
    game = create(bob)
    assert listed(greedy, "open") == []
    answer = greedy.post(f"games/{game.public_id}/join")
    assert answer.status_code == 403 and "allows bots only by invitation" in answer.json()["problem"]
    assert not game.seats.filter(user=greedy.user).exists()


def test_invited_bot_account_may_join_anywhere(create: NewGame, bob: User, greedy: Bot) -> None:
    game = create(bob, visibility="invited")
    invite(game_id=game.pk, user=greedy.user, by=bob)
    assert listed(greedy, "invited") == [game.public_id]
    assert greedy.post(f"games/{game.public_id}/join").status_code == 200


def test_bot_account_declines_an_invitation_and_leaves(create: NewGame, bob: User, greedy: Bot) -> None:
    asked, joined = create(bob), create(bob, programs=True)
    invite(game_id=asked.pk, user=greedy.user, by=bob)
    greedy.post(f"games/{joined.public_id}/join")
    for game in (asked, joined):
        assert greedy.post(f"games/{game.public_id}/leave").status_code == 200
    assert Invitation.objects.get().state == Invitation.State.DECLINED
    assert not joined.seats.filter(user=greedy.user).exists()


def test_unlisted_game_is_joined_by_its_code(create: NewGame, bob: User, greedy: Bot) -> None:
    game = create(bob, programs=True, visibility="unlisted")
    assert greedy.post(f"games/{game.public_id}/join", {"code": "wrong"}).status_code == 403
    assert greedy.post(f"games/{game.public_id}/join", {"code": game.invite_code}).status_code == 200


@pytest.mark.parametrize("rated", [True, False])
def test_bot_account_plays_its_owner_in_unrated_games_only(
    create: NewGame, alice: User, bob: User, greedy: Bot, rated: bool
) -> None:
    hosted = create(alice, programs=True, rated=rated)
    assert greedy.post(f"games/{hosted.public_id}/join").status_code == (403 if rated else 200)
    other = create(bob, programs=True, rated=rated)
    greedy.post(f"games/{other.public_id}/join")
    if rated:
        with pytest.raises(OwnBotAtTable):
            join(game_id=other.pk, user=alice)
    else:
        join(game_id=other.pk, user=alice)


@pytest.mark.parametrize("rated", [True, False])
def test_two_bot_accounts_of_one_owner_meet_in_unrated_games_only(
    create: NewGame, alice: User, bob: User, greedy: Bot, rated: bool
) -> None:
    game = create(bob, programs=True, rated=rated)
    greedy.post(f"games/{game.public_id}/join")
    again = Bot(alice, "Again-bot").post(f"games/{game.public_id}/join")
    assert again.status_code == (403 if rated else 200)
    assert Bot(bob, "Own-bot").post(f"games/{game.public_id}/join").status_code == (403 if rated else 200)


def test_owner_takes_over_no_seat_beside_an_own_bot_account(
    start: NewGame, alice: User, bob: User, carol: User, greedy: Bot
) -> None:
    game = start(bob, carol, greedy.user, terms={"rated": True, "visibility": "public"})
    leave_all_games(carol)
    seats = list(game.seats.all())
    vacated = next(seat.number for seat in seats if seat.replaced_at)
    assert isinstance(reason_against_taking_over(game, seats, vacated, alice), OwnBotAtTable)
    other = User.objects.create_user("dora")
    assert reason_against_taking_over(game, seats, vacated, other) is None


def test_game_with_bot_accounts_alone_is_closed(create: NewGame, bob: User, carol: User, greedy: Bot) -> None:
    game = create(bob, programs=True)
    greedy.post(f"games/{game.public_id}/join")
    join(game_id=game.pk, user=carol)
    leave(game_id=game.pk, user=bob)
    game.refresh_from_db()
    assert game.host == carol  # who joined after the bot account
    leave(game_id=game.pk, user=carol)
    game.refresh_from_db()
    assert game.status == Game.Status.CLOSED


def test_bot_account_has_no_vote(start: NewGame, bob: User, greedy: Bot) -> None:
    carol = User.objects.create_user("dora")
    game = start(bob, carol, greedy.user)
    seats = list(game.seats.select_related("user"))
    late = next(seat for seat in seats if seat.user == carol)
    assert {seat.user for seat in voters(seats, "none")} == {bob, carol}
    assert {seat.user for seat in replacement_voters(seats, late)} == {bob}


def test_host_chooses_whether_bot_accounts_may_join(bob: User) -> None:
    client = client_of(bob)
    chosen = {"name": "", "preset": "classic", "least": 2, "most": 3, "visibility": "public", "start": "host"}
    for more, programs in (({}, False), ({"programs": "on"}, True)):
        answer = client.post("/games/new/", {**chosen, "unit": "none", **more})
        game = Game.objects.get(public_id=answer.headers["Location"].split("/")[2])
        assert game.bots_allowed is programs
        rules = client.get(f"/games/{game.public_id}/rules/").content.decode()
        assert ("Members’ bots can join." in rules) is programs


def test_rematch_admits_bot_accounts_again(create: NewGame, bob: User) -> None:
    game = create(bob, programs=True)
    assert GameTerms.of(game, list(game.seats.all())).programs


# -- Marks -----------------------------------------------------------------------------------------


def test_bot_account_is_marked_wherever_its_name_stands(create: NewGame, bob: User, greedy: Bot) -> None:
    client = client_of(bob)
    game = create(bob, programs=True)
    greedy.post(f"games/{game.public_id}/join")
    room = client.get(f"/games/{game.public_id}/").content.decode()
    assert "Greedy-bot ⚙" in room and ">bot<" in room
    start_as_host(game_id=game.pk, by=bob)
    table = client.get(f"/games/{game.public_id}/").content.decode()
    assert "Greedy-bot ⚙" in table and ">bot<" in table
    assert "Greedy-bot ⚙" in client.get("/").content.decode()
    assert "Greedy-bot ⚙" in Client().get("/games/running/").content.decode()


def test_page_of_a_bot_account_names_its_owner(alice: User) -> None:
    register_program(alice, "Greedy-bot", "Buys <b>all</b>.", "https://code.example/greedy")
    page = Client().get("/players/Greedy-bot/").content.decode()
    assert "A bot run by" in page and 'href="/players/alice/"' in page
    assert "Buys &lt;b&gt;all&lt;/b&gt;." in page and 'href="https://code.example/greedy"' in page
    assert "A bot run by" not in Client().get("/players/alice/").content.decode()


def test_seats_can_be_taken_over_when_the_owner_leaves(
    start: NewGame, alice: User, bob: User, greedy: Bot
) -> None:
    from accounts.membership.account_deletion import delete_account

    carol = User.objects.create_user("dora")
    game = start(bob, carol, greedy.user)
    delete_account(alice)
    assert not game.seats.filter(user=greedy.user).exists()
    assert greedy.get("account").status_code == 401
