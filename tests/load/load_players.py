"""Many people who play at their own pace: each looks at a game every few seconds, and moves if asked.

They keep to a schedule: even if the site is slow, the time of the next look counts from the moment when it
was due. So a pause of the site shows in every look that it delayed.
"""

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from tests.load.load_members import Person, Site, Table, prepare, tables_of_four
from tests.load.measurements import Effort, Figure, Parts, milliseconds, percentile
from tests.safety.headless_browser import Answer, Lost, asked, is_over

THINKING = 4.0
COMPUTERS = ("medium", "medium", "random")


@dataclass
class Heard:
    """Times of a run in seconds, and errors."""

    pages: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)  # of the load generator, before its request
    errors: list[str] = field(default_factory=list)
    requests: int = 0

    def forget(self) -> None:
        """Start measuring: drop the times of the warm-up, keep the errors."""
        self.pages, self.moves, self.late, self.requests = [], [], [], 0


class Paced:
    """A person who looks at one of their games every `THINKING` seconds."""

    def __init__(self, person: Person, heard: Heard, rng: Random) -> None:
        self._browser = person.browser
        self._games = list(person.games)
        self._heard = heard
        self._rng = rng

    async def play(self, due: float, until: float) -> None:
        """Look at a game at `due` and every few seconds after it, on the monotonic clock."""
        while due < until:
            wait = due - time.monotonic()
            if wait > 0:
                await asyncio.sleep(wait)
                self._heard.late.append(time.monotonic() - due)
            try:
                await self._look(due)
            except Lost as lost:
                self._heard.errors.append(str(lost))
            due += THINKING

    async def _look(self, due: float) -> None:
        game = self._rng.choice(self._games)
        page = await self._browser.get(f"/games/{game}/")
        self._note(self._heard.pages, time.monotonic() - due, page, f"GET {game}")
        question = asked(page.text)
        if question is not None:
            fields = self._rng.choice(question.answers)
            answer = await self._browser.post(question.action, fields, HX_Request="true")
            self._note(self._heard.moves, answer.seconds, answer, f"POST {question.action} {fields}")
        elif is_over(page.text):
            await self._begin_another(game)

    def _note(self, times: list[float], seconds: float, answer: Answer, what: str, wanted: int = 200) -> None:
        self._heard.requests += 1
        times.append(seconds)
        if answer.status != wanted:
            self._heard.errors.append(f"{answer.status} to {what}: {answer.text[:200]}")

    async def _begin_another(self, game: str) -> None:
        """Replace a finished game by a new one against bots."""
        answer = await self._browser.post("/play/", {"opponents": "3", "level": "medium"})
        self._note([], answer.seconds, answer, "POST /play/", 302)
        if answer.status == 302:
            self._games[self._games.index(game)] = answer.headers["location"].split("/")[-2]


async def play(
    people: Sequence[Person], heard: Heard, *, warm: float, seconds: float, parts: Parts = dict
) -> Effort:
    """Let these people play, first for a warm-up; return the effort of the measured time."""
    rng, effort = Random(0), Effort(parts)
    begin = time.monotonic() + 0.5
    until = begin + warm + seconds
    tasks = [
        # Spread over the thinking time, as people are not in step.
        asyncio.create_task(
            Paced(person, heard, Random(rng.random())).play(begin + THINKING * place / len(people), until)
        )
        for place, person in enumerate(people)
    ]
    await asyncio.sleep(begin + warm - time.monotonic())
    heard.forget()
    with effort.measured():
        await asyncio.gather(*tasks)
    return effort


def players(
    site: Site,
    *,
    people: int = 200,
    computers: int = 20,
    seconds: float = 60,
    warm: float = 8,
    name: str = "players",
    parts: Parts = dict,
) -> Iterator[Figure]:
    """Measure this number of people at tables of four, some of whom also play against bots.

    The figures begin with the name; `parts` are those of the site whose processor time is measured.
    """
    against: list[Table] = [(number, *COMPUTERS) for number in range(computers)]
    there = prepare(site, people, [*tables_of_four(people), *against], "paced")
    heard = Heard()
    effort = asyncio.run(play(there, heard, warm=warm, seconds=seconds, parts=parts))
    yield from milliseconds(f"{name}_page", heard.pages, 50, 95, 99)
    yield from milliseconds(f"{name}_move", heard.moves, 50, 95, 99)
    yield f"{name}_requests", heard.requests / effort.seconds, "requests/s"
    yield f"{name}_errors", len(heard.errors), "errors"
    yield from ((f"{name}_error_{place}", error, "") for place, error in enumerate(heard.errors[:5], 1))
    yield f"{name}_generator_late_p95", percentile(heard.late, 95) * 1e3, "ms"
    yield from effort.figures(name)
