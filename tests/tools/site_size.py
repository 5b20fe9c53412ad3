"""Needs of a site with this many people at once: `python -m tests.tools.site_size`.

Writes the table of docs/scale.md from `MEASURED`. After a new `make load ONLY=players`, change its figures
there, and run this again.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scale.md"
BEGIN, END = "<!-- tests.tools.site_size -->\n", "<!-- end -->\n"

SIZES = (1_000, 10_000, 100_000)

# The share of its time that a processor may be busy, so that nobody waits long.
BUSY = 0.6
# Hours of such a demand in a day.
BUSY_HOURS = 8


@dataclass(frozen=True)
class Figures:
    """A run of `make load ONLY=players`, and sizes and limits from docs/scale.md and the settings."""

    people: int
    pages_a_second: float
    moves_a_second: float
    # Busy cores.
    web_cores: float
    database_cores: float
    bot_cores: float
    # Statements of a page and of a move, at most.
    page_statements: int = 5
    move_statements: int = 16
    # Bytes of a table on its way, and of a move where it is stored.
    page_bytes: int = 7_900
    move_bytes: int = 397
    web_process_mib: int = 182
    connections_of_a_web_process: int = 8


MEASURED = Figures(
    people=160, pages_a_second=40, moves_a_second=12, web_cores=0.91, database_cores=0.08, bot_cores=0.08
)


@dataclass(frozen=True)
class Need:
    """Needs of this many people at once, by these figures."""

    people: int
    figures: Figures = MEASURED

    @property
    def _times(self) -> float:
        return self.people / self.figures.people

    @property
    def pages(self) -> float:
        return self.figures.pages_a_second * self._times

    @property
    def moves(self) -> float:
        return self.figures.moves_a_second * self._times

    @property
    def web_processes(self) -> int:
        """Each keeps one core busy, because Python runs one thread at a time."""
        return ceil(self.figures.web_cores * self._times / BUSY)

    @property
    def database_cores(self) -> int:
        return ceil(self.figures.database_cores * self._times / BUSY)

    @property
    def bot_cores(self) -> int:
        return ceil(self.figures.bot_cores * self._times / BUSY)

    @property
    def connections(self) -> int:
        return self.web_processes * self.figures.connections_of_a_web_process

    @property
    def statements(self) -> float:
        return self.pages * self.figures.page_statements + self.moves * self.figures.move_statements

    @property
    def ticks(self) -> float:
        """Messages a second that Redis hands out: each move to each web process."""
        return self.moves * self.web_processes

    @property
    def web_gib(self) -> float:
        return self.web_processes * self.figures.web_process_mib / 1024

    @property
    def megabits(self) -> float:
        return self.pages * self.figures.page_bytes * 8 / 1e6

    @property
    def log_gib_a_day(self) -> float:
        return self.moves * self.figures.move_bytes * BUSY_HOURS * 3600 / 2**30


ROWS: tuple[tuple[str, Callable[[Need], float]], ...] = (
    ("pages a second", lambda need: need.pages),
    ("moves of people a second", lambda need: need.moves),
    ("web processes, a core for each", lambda need: need.web_processes),
    ("their memory, GiB", lambda need: need.web_gib),
    ("their connections to the database without a pooler", lambda need: need.connections),
    ("cores of PostgreSQL", lambda need: need.database_cores),
    ("statements a second", lambda need: need.statements),
    ("log, GiB a day", lambda need: need.log_gib_a_day),
    ("cores for bots", lambda need: need.bot_cores),
    ("ticks that Redis hands out, a second", lambda need: need.ticks),
    ("tables on the wire, Mbit/s", lambda need: need.megabits),
)


def table(figures: Figures = MEASURED) -> str:
    """The table, in Markdown."""
    needs = [Need(people, figures) for people in SIZES]
    head = ["people at once", *(f"{need.people:,}" for need in needs)]
    rows = [[what, *(_rounded(value(need)) for need in needs)] for what, value in ROWS]
    return "".join(f"| {' | '.join(row)} |\n" for row in [head, ["---"] * len(head), *rows])


def written(text: str, figures: Figures = MEASURED) -> str:
    """The text of the page with the table made anew."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{table(figures)}{END}{after}"


def main() -> int:
    """Write the table into the page; returns the exit code for the shell."""
    PAGE.write_text(written(PAGE.read_text()))
    return 0


def _rounded(value: float) -> str:
    """The number with two digits that mean something, and its units if it is below 100."""
    if value < 10:
        return f"{value:.1f}".removesuffix(".0")
    digits = max(0, len(str(int(value))) - 2)
    return f"{round(value, -digits):,.0f}"


if __name__ == "__main__":
    sys.exit(main())
