"""Sockets carry ticks and nothing else."""

import asyncio
import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from channels.layers import get_channel_layer
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache

from accounts.models import User
from games.lobby.game_start import start_as_host
from games.lobby.invite import invite
from games.lobby.join_game import join, kick
from games.realtime import tick_relay, ticks
from games.web.realtime import consumers
from tests.support.games import NewGame, play_on, play_to_the_end
from tests.support.page_sockets import socket

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("channel_layer")]


async def accepted(page: ApplicationCommunicator) -> bool:
    return (await page.receive_output(timeout=5))["type"] == "websocket.accept"


async def tick(page: ApplicationCommunicator) -> Any:
    return json.loads((await page.receive_output(timeout=5))["text"])


async def test_game_page_gets_the_same_tick_for_every_viewer(start: NewGame, alice: User, bob: User) -> None:
    game = await sync_to_async(start)(alice, "random")
    path = f"/ws/games/{game.public_id}/"
    async with socket(path, alice) as player, socket(path, AnonymousUser()) as stranger:
        assert await accepted(player)
        assert await accepted(stranger)
        await sync_to_async(play_on)(game, 1)
        expected = {"game": game.public_id, "version": 1}
        assert await tick(player) == expected
        assert await tick(stranger) == expected
        assert await player.receive_nothing()


async def test_user_socket_gets_ticks_of_own_games_only(start: NewGame, alice: User, bob: User) -> None:
    mine, other = await sync_to_async(start)(alice, bob), await sync_to_async(start)(bob, "random")
    async with socket("/ws/me/", alice) as page:
        assert await accepted(page)
        await sync_to_async(play_on)(other, 1)
        await sync_to_async(play_on)(mine, 1)
        assert await tick(page) == {"game": mine.public_id, "version": 1}
        assert await page.receive_nothing()


async def test_game_page_also_gets_ticks_of_the_users_other_games(
    start: NewGame, alice: User, bob: User
) -> None:
    watched, mine = await sync_to_async(start)(bob, "random"), await sync_to_async(start)(alice, bob)
    async with socket(f"/ws/games/{watched.public_id}/", alice) as page:
        assert await accepted(page)
        await sync_to_async(play_on)(mine, 1)
        await sync_to_async(play_on)(watched, 1)
        assert await tick(page) == {"game": mine.public_id, "version": 1}
        assert await tick(page) == {"game": watched.public_id, "version": 1}
        assert await page.receive_nothing()


async def test_lobby_hears_of_public_games_but_not_of_moves(
    create: NewGame, start: NewGame, alice: User, bob: User, carol: User
) -> None:
    async with socket("/ws/lobby/", AnonymousUser()) as stranger, socket("/ws/lobby/", carol) as member:
        assert await accepted(stranger)
        assert await accepted(member)
        for hidden in ("unlisted", "invited"):
            await sync_to_async(create)(alice, visibility=hidden)
        game = await sync_to_async(create)(alice, most=2)
        await sync_to_async(join)(game_id=game.pk, user=bob)
        await sync_to_async(start_as_host)(game_id=game.pk, by=alice)
        await sync_to_async(play_on)(game, 3)
        ended = await sync_to_async(play_to_the_end)(game)
        for page in (stranger, member):
            for version in (0, 0, 0, ended.version):
                assert await tick(page) == {"game": game.public_id, "version": version}
            assert await page.receive_nothing()


async def test_invited_and_kicked_members_get_a_tick(create: NewGame, alice: User, bob: User) -> None:
    game = await sync_to_async(create)(alice, visibility="invited")
    expected = {"game": game.public_id, "version": 0}
    async with socket("/ws/me/", bob) as page:
        assert await accepted(page)
        await sync_to_async(invite)(game_id=game.pk, user=bob, by=alice)
        assert await tick(page) == expected
        await sync_to_async(join)(game_id=game.pk, user=bob)
        assert await tick(page) == expected
        await sync_to_async(kick)(game_id=game.pk, user=bob, by=alice, reason="No.")
        assert await tick(page) == expected


async def test_stranger_has_no_user_socket(db: None) -> None:
    async with socket("/ws/me/", AnonymousUser()) as page:
        assert not await accepted(page)


async def test_unknown_game_has_no_socket(db: None) -> None:
    async with socket("/ws/games/nowhere/", AnonymousUser()) as page:
        assert not await accepted(page)


@pytest.mark.parametrize("frame", [{"text": "hello"}, {"bytes": b"\x00\xff"}, {"text": "{}"}])
async def test_socket_that_sends_anything_is_closed(
    frame: dict[str, Any], start: NewGame, alice: User
) -> None:
    game = await sync_to_async(start)(alice, "random")
    async with socket(f"/ws/games/{game.public_id}/", alice) as page:
        assert await accepted(page)
        await page.send_input({"type": "websocket.receive", **frame})
        assert (await page.receive_output(timeout=5)) == {"type": "websocket.close", "code": 1008}


LIVE = {"pace": 30, "bank": 180, "cap": 180}


async def test_page_of_live_games_hears_of_the_moves_that_it_shows(
    start: NewGame, alice: User, bob: User
) -> None:
    shown = await sync_to_async(start)(alice, bob, terms={**LIVE, "visibility": "public"})
    hidden = await sync_to_async(start)(alice, bob, terms={**LIVE, "visibility": "unlisted"})
    by_mail = await sync_to_async(start)(alice, bob, terms={"visibility": "public"})
    stranger = AnonymousUser()
    async with socket("/ws/live/1/", stranger) as page, socket("/ws/live/2/", stranger) as next_page:
        assert await accepted(page)
        assert await accepted(next_page)
        for game in (hidden, by_mail, shown):
            await sync_to_async(play_on)(game, 1)
        assert await tick(page) == {"game": shown.public_id, "version": 1}
        assert await page.receive_nothing()
        assert await next_page.receive_nothing()


async def test_page_of_live_games_follows_games_that_begin(
    start: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "LOOK_SECONDS", -1.0)
    async with socket("/ws/live/1/", AnonymousUser()) as page:
        assert await accepted(page)
        await sync_to_async(cache.clear)()
        game = await sync_to_async(start)(alice, bob, terms={**LIVE, "visibility": "public"})
        while ticks.game_group(game.public_id) not in get_channel_layer(tick_relay.PAGES).groups:
            await asyncio.sleep(0.01)
        await sync_to_async(play_on)(game, 1)
        while (await tick(page)) != {"game": game.public_id, "version": 1}:
            pass
