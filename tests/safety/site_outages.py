"""Trials of a site while people play: kills, Redis outages, database crashes.

Every trial plays, breaks something, mends it, and returns a `Result` with all that was not as promised.
"""

import asyncio
import contextlib
import itertools
import os
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import quantiles
from typing import TYPE_CHECKING, Any

import psycopg

from tests.safety import history_checker
from tests.safety.crash_players import PASSWORD, Party
from tests.safety.headless_browser import Lost, Visitor
from tests.safety.site_stack import Stack
from tests.tools import available_services

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

# Promised limits, in seconds.
BOTS_PLAY_WITHIN = 30.0
MOVE_DURING_A_HANG = 1.5
FRESH_WITHIN = 35.0
BACK_WITHIN = 5.0

VERSIONS = "SELECT public_id, version FROM games_game WHERE public_id = ANY(%s)"

# Routes of every kind: pages, forms, parts of pages, the admin.
ROUTES = ["/", "/games/open/", "/accounts/login/", "/settings/", "/rules/", "/contact/", "/admin/", "/next/"]


FORMS = ["/play/", "/accounts/logout/"]


@dataclass
class Result:
    """Counts and measurements of a trial, and every fault in words.

    A short trial runs on machines that are busy with other things: `leeway` is how many times the promised
    seconds may pass before it is a fault.
    """

    what: str
    leeway: float = 1.0
    did: Counter[str] = field(default_factory=Counter)
    measured: dict[str, float] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def worst(self, name: str, seconds: float, most: float) -> None:
        """Record a measurement of which the worst counts, and a fault if it exceeds the limit."""
        self.measured[name] = round(max(seconds, self.measured.get(name, 0.0)), 2)
        if seconds > most * self.leeway:
            self.faults.append(f"{name}: {seconds:.1f} s, promised are {most:g} s")

    def count(self, party: Party) -> None:
        """Record how much was played."""
        history = party.history
        self.did.update({outcome: history.count(outcome) for outcome in ("ok", "fail", "unknown")})
        self.did.update(lost=history.lost, answers=len(history.answers))

    def as_json(self) -> dict[str, Any]:
        return {"what": self.what, **self.did, **self.measured, "faults": self.faults}


async def settle(stack: Stack, party: Party, result: Result, patience: float = BOTS_PLAY_WITHIN) -> None:
    """Check after a trial that nothing is stuck and the record agrees with the answers."""
    stuck, seconds = await asyncio.to_thread(history_checker.stuck, stack, patience)
    result.faults += stuck
    result.worst("computers have played", seconds, patience)
    result.count(party)
    result.faults += await asyncio.to_thread(history_checker.check, stack, party.history)


# -- Kills -----------------------------------------------------------------------------------------


async def kill_processes(
    stack: Stack,
    names: Sequence[str],
    *,
    kills: int,
    games: int = 20,
    seed: int = 0,
    patience: float = BOTS_PLAY_WITHIN,
    victims: Sequence[str] = (),
    after_moves: bool = False,
    in_turn: bool = False,
) -> Result:
    """Kill processes at random while people play: web processes, workers and sweepers, or only these.

    With `after_moves` each kill comes just after a move was acknowledged. With `in_turn` none is killed again
    before all were.
    """
    result, rng = Result("kills"), Random(seed)
    party = Party(stack, names, games, seed=seed)
    victims = victims or [name for name in stack.processes if name not in {"redis", "proxy"}]
    chosen = _each_in_turn(victims, rng) if in_turn else iter(lambda: rng.choice(victims), "")
    async with party:
        for victim in itertools.islice(chosen, kills):
            if after_moves:
                await _acknowledgement(party)
            else:
                await asyncio.sleep(rng.uniform(0.5, 3))
            result.did[_kill(stack, victim, rng)] += 1
            result.did["kills"] += 1
    await settle(stack, party, result, patience)
    return result


def _each_in_turn(names: Sequence[str], rng: Random) -> Iterator[str]:
    while True:
        yield from rng.sample(names, len(names))


async def _acknowledgement(party: Party, seconds: float = 60) -> None:
    """Wait until one more move is acknowledged."""
    known, ends = party.history.count("ok"), time.monotonic() + seconds
    while party.history.count("ok") == known and time.monotonic() < ends:
        await asyncio.sleep(0.02)


def _kill(stack: Stack, name: str, rng: Random) -> str:
    """Kill the process, or one child of a worker; return the victim's name."""
    process = stack.processes[name]
    children = [pid for pid in process.pids if pid != process.pid]
    if name.startswith(("bots", "worker")) and children and rng.random() < 0.5:
        with contextlib.suppress(ProcessLookupError):
            os.kill(rng.choice(children), signal.SIGKILL)
        return f"child of {name}"
    stack.kill(name)
    return name


# -- Redis -----------------------------------------------------------------------------------------


