"""A page tells whether it is visible, and nothing else."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.contrib.auth.models import AnonymousUser
from django.db import InterfaceError, OperationalError
from django.db.models import Max
from django.utils import timezone

from accounts.models import User
from games.clocks import site_presence
from games.models import Game, Heartbeat, OpenPage
from games.play import page_presence
from games.web.realtime import consumers, open_pages
from tests.support.games import NewGame
from tests.support.page_sockets import socket

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("channel_layer")]

VISIBLE, HIDDEN = '{"visible":true}', '{"visible": false}'


class Page:
    """An open page of a game."""

    def __init__(self, socket: ApplicationCommunicator) -> None:
        self.socket = socket

    async def says(self, text: str) -> None:
        await self.socket.send_input({"type": "websocket.receive", "text": text})

    async def is_cut_off(self) -> bool:
        answer = await self.socket.receive_output(timeout=5)
        return answer == {"type": "websocket.close", "code": 1008}

    async def is_heard(self) -> None:
        """Wait until the last frame has been handled."""
        assert await self.socket.receive_nothing(timeout=0.3)


@asynccontextmanager
async def page(game: Game, user: User | AnonymousUser, *, end: int = 1001) -> AsyncIterator[Page]:
    async with socket(f"/ws/games/{game.public_id}/", user, end=end) as opened:
        assert (await opened.receive_output(timeout=5))["type"] == "websocket.accept"
        yield Page(opened)


@sync_to_async
def seen_for(user: User, game: Game) -> timedelta | None:
    """Return how long the user counts as looking at the game; None if the user never did."""
    until = OpenPage.objects.filter(user=user, game=game).aggregate(until=Max("visible_until"))["until"]
    return until and until - timezone.now()


async def sees(user: User, game: Game) -> bool:
    left = await seen_for(user, game)
    return left is not None and left > timedelta()


@sync_to_async
def open_for(user: User, game: Game) -> timedelta:
    """Return how long the user still counts as having the game open, or since when not any more."""
    until = OpenPage.objects.filter(user=user, game=game).aggregate(until=Max("open_until"))["until"]
    assert until is not None
    return until - timezone.now()


@pytest.fixture
def live_game(start: NewGame, alice: User, bob: User) -> Game:
    return start(alice, bob, preset="course", terms={"pace": 30, "bank": 180, "cap": 180})


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return start(alice, bob)


async def test_visible_page_counts_for_forty_five_seconds(game: Game, alice: User, bob: User) -> None:
    async with page(game, alice) as shown:
        assert not await sees(alice, game)
        await shown.says(VISIBLE)
        await shown.is_heard()
        left = await seen_for(alice, game)
        assert left is not None
        assert timedelta(seconds=40) < left <= timedelta(seconds=45)
        assert not await sees(bob, game)


async def test_hidden_or_closed_page_stops_counting(game: Game, alice: User) -> None:
    async with page(game, alice) as shown:
        await shown.says(VISIBLE)
        await shown.is_heard()
        await shown.says(HIDDEN)
        await shown.is_heard()
        assert not await sees(alice, game)
        await shown.says(VISIBLE)
        await shown.is_heard()
        assert await sees(alice, game)
    assert not await sees(alice, game)
    assert await seen_for(alice, game) is not None


@pytest.mark.parametrize("first", [VISIBLE, HIDDEN])
async def test_hidden_page_stays_open(first: str, game: Game, alice: User) -> None:
    async with page(game, alice) as shown:
        for said in (first, HIDDEN):
            await shown.says(said)
            await shown.is_heard()
        assert not await sees(alice, game)
        assert timedelta(seconds=40) < await open_for(alice, game) <= timedelta(seconds=45)
    assert await open_for(alice, game) <= timedelta()


async def test_open_page_of_a_live_game_stays_open_without_a_word(
    live_game: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_pages, "SIGN_SECONDS", 0.1)
    async with page(live_game, alice) as shown:
        await shown.says(HIDDEN)
        await asyncio.sleep(0.3)
        await sync_to_async(OpenPage.objects.update)(open_until=timezone.now())
        await asyncio.sleep(0.5)
        assert await open_for(alice, live_game) > timedelta(seconds=40)
    await asyncio.sleep(0.3)
    assert await open_for(alice, live_game) <= timedelta()


@pytest.mark.parametrize("code", [1005, 1006])
async def test_page_that_is_cut_off_was_open_until_its_last_sign(code: int, game: Game, alice: User) -> None:
    async with page(game, alice, end=code) as shown:
        await shown.says(VISIBLE)
        await shown.is_heard()
        await shown.is_heard()
        left_at = timezone.now()
    assert await open_for(alice, game) < left_at - timezone.now() - timedelta(seconds=0.3)


# A hidden page may be unable to come back for a while.
async def test_page_whose_server_restarts_stays_open_for_a_while(live_game: Game, alice: User) -> None:
    began = timezone.now() - timedelta(hours=1)
    await Heartbeat.objects.acreate(name=site_presence.SEEN_MARK, at=began, detail=began.isoformat())
    async with page(live_game, alice, end=1012) as shown:
        await shown.says(HIDDEN)
        await asyncio.sleep(0.3)
    assert await open_for(alice, live_game) > timedelta(seconds=40)
    anew = await sync_to_async(site_presence.there_since)()
    assert anew is not None
    assert timezone.now() - anew < timedelta(seconds=5)


async def test_page_whose_socket_fails_is_open_no_longer(
    live_game: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: Any) -> None:
        raise OperationalError

    monkeypatch.setattr(open_pages, "SIGN_SECONDS", 0.1)
    with pytest.raises(OperationalError):
        async with page(live_game, alice) as shown:
            await shown.says(VISIBLE)
            await asyncio.sleep(0.3)
            monkeypatch.setattr(page_presence, "mark_visible", fail)
            await shown.says(VISIBLE)
            await asyncio.sleep(0.3)
    await sync_to_async(OpenPage.objects.update)(open_until=timezone.now())
    await asyncio.sleep(0.3)
    assert await open_for(alice, live_game) <= timedelta()


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
async def test_open_page_outlives_a_failure_of_the_database(
    error: type[Exception], live_game: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: Any) -> None:
        raise error

    monkeypatch.setattr(open_pages, "SIGN_SECONDS", 0.1)
    async with page(live_game, alice) as shown:
        await shown.says(HIDDEN)
        await asyncio.sleep(0.3)
        with monkeypatch.context() as down:
            down.setattr(page_presence, "keep_open", fail)
            await asyncio.sleep(0.3)
        await sync_to_async(OpenPage.objects.update)(open_until=timezone.now())
        await asyncio.sleep(0.5)
        assert await open_for(alice, live_game) > timedelta(seconds=40)


async def test_closed_page_does_not_end_the_presence_of_another(game: Game, alice: User) -> None:
    async with page(game, alice) as desk:
        await desk.says(VISIBLE)
        await desk.is_heard()
        async with page(game, alice) as phone:
            await phone.says(VISIBLE)
            await phone.is_heard()
        assert await sees(alice, game)


async def test_strangers_and_guests_are_not_recorded(game: Game, bob: User) -> None:
    bob.is_guest = True
    for reader in (AnonymousUser(), bob):
        async with page(game, reader) as shown:
            await shown.says(VISIBLE)
            await shown.is_heard()
    assert not await sync_to_async(OpenPage.objects.exists)()


@pytest.mark.parametrize(
    "text",
    [
        *("", "{}", "[]", "true", "null", "visible", '{"visible":1}', '{"visible":"true"}'),
        *('{"visible":true,"game":1}', '{"hidden":true}', '{"visible":true}' * 50, "\x00", "{" * 900),
    ],
)
async def test_unknown_frame_closes_the_socket(text: str, game: Game, alice: User) -> None:
    async with page(game, alice) as shown:
        await shown.says(text)
        assert await shown.is_cut_off()
    assert not await sync_to_async(OpenPage.objects.exists)()


async def test_binary_frame_closes_the_socket(game: Game, alice: User) -> None:
    async with page(game, alice) as shown:
        await shown.socket.send_input({"type": "websocket.receive", "bytes": VISIBLE.encode()})
        assert await shown.is_cut_off()


async def test_too_many_frames_close_the_socket(game: Game, alice: User) -> None:
    async with page(game, alice) as shown:
        for _ in range(consumers.MAX_FRAMES):
            await shown.says(VISIBLE)
        await shown.is_heard()
        await shown.says(HIDDEN)
        assert await shown.is_cut_off()


async def test_slow_frames_keep_the_socket_open(
    game: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "FRAME_SECONDS", 0.0)
    async with page(game, alice) as shown:
        for _ in range(3 * consumers.MAX_FRAMES):
            await shown.says(VISIBLE)
        await shown.is_heard()


async def test_sockets_without_presence_close_on_any_frame(game: Game, alice: User) -> None:
    async with socket("/ws/me/", alice) as opened:
        assert (await opened.receive_output(timeout=5))["type"] == "websocket.accept"
        await Page(opened).says(VISIBLE)
        assert await Page(opened).is_cut_off()
