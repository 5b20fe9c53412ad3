"""The harness of `make load` works: a few people meet no error in some seconds."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from tests.load.live_page import Live, LivePage, cancel_all
from tests.load.live_tables import MET, PEOPLE, live_tables, most_tables
from tests.load.load_members import Person
from tests.load.load_players import players
from tests.load.measurements import Figure, percentile
from tests.load.open_sockets import sockets
from tests.load.page_cost import weight
from tests.safety.headless_browser import Visitor
from tests.safety.site_stack import Stack
from tests.support.played_site import require

pytestmark = pytest.mark.alone


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    require("postgres", "redis")
    with Stack(web=2, durable=False, env={"SOCKETS_PER_ADDRESS": "100"}) as stack:
        yield stack


def told(figures: Iterator[Figure]) -> dict[str, Any]:
    return {name: value for name, value, _ in figures}


def test_few_players_meet_no_error(stack: Stack) -> None:
    figures = told(players(stack, people=8, computers=2, seconds=5, warm=0, parts=stack.pids_by_part))
    assert [figures[name] for name in figures if "error" in name] == [0], figures
    # Time enough for two ticks of each.
    assert figures["players_page_count"] >= 8
    assert figures["players_move_count"] >= 1
    assert figures["players_web_processor"] > figures["players_postgres_processor"] > 0


def test_open_pages_hear_of_every_move(stack: Stack) -> None:
    figures = told(sockets(stack, people=8, idle=20, seconds=5))
    assert [figures[name] for name in figures if "error" in name] == [0], figures
    assert figures["sockets_missed_ticks"] == 0
    assert figures["sockets_tick_to_page_count"] >= 1


def test_few_live_tables_miss_nothing(stack: Stack) -> None:
    figures = told(live_tables(stack, tables=2, seconds=8, warm=2, every=0, thinking=(0.5, 1.5)))
    assert [figures[name] for name in figures if "error" in name] == [0, 0], figures
    assert figures["live_missed_ticks"] == figures["live_missed_turns"] == figures["live_lost_seats"] == 0
    assert figures["live_to_others_count"] >= PEOPLE - 1
    assert figures["live_move_count"] >= 1
    assert figures["live_clock_count"] >= 1
    assert figures["live_clock_p100"] < 500


def test_most_tables_are_searched_for() -> None:
    tried = []

    def measure(tables: int) -> Iterator[Figure]:
        tried.append(tables)
        yield "live_goals", MET if tables <= 100 else "errors is 1 instead of 0", ""

    [*_, last] = most_tables(300, measure)
    assert tried == [300, 150, 75, 112, 93]
    assert last == ("live_most_tables", 93, "tables")


def test_goals_that_hold_are_not_searched_for() -> None:
    figures = most_tables(300, lambda tables: iter([("live_goals", MET, "")]))
    assert [*figures][-1] == ("live_most_tables", 300, "tables")


def test_table_that_a_socket_carries_counts_as_shown() -> None:
    live = Live(since=1.0, sent={("name", 3): 2.0})
    page = LivePage(Person(Visitor(0), "", ["name"]), live, Random(0))
    page.version = 2
    table = '<b data-clock-ends="5000">0:05</b>'
    page.hear(json.dumps({"game": "other", "version": 3, "parts": {"clock": table}}))
    page.hear(json.dumps({"game": "name", "version": 3}))
    assert (page.version, live.to_others) == (2, [])
    page.hear(json.dumps({"game": "name", "version": 3, "parts": {"clock": table}}))
    assert (page.version, page.ends, len(live.to_others)) == (3, 5.0, 1)


def test_task_that_overlooks_its_cancellation_is_cancelled_again() -> None:
    async def overlook() -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        await asyncio.sleep(60)

    async def run() -> bool:
        work = asyncio.create_task(overlook())
        await asyncio.sleep(0)
        await cancel_all([work])
        return work.cancelled()

    assert asyncio.run(asyncio.wait_for(run(), 30))


def test_table_page_is_compared_with_a_bare_page(stack: Stack) -> None:
    figures = told(weight(stack, rounds=3, play=3))
    assert figures["table_page_ratio"] > 0
    assert figures["table_page_processor"] > 0


def test_percentile_is_the_smallest_value_that_the_share_does_not_exceed() -> None:
    assert percentile([3, 1, 2, 4], 50) == 2
    assert percentile([*range(1, 101)], 95) == 95
    assert percentile([7], 99) == 7
