"""Figures of rolling restarts: `python -m tests.tools.rolling_restart --proxy caddy --rolls 5`.

A site as deploy/ sets it up is asked for pages and sent forms at an even pace, while everything that an
upgrade does to a running site happens again and again.
"""

import argparse
import asyncio
import itertools
import json
import re
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from tests.load.load_members import Person, prepare
from tests.safety.headless_browser import Answer, Lost
from tests.tools.served_site import PROXIES, ServedSite, is_installed

PEOPLE = 8


@dataclass
class Figures:
    """Figures of a run: times in seconds, and what failed, in words."""

    proxy: str
    requests: int = 0
    failed: list[str] = field(default_factory=list)
    rolls: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def summary(self) -> dict[str, object]:
        times = sorted(self.seconds) or [0.0]
        return {
            "proxy": self.proxy,
            "requests": self.requests,
            "failed": len(self.failed),
            "p95_ms": round(1000 * times[int(0.95 * (len(times) - 1))]),
            "slowest_ms": round(1000 * times[-1]),
            "rolls": len(self.rolls),
            "slowest_roll_s": round(max(self.rolls, default=0.0), 1),
        }


Roll = Callable[[ServedSite], float]


def measure(proxy: str, *, rolls: int, per_second: float, roll: Roll = ServedSite.roll) -> Figures:
    """Restart a site of its own so many times under load, and return what its visitors noticed."""
    figures = Figures(proxy)
    with ServedSite(proxy) as site:
        people = prepare(site, PEOPLE, [[0, "random"]], "roll")
        asyncio.run(_measure(site, people, figures, rolls, per_second, roll))
    return figures


async def _measure(
    site: ServedSite, people: list[Person], figures: Figures, rolls: int, per_second: float, roll: Roll
) -> None:
    for person in people:
        await person.browser.get("/settings/", Connection="close")
    over = asyncio.Event()
    load = asyncio.create_task(_ask_steadily(people, figures, per_second, over))
    await asyncio.sleep(3)
    for _ in range(rolls):
        figures.rolls.append(await asyncio.to_thread(roll, site))
        await asyncio.sleep(2)
    over.set()
    await load


async def _ask_steadily(
    people: list[Person], figures: Figures, per_second: float, over: asyncio.Event
) -> None:
    """Ask at this pace, whether or not earlier requests are answered."""
    loop = asyncio.get_running_loop()
    tasks, started = set(), loop.time()
    for number in itertools.count():
        await asyncio.sleep(max(0.0, started + number / per_second - loop.time()))
        if over.is_set():
            break
        task = asyncio.create_task(_ask(people[number % len(people)], number, figures))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)


async def _ask(person: Person, number: int, figures: Figures) -> None:
    browser, theme = person.browser, ("light", "dark")[number // 16 % 2]
    asks: tuple[tuple[str, int, Callable[[], Awaitable[Answer]]], ...] = (
        ("GET /", 200, lambda: browser.get("/", Connection="close")),
        ("POST", 204, lambda: browser.post("/settings/browser/", {"theme": theme}, Connection="close")),
        ("GET /games/open/", 200, lambda: browser.get("/games/open/", Connection="close")),
        ("POST", 204, lambda: browser.post("/settings/browser/", {"theme": theme}, Connection="close")),
    )
    # People are asked in turn, so each of them sends requests of all kinds only if the turns drift.
    what, expected, ask = asks[(number + number // len(asks)) % len(asks)]
    figures.requests += 1
    try:
        answer = await ask()
    except Lost as lost:
        figures.failed.append(f"{what}: {lost}")
        return
    figures.seconds.append(answer.seconds)
    if answer.status != expected:
        title = re.search(r"<title>(.*?)</title>", answer.text)
        figures.failed.append(f"{what}: {answer.status} {title[1] if title else ''}".strip())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--proxy", choices=PROXIES, nargs="+", default=PROXIES)
    parser.add_argument("--rolls", type=int, default=5)
    parser.add_argument("--per-second", type=float, default=20.0)
    chosen = parser.parse_args()
    failed = 0
    for proxy in chosen.proxy:
        if not is_installed(proxy):
            print(f"{proxy} is not installed.")
            continue
        figures = measure(proxy, rolls=chosen.rolls, per_second=chosen.per_second)
        print(json.dumps(figures.summary()), *figures.failed[:10], sep="\n", flush=True)
        failed += len(figures.failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
