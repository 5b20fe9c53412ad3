"""Players of a site parts of which die; they record all that they did and heard."""

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from games.engine.rules.acquire import rule_system as acquire_rule_system
from games.engine.rules.acquire.chains import CHAIN_BY_NAME
from tests.safety.headless_browser import Answer, Asked, Lost, Visitor, asked, is_over
from tests.safety.site_stack import Stack

PASSWORD = "correct horse battery"
# A move without an answer for this long is given up and counts as unknown.
GIVE_UP = 60.0

PREPARE = """
import json, sys
from django.contrib.auth.hashers import make_password
from allauth.account.models import EmailAddress
from accounts.models import User
from games.lobby.game_start import start_game
asked = json.loads(sys.stdin.read())
secret, people, games = make_password(asked["password"]), [], []
for name in asked["names"]:
    user = User(username=name, email=f"{name}@mail.example", password=secret)
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    people.append(user)
for number in range(asked["games"]):
    one, other = (people[(number + step) % len(people)] for step in (0, 1))
    seats = [one, "random", "random"] if number % 3 else [one, other, "random"]
    terms = {"visibility": "public", **asked["terms"]}
    game = start_game(system="acquire", preset="classic", host=one, players=seats, **terms)
    games.append([game.public_id, [seat.username for seat in seats if not isinstance(seat, str)]])
print("GAMES", json.dumps(games))
"""


@dataclass
class Attempt:
    """One move that somebody tried, with all retries.

    `outcome` is ok, fail, or unknown: no answer said so.
    """

    who: str
    game: str
    number: int
    text: str
    outcome: str = "unknown"


@dataclass
class History:
    """Everything that the players of a site did, and its answers."""

    attempts: list[Attempt] = field(default_factory=list)
    answers: list[tuple[float, int, float]] = field(default_factory=list)  # when, status, seconds; of moves
    faults: list[str] = field(default_factory=list)  # answers that no site may give
    games: set[str] = field(default_factory=set)
    people: set[str] = field(default_factory=set)
    patience: float = GIVE_UP
    lost: int = 0  # answers that never came

    def count(self, outcome: str) -> int:
        return sum(attempt.outcome == outcome for attempt in self.attempts)

    def heard(self, answer: Answer, what: str, *allowed: int) -> None:
        """Note any answer but these and those of a busy site that says when to come back."""
        if answer.status == 503 and answer.headers.get("retry-after"):
            return
        if answer.status not in allowed:
            self.faults.append(f"{answer.status} to {what}: {answer.text[:300]}")


class Player:
    """A player of several games, who plays them in turn until told to stop."""

    def __init__(self, stack: Stack, name: str, games: Sequence[str], history: History, rng: Random) -> None:
        self.name = name
        self.games = list(games)
        self._visitor = Visitor(stack.port, name)
        self._history = history
        self._rng = rng

    async def log_in(self) -> None:
        await self._visitor.log_in(PASSWORD)

    async def play(self, pause: float, stop: asyncio.Event, going: asyncio.Event) -> None:
        """Visit one game after the other and answer what is asked, while `going` and until `stop`."""
        while not stop.is_set():
            await going.wait()
            await self._look_at(self._rng.choice(self.games))
            await asyncio.sleep(pause * (0.5 + self._rng.random()))

    async def _look_at(self, game: str) -> None:
        try:
            page = await self._visitor.get(f"/games/{game}/")
        except Lost:
            self._history.lost += 1
            return
        self._history.heard(page, f"GET {game}", 200)
        question = asked(page.text)
        if question is not None:
            await self._answer(game, question)
        elif is_over(page.text):
            await self._begin_another(game)

    async def _answer(self, game: str, question: Asked) -> None:
        fields = self._rng.choice(question.answers)
        attempt = Attempt(self.name, game, question.number, notation(fields))
        self._history.attempts.append(attempt)
        sends = [self._send(attempt, question.action, fields)]
        if self._rng.random() < 0.1:
            # An impatient player, who presses the button twice.
            sends.append(self._send(attempt, question.action, fields))
        await asyncio.gather(*sends)

    async def _send(self, attempt: Attempt, action: str, fields: dict[str, str]) -> None:
        """Send the move again and again until it is answered."""
        ends = time.monotonic() + self._history.patience
        while attempt.outcome == "unknown" and time.monotonic() < ends:
            try:
                answer = await self._visitor.post(action, fields, HX_Request="true")
            except Lost:
                self._history.lost += 1
            else:
                self._history.answers.append((time.monotonic(), answer.status, answer.seconds))
                self._history.heard(answer, f"POST {action} {attempt.text}", 200, 409)
                self._settle(attempt, {200: "ok", 409: "fail"}.get(answer.status, "unknown"))
            await asyncio.sleep(0.3)

    def _settle(self, attempt: Attempt, outcome: str) -> None:
        """Record the outcome of an attempt; two answers to the same move must agree."""
        if attempt.outcome == "unknown":
            attempt.outcome = outcome
        elif outcome not in {"unknown", attempt.outcome}:
            self._history.faults.append(f"first {attempt.outcome}, then {outcome}: {attempt}")

    async def _begin_another(self, game: str) -> None:
        """Play a new game in place of a finished one."""
        try:
            answer = await self._visitor.post("/play/", {"opponents": "2", "level": "random"})
        except Lost:
            self._history.lost += 1
            return
        self._history.heard(answer, "POST /play/", 302)
        if answer.status == 302:
            another = answer.headers["location"].split("/")[-2]
            self.games[self.games.index(game)] = another
            self._history.games.add(another)


