"""Cost of the table page, in pages of a bare Django view that renders the same bytes."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from math import nan
from random import Random
from statistics import median

from acquire_site import embedded_redis
from acquire_site.processes import programs
from tests.load.load_members import Person, prepare
from tests.load.measurements import Figure, processor
from tests.safety.headless_browser import Visitor, asked
from tests.safety.site_stack import START_SECONDS, Process, Stack

ROUNDS_OF_PLAY = 20
WARM_UP = 10
# Headers that the proxy would set.
BY_PROXY = {"Connection": "close", "X_Forwarded_Proto": "https", "X_Forwarded_For": "127.0.0.1"}


def weight(stack: Stack, *, rounds: int = 100, play: int = ROUNDS_OF_PLAY) -> Iterator[Figure]:
    """Request both pages in turn, without the proxy, so that a busy machine slows both alike."""
    there = prepare(stack, 2, [(0, 1)], "weigh")
    game = there[0].games[0]
    page = asyncio.run(_played(there, game, play))
    with _bare(stack, page) as (port, bare_process):
        ports, groups = [stack.web_ports[0], port], [stack.processes["web-1"], bare_process]
        asyncio.run(_times(ports, there[0], game, WARM_UP))
        began = [processor(group.pids) for group in groups]
        times = asyncio.run(_times(ports, there[0], game, rounds))
        busy = [processor(group.pids) - start for group, start in zip(groups, began, strict=True)]
    yield "table_page", median(whole for whole, _ in times) * 1e3, "ms"
    yield "bare_page", median(bare for _, bare in times) * 1e3, "ms"
    yield "table_page_size", len(page.encode()) / 1024, "KiB"
    yield "table_page_ratio", median(whole / bare for whole, bare in times), "x"
    # Processor time does not depend on what else runs on the machine.
    yield "table_page_processor", busy[0] / rounds * 1e3, "ms"
    yield "bare_page_processor", busy[1] / rounds * 1e3, "ms"
    yield "table_page_processor_ratio", busy[0] / busy[1] if busy[1] else nan, "x"


async def _played(there: list[Person], game: str, rounds: int) -> str:
    """The page of a table in the middle of its game."""
    rng, path = Random(0), f"/games/{game}/"
    for _ in range(rounds):
        for person in there:
            page = await person.browser.get(path)
            if question := asked(page.text):
                await person.browser.post(question.action, rng.choice(question.answers), HX_Request="true")
    return (await there[0].browser.get(path)).text


@contextmanager
def _bare(stack: Stack, page: str) -> Iterator[tuple[int, Process]]:
    """A web process with the bare view alone, and its port."""
    port = embedded_redis.free_port()
    known = stack.folder / "bare.html"
    known.write_text(page)
    env = {**stack.env, "DJANGO_SETTINGS_MODULE": "tests.load.bare_settings", "BARE_PAGE": str(known)}
    process = Process("bare", programs(port, stack.redis.url)[0], env, stack.folder)
    process.start()
    try:
        embedded_redis.wait_until_it_answers(port, START_SECONDS)
        yield port, process
    finally:
        process.stop()


async def _times(ports: list[int], person: Person, game: str, rounds: int) -> list[tuple[float, float]]:
    """Seconds of both pages in each round."""
    name, _, key = person.cookie.partition("=")
    browsers = [Visitor(port) for port in ports]
    found = []
    for browser in browsers:
        browser.remember(name, key)
    for _ in range(rounds):
        whole, bare = [await browser.get(f"/games/{game}/", **BY_PROXY) for browser in browsers]
        assert whole.status == bare.status == 200, (whole.status, bare.status, bare.text[:500])
        found.append((whole.seconds, bare.seconds))
    return found