async def outages_of_redis(
    stack: Stack,
    names: Sequence[str],
    browser: "Browser | None",
    *,
    hows: Sequence[str] = ("stopped", "hung"),
    seconds: float = 15,
    calm: float = 8,
    seed: int = 0,
    leeway: float = 1.0,
) -> Result:
    """Stop Redis and restart it empty, and freeze it, while people play and others watch in a browser."""
    result = Result("redis", leeway)
    party = Party(stack, names, games=10, pause=0.7, seed=seed)
    redis = stack.redis
    async with party, _open_pages(stack, browser, sorted(party.history.games)[:4]) as pages:
        await asyncio.sleep(calm)
        usual = result.measured["p95 calm"] = round(_p95(party.history.answers), 2)
        for how in hows:
            begin, end = (redis.freeze, redis.thaw) if how == "hung" else (redis.stop, redis.start)
            begin()
            answers, lost = len(party.history.answers), party.history.lost
            await asyncio.sleep(seconds)
            await party.rest()
            if party.history.lost > lost:
                result.faults.append(
                    f"no answer came to {party.history.lost - lost} requests while Redis was {how}"
                )
            during = party.history.answers[answers:]
            end()
            ended = time.monotonic()
            _judge_moves(result, how, during, usual)
            await _wait_until_fresh(stack, pages, result, ended)
            result.did[how] += 1
            party.going.set()
            await asyncio.sleep(2)
        await party.rest()
    await settle(stack, party, result)
    return result


def _p95(answers: list[tuple[float, int, float]]) -> float:
    times = [seconds for _, _, seconds in answers]
    return quantiles(times, n=20)[-1] if len(times) > 1 else 0.0


def _judge_moves(result: Result, how: str, answers: list[tuple[float, int, float]], calm: float) -> None:
    """Check that every move is made during an outage of Redis, and none waits long.

    The promise is for machines on which a move takes half a second at most; a slower or busier one has as
    much more time as its moves take while all is well.
    """
    result.faults += [f"{status} while Redis was {how}" for _, status, _ in answers if status != 200]
    result.did["moves during"] += len(answers)
    if len(answers) >= 5:
        result.worst(f"p95 {how}", _p95(answers), MOVE_DURING_A_HANG + max(0.0, calm - 0.5))


@contextlib.asynccontextmanager
async def screenless_browser() -> "AsyncIterator[Browser]":
    """A Chromium for the pages that stay open."""
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        path = available_services.find("browser").path
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        await browser.close()


@contextlib.asynccontextmanager
async def _open_pages(
    stack: Stack, browser: "Browser | None", games: Sequence[str]
) -> "AsyncIterator[dict[str, Page]]":
    """Pages of a spectator of these games; none without a browser."""
    if browser is None:
        yield {}
        return
    context = await browser.new_context(base_url=stack.url)
    pages = {game: await context.new_page() for game in games}
    for game, page in pages.items():
        await page.goto(f"/games/{game}/", timeout=60_000)
    yield pages
    await context.close()


async def _wait_until_fresh(stack: Stack, pages: "dict[str, Page]", result: Result, ended: float) -> None:
    """Wait until every open page shows the state recorded when the outage ended."""
    with psycopg.connect(stack.postgres.url) as database:
        recorded = dict(database.execute(VERSIONS, [list(pages)]).fetchall())
    for game, page in pages.items():
        shown = -1
        while shown < recorded[game] and time.monotonic() < ended + 1.5 * FRESH_WITHIN:
            await asyncio.sleep(0.1)
            shown = int(await page.locator("[data-version]").first.get_attribute("data-version") or -1)
    result.worst("fresh", time.monotonic() - ended, FRESH_WITHIN)


# -- The database ------------------------------------------------------------------------------------


async def crashes_of_the_database(
    stack: Stack,
    names: Sequence[str],
    *,
    cycles: int = 1,
    seconds: float = 4,
    seed: int = 0,
    until_a_fault: bool = False,
    leeway: float = 1.0,
) -> Result:
    """Kill PostgreSQL while people play, and start it again."""
    result = Result("postgres", leeway)
    party = Party(stack, names, games=10, pause=0.5, seed=seed)
    visitor = Visitor(stack.port, names[0])
    async with party:
        await visitor.log_in(PASSWORD)
        for _ in range(cycles):
            await asyncio.sleep(3)
            stack.postgres.kill()
            killed = time.monotonic()
            while time.monotonic() < killed + seconds:
                await asyncio.gather(*(_ask_while_away(visitor, route, result) for route in ROUTES + FORMS))
                await asyncio.sleep(0.2)
            # In this thread: the server ends with the thread that started it.
            stack.postgres.start()
            if until_a_fault and result.faults:
                party.history.patience = 0
                return result
            await _wait_until_back(visitor, party, result)
            result.did["crashes"] += 1
    await settle(stack, party, result)
    return result


async def _ask_while_away(visitor: Visitor, route: str, result: Result) -> None:
    try:
        answer = await (visitor.post(route, {"x": "y"}) if route in FORMS else visitor.get(route))
    except Lost as error:
        result.faults.append(f"no answer to {route}: {error}")
        return
    result.did[f"answers {answer.status}"] += 1
    sorry = answer.status == 503 and "retry-after" in answer.headers
    if "Traceback" in answer.text or not (sorry or answer.status in {200, 302}):
        result.faults.append(f"{answer.status} to {route} while the database was away: {answer.text[:200]}")


async def _wait_until_back(visitor: Visitor, party: Party, result: Result) -> None:
    """Wait until every route answers and the players have finished their moves."""
    started = time.monotonic()
    unanswered = [attempt for attempt in party.history.attempts if attempt.outcome == "unknown"]
    waiting = list(ROUTES)
    while waiting or any(attempt.outcome == "unknown" for attempt in unanswered):
        if time.monotonic() > started + 6 * BACK_WITHIN:
            break
        for route in waiting[:]:
            with contextlib.suppress(Lost):
                if (await visitor.get(route)).status < 500:
                    waiting.remove(route)
        await asyncio.sleep(0.05)
    result.worst("back", time.monotonic() - started, BACK_WITHIN)
