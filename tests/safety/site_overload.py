"""A trial of a site that is asked for more than it can handle, while somebody's time runs out."""

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import psycopg

from tests.safety.crash_players import Party
from tests.safety.headless_browser import Lost, Visitor
from tests.safety.site_outages import Result, settle
from tests.safety.site_stack import Stack

# Refused requests are answered so soon, and time is given back so soon after the last of them.
REFUSED_WITHIN = 1.0
GIVEN_BACK_WITHIN = 60.0

# Half of it is the time that is left to the player when the crowd comes.
CROWDED_SECONDS = 24.0

# A page that is made anew for each visitor, unlike the front page.
PAGE = "/games/running/"

# One request at a time.
NARROW = {"DB_POOL": "3"}

TIMED = """
import json, sys
from datetime import timedelta
from django.utils import timezone
from accounts.models import User
from games.lobby.game_start import start_game
from games.models import Game
word, left = json.loads(sys.stdin.read())
seats = [User.objects.create(username=f"{word}{letter}") for letter in "ab"]
game = start_game(system="acquire", preset="classic", host=seats[0], players=seats, visibility="unlisted")
game.seats.update(grace_used=True)
deadline = timezone.now() + timedelta(seconds=left)
Game.objects.filter(pk=game.pk).update(seconds_per_move=3600, deadline=deadline)
print("GAME", game.public_id)
"""
LOG = """
    SELECT entry.text FROM games_logentry entry JOIN games_game game ON game.id = entry.game_id
    WHERE game.public_id = %s ORDER BY entry.number
"""
# The end of the text names the player to move, whom the deal decides.
MORE_TIME = "more time for "


@dataclass
class Crowd:
    """Visitors without an account who ask for pages without a pause, and what they are answered."""

    port: int
    size: int = 60
    refused: list[float] = field(default_factory=list)
    answered: int = 0
    faults: list[str] = field(default_factory=list)

    async def come(self, seconds: float) -> None:
        """Ask for so long."""
        ends = time.monotonic() + seconds
        await asyncio.gather(*(self._ask(ends) for _ in range(self.size)))

    async def _ask(self, ends: float) -> None:
        visitor = Visitor(self.port)
        while time.monotonic() < ends:
            try:
                answer = await visitor.get(PAGE)
            except Lost as error:
                self.faults.append(f"no answer: {error}")
                continue
            if answer.status == 503 and answer.headers.get("retry-after"):
                self.refused.append(answer.seconds)
            elif answer.status == 200:
                self.answered += 1
            else:
                self.faults.append(f"{answer.status} to GET {PAGE}: {answer.text[:200]}")


async def crowd(stack: Stack, names: Sequence[str], *, leeway: float = 1.0, seed: int = 0) -> Result:
    """Let a crowd come while people play and the time of another one runs out."""
    result = Result("overload", leeway)
    visitors = Crowd(stack.port)
    party = Party(stack, names, games=4, seed=seed)
    async with party:
        timed = await asyncio.to_thread(_start_timed_game, stack, f"{names[0]}t")
        await visitors.come(CROWDED_SECONDS)
        ended = time.monotonic()
        while not (log := _log(stack, timed)) and time.monotonic() < ended + GIVEN_BACK_WITHIN * leeway:
            await asyncio.sleep(0.5)
    if len(log) != 1 or not log[0].startswith(MORE_TIME):
        result.faults.append(f"the log of the timed game says {log}")
    result.worst("given back", time.monotonic() - ended, GIVEN_BACK_WITHIN)
    result.did.update(refused=len(visitors.refused), answered=visitors.answered)
    result.faults += visitors.faults
    if visitors.refused:
        refused = sorted(visitors.refused)
        result.worst("p95 refused", refused[int(0.95 * (len(refused) - 1))], REFUSED_WITHIN)
    await settle(stack, party, result)
    return result


def _start_timed_game(stack: Stack, word: str) -> str:
    """Start a game in which nobody moves, and the time of the first player is over amid the crowd."""
    asked = json.dumps([word, CROWDED_SECONDS / 2])
    return stack.manage("shell", "--no-imports", "-c", TIMED, text=asked).partition("GAME ")[2].strip()


def _log(stack: Stack, game: str) -> list[str]:
    with psycopg.connect(stack.postgres.url) as database:
        return [text for (text,) in database.execute(LOG, [game])]
