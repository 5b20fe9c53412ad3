"""Logged-in members with games."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tests.safety.headless_browser import Visitor

# A log-in is rate limited and costs as much as many pages, so the sessions are written directly.
PREPARE = """
import json, sys
from importlib import import_module
from random import Random
from django.conf import settings
from django.db import transaction
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from allauth.account.models import EmailAddress
from accounts.models import User
from games.lobby.game_start import start_game
from tests.load.begun_games import bring_on
asked, rng = json.loads(sys.stdin.read()), Random(0)
store, people, games, sessions = import_module(settings.SESSION_ENGINE).SessionStore, [], [], []
for number in range(asked["people"]):
    name = f"{asked['word']}{number:04}"
    user = User.objects.create_user(name, email=f"{name}@mail.example")
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    session = store()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    people.append(user)
    sessions.append([name, session.session_key])
for table in asked["tables"]:
    seats = [people[seat] if isinstance(seat, int) else seat for seat in table]
    terms = {"system": "acquire", "preset": "classic", "visibility": "public", **asked["terms"]}
    with transaction.atomic():
        game = start_game(host=seats[0], players=seats, **terms)
        if asked["moves"]:
            bring_on(game, rng.randrange(asked["moves"]), rng)
    games.append(game.public_id)
print("MADE", json.dumps([settings.SESSION_COOKIE_NAME, sessions, games]))
"""

# The seats of a table: people by number, bots by level; the first is a person.
Table = Sequence[int | str]


@dataclass(frozen=True)
class Person:
    """A member: a logged-in browser, its cookie for sockets, and the games to play in."""

    browser: Visitor
    cookie: str
    games: list[str]


class Site(Protocol):
    """A running site."""

    port: int

    def manage(self, *arguments: str, text: str = "") -> str:
        """Run a management command with this input and return its output."""


def prepare(
    stack: Site,
    people: int,
    tables: Sequence[Table],
    word: str,
    *,
    terms: Mapping[str, object] | None = None,
    moves: int = 0,
) -> list[Person]:
    """Create this number of members, named after the word, with games at these tables on these terms.

    Each game has begun: fewer than `moves` random moves were played.
    """
    asked = {"people": people, "tables": tables, "word": word, "terms": terms or {}, "moves": moves}
    said = stack.manage("shell", "--no-imports", "-c", PREPARE, text=json.dumps(asked))
    cookie, sessions, games = json.loads(said.partition("MADE ")[2])
    made = []
    for number, (name, key) in enumerate(sessions):
        browser = Visitor(stack.port, name)
        browser.remember(cookie, key)
        theirs = [game for game, table in zip(games, tables, strict=True) if number in table]
        made.append(Person(browser, f"{cookie}={key}", theirs))
    return made


def tables_of_four(people: int) -> list[Table]:
    """Tables that seat these people among themselves, four at each."""
    return [tuple(range(first, min(first + 4, people))) for first in range(0, people - 1, 4)]