def notation(fields: Mapping[str, str]) -> str:
    """Return the move that the fields of a form ask for, in the notation of the log."""
    kind = fields.get("kind", "")
    if "move" in fields:
        text = fields["move"]
    elif kind in {"dispose", "buy"}:
        names = ("sell", "trade") if kind == "dispose" else CHAIN_BY_NAME
        counts = [f"{fields[name]} {name}" for name in names if int(fields.get(name, "0"))]
        if kind == "dispose":
            counts = [f"{name} {count}" for count, name in map(str.split, counts)]
        text = f"{kind} {' '.join(counts) or 'nothing'}{' and end' if fields.get('end') else ''}"
    else:
        text = f"{kind} {fields.get('tile') or fields.get('chain')}"
    return str(acquire_rule_system.parse_move(text))


def prepare(stack: Stack, names: Sequence[str], games: int, terms: Mapping[str, int]) -> dict[str, list[str]]:
    """Create these people and this many games, a third of them for two people; return the games of each.

    `terms` are fields of `GameTerms`.
    """
    text = json.dumps({"names": names, "games": games, "terms": terms, "password": PASSWORD})
    said = stack.manage("shell", "--no-imports", "-c", PREPARE, text=text)
    theirs: dict[str, list[str]] = {name: [] for name in names}
    for game, players in json.loads(said.partition("GAMES ")[2]):
        for name in players:
            theirs[name].append(game)
    return theirs


class Party:
    """Players of a stack: they play inside `async with`; `history` records it."""

    def __init__(
        self,
        stack: Stack,
        names: Sequence[str],
        games: int,
        *,
        pause: float = 1.0,
        seed: int = 0,
        terms: Mapping[str, int] | None = None,
    ) -> None:
        self.history = History()
        self.going = asyncio.Event()
        self._stop = asyncio.Event()
        self._pause = pause
        theirs = prepare(stack, names, games, terms or {})
        self.history.people.update(names)
        self.history.games.update(game for some in theirs.values() for game in some)
        self.players = [
            Player(stack, name, theirs[name], self.history, Random(f"{seed} {name}")) for name in names
        ]

    async def __aenter__(self) -> "Party":
        for player in self.players:
            await player.log_in()
        self.going.set()
        self._tasks = [
            asyncio.create_task(player.play(self._pause, self._stop, self.going)) for player in self.players
        ]
        return self

    async def __aexit__(self, *_: object) -> None:
        """Let everybody finish their move, and stop."""
        self._stop.set()
        self.going.set()
        await asyncio.gather(*self._tasks)

    async def rest(self) -> None:
        """Let nobody begin anything until `going` is set again."""
        self.going.clear()
        while any(attempt.outcome == "unknown" for attempt in self.history.attempts[-200:]):
            await asyncio.sleep(0.1)
