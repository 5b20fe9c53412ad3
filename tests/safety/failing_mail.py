"""Mail despite servers that refuse and hang, and senders killed on the way."""

import contextlib
import json
import logging
import threading
import time
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage
from random import Random
from typing import Any

import psycopg

from tests.notifications.mail_sink import Sink, serving
from tests.safety.site_outages import Result
from tests.safety.site_stack import Stack

# People who wait for one another: in each game one is asked, and must get a mail about it.
START = """
import json, sys, time
from allauth.account.models import EmailAddress
from accounts.models import User
from games.lobby.game_start import start_game
word, games, pause, columns = json.loads(sys.stdin.read())
for number in range(games):
    seats = []
    for letter in "ab":
        user = User.objects.create(username=f"{word}{number}{letter}", **columns)
        address = f"{user.username}@mail.example"
        EmailAddress.objects.create(user=user, email=address, primary=True, verified=True)
        User.objects.filter(pk=user.pk).update(email=address)
        seats.append(user)
    start_game(system="acquire", preset="classic", host=seats[0], players=seats, visibility="unlisted")
    time.sleep(pause)
"""

# Make waiting rows due, again if their sender died; such attempts are not counted.
# Rows that somebody may be sending right now are left alone.
PASS = """
    UPDATE games_notification SET due = now() - interval '1 minute', made = now() - interval '1 minute',
    attempts = 0 WHERE state = 'waiting'
"""
UNTRIED = " AND attempts = 0"
# A mail server that was away is tried again at once.
FORGET = "DELETE FROM site_cache WHERE cache_key LIKE '%%mail-server-away%%'"
ROWS = """
    SELECT note.state, note.message_id, who.email FROM games_notification note
    JOIN accounts_user who ON who.id = note.user_id
    WHERE note.kind = 'decision' AND note.endpoint_id IS NULL AND who.username LIKE %s
"""


class MailServer:
    """A mail server that refuses, hangs, or kills whoever sends to the people of `word`, as told."""

    def __init__(self, rng: Random) -> None:
        self.sink = Sink()
        self.stack: Stack | None = None
        self.word = ""
        self.killed: Counter[str] = Counter()
        self.kills_left = 0
        self.hangs = threading.Event()
        self.refuses = False
        self._rng = rng
        self.sink.to_recipient = self._to_recipient
        self.sink.on_mail = lambda mail: self._perhaps_kill("after", str(mail["To"]))

    @property
    def mails(self) -> list[EmailMessage]:
        """Mails to the people of `word`; mails of earlier trials do not count."""
        return [mail for mail in self.sink.mails if str(mail["To"]).startswith(self.word)]

    @contextlib.contextmanager
    def serving(self) -> Iterator[str]:
        """Run the server and yield its address for EMAIL_URL."""
        logging.getLogger("mail.log").setLevel(logging.WARNING)
        with serving(self.sink) as port:
            yield f"smtp://127.0.0.1:{port}"

    def _to_recipient(self, address: str) -> str | None:
        # The server has one thread, so this holds up everybody who is connected.
        while self.hangs.is_set():
            time.sleep(0.05)
        if self.refuses:
            return "451 Come back later"
        self._perhaps_kill("before", address)
        return None

    def _perhaps_kill(self, moment: str, address: str) -> None:
        """Perhaps kill all possible senders, who then never hear the answer; the first kill is a `before`."""
        first = not self.killed.total() and moment == "before"
        if self.stack is None or self.kills_left <= 0 or not address.startswith(self.word):
            return
        if not first and (not self.killed.total() or self._rng.random() < 0.5):
            return
        self.kills_left -= 1
        self.killed[moment] += 1
        kill_senders(self.stack)


def kill_senders(stack: Stack) -> None:
    """Kill all possible senders, and make due again what they were sending."""
    for name in ("worker", "sweeper"):
        if name in stack.processes:
            stack.processes[name].kill_all()
    _pass(stack, PASS)


def trouble_with_mail(
    stack: Stack,
    server: MailServer,
    *,
    word: str,
    games: int = 12,
    kills: int = 6,
    hang: float = 12,
    patience: float = 60,
    until_a_loss: bool = False,
) -> Result:
    """Notify people in this many games, by a server that refuses, then hangs, then sees senders killed."""
    result = Result("mail")
    server.stack, server.word = stack, word
    server.refuses = True
    start_games(stack, word, games)
    _wait(stack, 4)
    kill_senders(stack)
    server.refuses = False
    server.hangs.set()
    _wait(stack, hang)
    kill_senders(stack)
    server.hangs.clear()
    server.killed.clear()
    server.kills_left = kills
    ends = time.monotonic() + patience
    while _waiting(stack, word) and time.monotonic() < ends:
        _wait(stack, 1)
        if until_a_loss and server.killed and lost(server.mails, _rows(stack, word)):
            break
    server.kills_left = 0
    result.did.update(mails=len(server.mails), games=games, mail_kills=server.killed.total())
    result.faults += judge(server.mails, _rows(stack, word), server.killed["after"])
    return result


def start_games(stack: Stack, word: str, games: int, pause: float = 0, **columns: Any) -> None:
    """Start games one after the other, in each of which somebody must get a mail.

    `columns` are those of the people.
    """
    asked = json.dumps([word, games, pause, columns])
    stack.manage("shell", "--no-imports", "-c", START, text=asked)


def judge_when_sent(stack: Stack, server: MailServer, word: str, kills: int, patience: float) -> list[str]:
    """Wait until no mail waits, no longer than that, and return the faults."""
    server.word = word
    ends = time.monotonic() + patience
    while _waiting(stack, word) and time.monotonic() < ends:
        _wait(stack, 1)
    return judge(server.mails, _rows(stack, word), kills)


def judge(mails: list[EmailMessage], rows: list[tuple[str, str, str]], kills: int) -> list[str]:
    """Return the faults: somebody without mail, more repeats than kills, one mail under two ids."""
    faults = [f"{address}: {state}" for state, _, address in rows if state != "sent"]
    faults += [f"no mail to {address}, though it counts as sent" for address in lost(mails, rows)]
    names = _names(mails)
    faults += [
        f"one mail to {address} under {len(ids)} names" for address, ids in names.items() if len(ids) > 1
    ]
    if len(mails) - len(names) > kills:
        faults.append(f"{len(mails)} mails to {len(names)} people with {kills} kills")
    return faults


def lost(mails: list[EmailMessage], rows: list[tuple[str, str, str]]) -> list[str]:
    """Addresses to which a mail counts as sent that never came."""
    names = _names(mails)
    return [
        address for state, name, address in rows if state == "sent" and name not in names.get(address, set())
    ]


def _names(mails: list[EmailMessage]) -> dict[str, set[str]]:
    """Message ids of the mails to each address."""
    names: dict[str, set[str]] = {}
    for mail in mails:
        names.setdefault(str(mail["To"]), set()).add(str(mail["Message-ID"]))
    return names


def _wait(stack: Stack, seconds: float) -> None:
    """Keep making untried rows due for this long."""
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        _pass(stack, PASS + UNTRIED)
        time.sleep(0.5)


def _pass(stack: Stack, statement: str) -> None:
    with psycopg.connect(stack.postgres.url) as database:
        database.execute(statement)
        database.execute(FORGET)


def _rows(stack: Stack, word: str) -> list[tuple[str, str, str]]:
    with psycopg.connect(stack.postgres.url) as database:
        return database.execute(ROWS, [f"{word}%"]).fetchall()


def _waiting(stack: Stack, word: str) -> bool:
    return any(state == "waiting" for state, _, _ in _rows(stack, word))
