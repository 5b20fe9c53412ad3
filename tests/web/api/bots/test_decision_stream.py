"""Long polls and streams answer when a decision is asked; meanwhile they hold no thread or connection."""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.db import connections
from django.utils import timezone

from accounts.api_access.api_tokens import make_token, revoke_token
from accounts.models import ApiToken, SiteSwitch, User
from accounts.operator import site_switches
from acquire_site import asgi_handler
from acquire_site.asgi_handler import Handler
from games.models import Game
from games.play.seats.concession import concede
from games.realtime import tick_relay
from games.web.api.bots import decision_stream
from tests.support.games import NewGame
from tests.web.api.bots.conftest import API, Bot, play_one

pytestmark = pytest.mark.django_db(transaction=True)

# Seconds within which anything that needs no waiting has arrived.
SOON = 30


class Answer:
    """A request as a web server passes it on, and its answer piece by piece."""

    def __init__(self, site: Handler, path: str, text: str) -> None:
        path, _mark, query = path.partition("?")
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "path": f"{API}/{path}",
            "query_string": query.encode(),
            "headers": [(b"host", b"localhost"), (b"authorization", f"Bearer {text}".encode())],
            "client": ("192.0.2.1", 1),
            "server": ("localhost", 80),
            "scheme": "http",
        }
        self.wire = ApplicationCommunicator(site, scope)

    async def begin(self) -> int:
        """Send the request and return the status of the answer."""
        await self.wire.send_input({"type": "http.request", "body": b""})
        started = await self.wire.receive_output(SOON)
        return int(started["status"])

    async def part(self) -> bytes:
        """Read the next part of the body."""
        found = await self.wire.receive_output(SOON)
        return bytes(found.get("body", b""))

    async def line(self) -> Any:
        """Read the next line that is not empty, parsed."""
        while not (text := (await self.part()).strip()):
            pass
        return json.loads(text)

    async def hang_up(self) -> None:
        await self.wire.send_input({"type": "http.disconnect"})
        await self.wire.wait(SOON)


@asynccontextmanager
async def asked(site: Handler, path: str, text: str) -> AsyncIterator[Answer]:
    answer = Answer(site, path, text)
    assert await answer.begin() == 200
    try:
        yield answer
    finally:
        await answer.hang_up()


@pytest.fixture
def site() -> Handler:
    return Handler()


@pytest.fixture
def waits(start: NewGame, bob: User, greedy: Bot) -> Game:
    """A game in which bob is asked, and the bot account after his move."""
    game = start(bob, greedy.user)
    while True:
        now = Game.objects.get(pk=game.pk)
        if now.waiting_for_id == bob.pk and _next_is(now, greedy.user):
            return now
        play_one(game)


def _next_is(game: Game, user: User) -> bool:
    full = Game.with_secrets.get(pk=game.pk)
    system = full.rule_system
    state = system.state_from_json(full.state)
    system.play(state, system.legal_moves(state)[0])
    seat = system.decider(state)
    return seat is not None and game.seats.get(number=seat).user_id == user.pk


async def bobs_move(game: Game) -> None:
    await sync_to_async(play_one)(game)


async def test_answer_comes_with_the_tick_of_the_decision(
    site: Handler, waits: Game, greedy: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decision_stream, "NOW_AND_THEN", 3600)
    async with asked(site, "stream", greedy.text) as answer:
        assert await answer.part() == b"\n"
        await bobs_move(waits)
        decision = json.loads(await answer.part())
    assert decision["game"] == waits.public_id


