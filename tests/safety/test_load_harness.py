"""The harness of `make load` works: a few people meet no error in some seconds."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.load.load_players import players
from tests.load.measurements import Figure, percentile
from tests.load.open_sockets import sockets
from tests.load.page_cost import weight
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


def test_table_page_is_compared_with_a_bare_page(stack: Stack) -> None:
    figures = told(weight(stack, rounds=3, play=3))
    assert figures["table_page_ratio"] > 0
    assert figures["table_page_processor"] > 0


def test_percentile_is_the_smallest_value_that_the_share_does_not_exceed() -> None:
    assert percentile([3, 1, 2, 4], 50) == 2
    assert percentile([*range(1, 101)], 95) == 95
    assert percentile([7], 99) == 7
