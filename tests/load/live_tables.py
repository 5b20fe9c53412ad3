"""Many live tables whose players keep their pages open, and the goals for them."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import uvloop

from tests.load.live_page import THINKING, Live, LivePage
from tests.load.load_members import Person, Table, prepare
from tests.load.measurements import Effort, Figure, megabytes, milliseconds
from tests.safety.live_outages import TERMS, TIMEOUTS, Database
from tests.safety.site_stack import Stack

# Three people and a computer at each table; fewer than so many moves were made before the measurement.
PEOPLE, COMPUTER, BEGUN = 3, "medium", 60

# Seconds between two pages that are opened, of the warm-up, and between two comparisons of clocks.
OPENED_EVERY = 0.08
WARM = 15.0
CLOCKS_COMPARED_EVERY = 5.0

DEADLINES = """
    SELECT public_id, version, extract(epoch FROM deadline)::float FROM games_game
    WHERE public_id = ANY(%s) AND deadline IS NOT NULL
"""
RULINGS = """
    SELECT entry.text FROM games_logentry entry JOIN games_game game ON game.id = entry.game_id
    WHERE game.public_id = ANY(%s) AND entry.kind = 'ruling'
"""

# The goals, by the names of their figures without the prefix of the part.
GOALS = {
    "move_p95": 300.0,
    "to_others_p95": 1000.0,
    "clock_p95": 500.0,
    "missed_ticks": 0.0,
    "missed_turns": 0.0,
    "errors": 0.0,
}

MET = "met"

# The search for the number of tables ends when it is known to this part of the number asked for.
NEAR = 15


async def _run(
    stack: Stack,
    people: Sequence[Person],
    live: Live,
    *,
    warm: float,
    seconds: float,
    every: float,
    thinking: tuple[float, float],
) -> tuple[Effort, float]:
    rng, stop, effort = Random(0), asyncio.Event(), Effort(stack.pids_by_part)
    pages = [LivePage(person, live, Random(rng.random()), thinking) for person in people]
    stays = []
    for page in pages:
        stays.append(asyncio.create_task(page.stay(stack.port, stop)))
        await asyncio.sleep(every)
    compares = asyncio.create_task(_compare_clocks(Database(stack), pages, live))
    await asyncio.sleep(warm)
    live.forget()
    with effort.measured():
        await asyncio.sleep(seconds)
    memory = megabytes(pid for name in stack.web_names for pid in stack.processes[name].pids)
    compares.cancel()
    stop.set()
    await asyncio.gather(*stays)
    return effort, memory


async def _compare_clocks(database: Database, pages: Sequence[LivePage], live: Live) -> None:
    """Compare the clocks shown with the stored deadlines, where the page shows the stored version."""
    games = list({page.game for page in pages})
    while True:
        await asyncio.sleep(CLOCKS_COMPARED_EVERY)
        rows = await asyncio.to_thread(database.rows, DEADLINES, games)
        stored = {(game, number): deadline for game, number, deadline in rows}
        for page in pages:
            deadline = stored.get((page.game, page.version))
            if deadline is not None and (error := page.clock_error(deadline)) is not None:
                live.clocks.append(error)


def live_tables(stack: Stack, *, tables: int, **times: Any) -> Iterator[Figure]:
    """Measure this number of live tables; the last figure tells which goals are missed.

    `times` are those of `figures_of`.
    """
    figures = []
    for figure in figures_of(stack, tables, **times):
        figures.append(figure)
        yield figure
    yield "live_goals", ", ".join(missed_goals(figures)) or MET, ""


def figures_of(
    stack: Stack,
    tables: int,
    *,
    seconds: float = 60,
    warm: float = WARM,
    every: float = OPENED_EVERY,
    thinking: tuple[float, float] = THINKING,
) -> Iterator[Figure]:
    """Figures of this number of tables during so many seconds, after a warm-up.

    A page is opened `every` so many seconds; the players think for times between the two of `thinking`.
    """
    people = PEOPLE * tables
    seats: list[Table] = [(*range(first, first + PEOPLE), COMPUTER) for first in range(0, people, PEOPLE)]
    there = prepare(stack, people, seats, "live", terms=TERMS, moves=BEGUN)
    live, database, games = Live(), Database(stack), [person.games[0] for person in there[::PEOPLE]]
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        run = _run(stack, there, live, warm=warm, seconds=seconds, every=every, thinking=thinking)
        effort, memory = runner.run(run)
    yield "live_tables", tables, "tables"
    yield from milliseconds("live_move", live.moves, 50, 95, 99)
    yield from milliseconds("live_to_others", live.to_others, 50, 95, 99)
    yield from milliseconds("live_clock", live.clocks, 50, 95, 100)
    yield "live_missed_ticks", live.missed, "ticks"
    rulings = [text for [text] in database.rows(RULINGS, games)]
    late = len([text for text in rulings if text.startswith("grace")])
    yield "live_missed_turns", len(database.rows(TIMEOUTS, games)) + late, "turns"
    yield "live_lost_seats", len([text for text in rulings if text.endswith("is away")]), "seats"
    yield "live_games_over", live.over, "pages"
    yield "live_tables_by_socket", live.drawn, "tables"
    yield "live_requests", live.asked.total() / effort.seconds, "requests/s"
    for kind, number in sorted(live.asked.items()):
        yield f"live_requests_{kind}", number / effort.seconds, "requests/s"
    yield "live_web_memory", memory, "MiB"
    yield "live_errors_on_arrival", len(live.arriving), "errors"
    yield "live_errors", len(live.errors), "errors"
    for place, error in enumerate([*live.errors[:5], *live.arriving[:5]], 1):
        yield f"live_error_{place}", error, ""
    yield from effort.figures("live")


def missed_goals(figures: Sequence[Figure]) -> list[str]:
    """The goals that these figures miss, with the values; a figure that is no number misses its goal."""
    values = {name.removeprefix("live_"): value for name, value, _ in figures}
    return [
        f"{name} is {float(values[name]):.0f} instead of {goal:.0f}"
        for name, goal in GOALS.items()
        if not float(values[name]) <= goal
    ]


def most_tables(tables: int, measure: Callable[[int], Iterator[Figure]]) -> Iterator[Figure]:
    """Measure this number of tables, then others, until it is known at how many about the goals hold.

    Yields the figures of all runs, and that number at the end.
    """
    held, missed, number = 0, tables + 1, tables
    while missed - held > max(1, tables // NEAR):
        figures = []
        for figure in measure(number):
            figures.append(figure)
            yield figure
        is_met = figures[-1] == ("live_goals", MET, "")
        held, missed = (number, missed) if is_met else (held, number)
        number = (held + missed) // 2
    yield "live_most_tables", held, "tables"