async def test_decisions_come_without_a_channel_layer(
    site: Handler, waits: Game, greedy: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail() -> None:
        raise OSError("Redis is away.")

    monkeypatch.setattr(decision_stream, "NOW_AND_THEN", 0.2)
    monkeypatch.setattr(tick_relay, "start", fail)
    async with asked(site, "decisions?wait=25", greedy.text) as answer:
        await bobs_move(waits)
        assert (await answer.line())["decisions"]


async def test_answer_without_a_decision_is_empty_at_the_time_limit(
    site: Handler, waits: Game, greedy: Bot
) -> None:
    async with asked(site, "decisions?wait=1", greedy.text) as answer:
        assert await answer.line() == {"decisions": []}


async def test_lost_tick_is_made_up_for(
    site: Handler, waits: Game, greedy: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decision_stream, "NOW_AND_THEN", 0.2)
    monkeypatch.setattr("games.realtime.ticks.send_tick", lambda *told, **more: None)
    async with asked(site, "decisions?wait=25", greedy.text) as answer:
        await bobs_move(waits)
        assert (await answer.line())["decisions"]


async def test_stream_sends_each_decision_once(
    site: Handler, waits: Game, greedy: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decision_stream, "NOW_AND_THEN", 0.1)
    async with asked(site, "stream", greedy.text) as answer:
        await bobs_move(waits)
        first = await answer.line()
        quiet = [await answer.part() for _ in range(3)]
        response = await sync_to_async(greedy.move)(first)
        assert (first["game"], response.status_code) == (waits.public_id, 200)
        assert quiet == [b"\n"] * 3


@asynccontextmanager
async def ending_untold(site: Handler, waits: Game, greedy: Bot) -> AsyncIterator[None]:
    """A stream that must end by what the block does, without sending the next decision."""
    answer = Answer(site, "stream", greedy.text)
    await answer.begin()
    assert await answer.part() == b"\n"
    yield
    await bobs_move(waits)
    while part := await answer.part():
        assert part == b"\n"
    await answer.wire.wait(SOON)


async def test_revoked_token_ends_the_stream(
    site: Handler, waits: Game, greedy: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decision_stream, "NOW_AND_THEN", 0.1)
    async with ending_untold(site, waits, greedy):
        await sync_to_async(revoke_token)(greedy.user, greedy.token.pk)


async def test_switch_ends_the_stream(
    site: Handler, waits: Game, greedy: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decision_stream, "NOW_AND_THEN", 0.1)
    async with ending_untold(site, waits, greedy):
        await SiteSwitch.objects.filter(kind=SiteSwitch.Kind.PROGRAMS).aupdate(since=timezone.now())
        site_switches.clear_cache()


async def test_stream_that_outlives_its_token_is_detected(
    site: Handler, waits: Game, greedy: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decision_stream, "NOW_AND_THEN", 0.1)
    monkeypatch.setattr("accounts.api_access.api_tokens.is_still_valid", lambda token: True)
    async with asked(site, "stream", greedy.text) as answer:
        await sync_to_async(revoke_token)(greedy.user, greedy.token.pk)
        await bobs_move(waits)
        assert (await answer.line())["game"] == waits.public_id


async def threads_meanwhile(site: Handler, *bots: Bot) -> list[str]:
    """Names of the threads in use while each of these bot accounts has two open streams."""
    before = set(threading.enumerate())
    answers = [Answer(site, "stream", bot.text) for bot in bots for _ in range(2)]
    assert [await answer.begin() for answer in answers] == [200] * len(answers)
    for answer in answers:
        await answer.part()
    # Ended threads disappear a moment later.
    until = time.monotonic() + 5
    while len(_working(before)) > 1 and time.monotonic() < until:
        await asyncio.sleep(0.05)
    found = [thread.name for thread in _working(before)]
    assert site._places.free == settings.MAX_CONCURRENT_REQUESTS
    for answer in answers:
        await answer.hang_up()
    return found


async def test_open_streams_hold_no_thread_and_no_slot(
    site: Handler, waits: Game, greedy: Bot, bob: User
) -> None:
    found = await threads_meanwhile(site, greedy, await sync_to_async(Bot)(bob, "Other-bot"))
    assert {name.partition("_")[0] for name in found} <= {"programs"}


async def test_held_threads_are_detected(
    site: Handler, waits: Game, greedy: Bot, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asgi_handler, "_release_thread", lambda: None)
    assert len(await threads_meanwhile(site, greedy, await sync_to_async(Bot)(bob, "Other-bot"))) >= 4


def _working(before: set[threading.Thread]) -> list[threading.Thread]:
    return [thread for thread in set(threading.enumerate()) - before if thread.is_alive()]


async def test_bot_account_has_two_streams_at_most(site: Handler, waits: Game, greedy: Bot) -> None:
    async with asked(site, "stream", greedy.text), asked(site, "stream", greedy.text):
        for path in ("stream", "decisions?wait=5"):
            assert await Answer(site, path, greedy.text).begin() == 429
        assert await Answer(site, "decisions", greedy.text).begin() == 200
    async with asked(site, "stream", greedy.text):
        pass
    assert not decision_stream._open


async def test_disconnected_request_frees_its_place(
    site: Handler, waits: Game, greedy: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest, is_at_it = decision_stream.stream_decisions, threading.Event()

    def slowly(token: ApiToken) -> Any:
        is_at_it.set()
        time.sleep(0.5)
        return honest(token)

    monkeypatch.setattr(decision_stream, "stream_decisions", slowly)
    answer = Answer(site, "stream", greedy.text)
    await answer.wire.send_input({"type": "http.request", "body": b""})
    while not is_at_it.is_set():
        await asyncio.sleep(0.01)
    await answer.hang_up()
    async with asked(site, "stream", greedy.text), asked(site, "stream", greedy.text):
        pass
    assert not decision_stream._open


def test_refused_stream_holds_no_slot(waits: Game, bob: User) -> None:
    text = make_token(bob, "sheet")[1]

    async def ask() -> int:
        return await Answer(Handler(), "stream", text).begin()

    assert asyncio.run(ask()) == 403
    assert not decision_stream._open
    connections.close_all()


def test_conceded_player_is_asked_nothing(waits: Game, greedy: Bot) -> None:
    concede(game_id=waits.pk, by=greedy.user)
    assert greedy.decisions() == []
