"""A small site with everything on it: people of every role, and games, messages and rows they can reach.

Addresses and forms are written with words in braces (`/games/{running}/`), which stand for what this site
happens to have. What a request does to the world is undone after it (`undone`), so each finds the same one.
"""

import contextlib
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from django.contrib import admin
from django.db import transaction
from django.test import Client

ROLES = (
    *("anonymous", "guest", "member", "muted", "player", "seat", "host"),
    *("moderator", "manager", "superuser"),
)

# The staff by their groups.
GROUPS = {"moderator": "Moderators", "manager": "Member managers"}

A_DAY = 24 * 3600

PASSWORD = "a long enough secret"


@dataclass
class World:
    """People by role, and values for the words in braces."""

    people: dict[str, Any] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    _sessions: dict[str, str] = field(default_factory=dict)

    def client(self, role: str, **options: Any) -> Client:
        """A browser of this role with a fresh login; errors come back as answers."""
        client = Client(raise_request_exception=False, **options)
        if role == "anonymous":
            return client
        if role not in self._sessions:
            client.force_login(self.people[role])
            # Pages that ask for the password again must be reachable, however long the tests run.
            session = client.session
            proof = {"method": "password", "at": time.time() + A_DAY, "reauthenticated": True}
            session["account_authentication_methods"] = [proof]
            session["account_authentication_methods_user"] = str(self.people[role].pk)
            session.save()
            client.get("/robots.txt")  # the first request of a day records the visit
            self._sessions[role] = client.cookies["sessionid"].value
        client.cookies["sessionid"] = self._sessions[role]
        return client

    def says(self, text: str) -> str:
        """Replace every word in braces."""
        return text.format_map(self.words)


@contextlib.contextmanager
def undone() -> Iterator[None]:
    """Undo all writes at the end."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def build() -> World:
    """Build the site in the current database."""
    world = World()
    _people(world)
    _games(world)
    _rows(world)
    for role in ROLES:
        world.client(role)
    player = world.client("player")
    player.post(world.says("/games/{running}/explore/"))
    people = {"who_1": "person", "name_1": "Ann", "who_2": "person", "name_2": "Ben"}
    begun = player.post("/games/practice/", {"preset": "classic", **people})
    world.words["practice"] = begun.headers["Location"].split("/")[2]
    return world


# -- Contents --------------------------------------------------------------------------------------


def _people(world: World) -> None:
    from django.contrib.auth.models import Group

    from accounts.models import User

    make = User.objects.create_user
    world.people = {role: make(f"the-{role}", password=PASSWORD) for role in ROLES if role != "anonymous"}
    for role, person in world.people.items():
        world.words[f"name_of_{role}"] = person.username
    User.objects.filter(pk=world.people["guest"].pk).update(is_guest=True)
    for role, group in GROUPS.items():
        User.objects.filter(pk=world.people[role].pk).update(is_staff=True)
        world.people[role].groups.add(Group.objects.get(name=group))
    User.objects.filter(pk=world.people["superuser"].pk).update(is_staff=True, is_superuser=True)


def _games(world: World) -> None:
    from games.insights.decision_figures import set_public
    from games.lobby.game_start import create_game, start_game
    from games.lobby.game_terms import GameTerms
    from games.lobby.invite import invite, invite_address
    from games.lobby.join_game import join
    from games.play.seats.concession import concede
    from games.ratings.result_queue import count_results
    from tests.support.reviewed_games import make_mistake

    who = world.people
    player, seat, host = who["player"], who["seat"], who["host"]
    usual = {"system": "acquire", "preset": "avalon-hill", "least": 2, "most": 6, "skips": False}

    def opened(**terms: Any) -> Any:
        return create_game(host=host, terms=GameTerms(**{**usual, **terms}))

    def started(preset: str, *people: Any, system: str = "acquire", **terms: Any) -> Any:
        terms = {"skips": False, "visibility": "public", **terms}
        return start_game(system=system, preset=preset, host=people[0], players=people, **terms)

    waiting, invited = opened(), opened(visibility="invited")
    for person in (player, seat):
        join(game_id=waiting.pk, user=person)
    invite(game_id=invited.pk, user=who["member"], by=host)
    invite_address(game_id=invited.pk, address="friend@club.example", by=host)
    running = started("avalon-hill", player, seat, host)
    until_asked(running, player)
    parks = started(_first("acquisition"), player, seat, system="acquisition")
    unlisted = started("avalon-hill", player, seat, visibility="unlisted")
    concede(game_id=unlisted.pk, by=seat)
    imported = _imported(unlisted, player)
    finished = started("avalon-hill", player, seat, rated=True)
    play_on(finished, 10_000)
    count_results()
    games = {
        **{"open": waiting, "invited": invited, "running": running, "parks": parks},
        **{"unlisted": unlisted, "imported": imported, "finished": finished},
    }
    for word, game in games.items():
        game.refresh_from_db()
        world.words |= {word: game.public_id, f"{word}_next": str(game.version + 1)}
    puzzle = _puzzle(finished)
    mistake = make_mistake(finished, player)
    set_public(player, True)
    world.words |= {
        "puzzle": puzzle.day.isoformat(),
        "puzzle_answer": puzzle.best,
        "assessed": str(mistake.decision.number),
        "mistake": str(mistake.pk),
        "mistake_answer": mistake.best,
        "code": waiting.invite_code,
        "asked": invited.invitations.exclude(address="").get().code,
        "move": legal_move(running),
        "version": str(running.version),
    }


def _imported(game: Any, owner: Any) -> Any:
    """Import the finished game for its owner."""
    from games.archive.game_export import exported
    from games.archive.game_import import import_game

    data = json.dumps(exported(game.public_id, owner)).encode()
    return import_game(data, by=owner)


def _puzzle(finished: Any) -> Any:
    """Make the puzzle of the day from a finished game."""
    from tests.puzzles.made_puzzles import game_source, make_puzzle

    return make_puzzle(game_source(finished))


def _first(system: str) -> str:
    from games.web.presenters.presenter_registry import PRESENTERS

    return str(PRESENTERS[system].presets()[0].name)


def _rows(world: World) -> None:
    """Create everything that people have besides games, and a row of everything in the admin."""
    from allauth.account.models import EmailAddress
    from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
    from allauth.usersessions.models import UserSession
    from django.contrib.auth.models import Group
    from django.utils import timezone

    from accounts.api_access.api_tokens import make_token
    from accounts.api_access.bot_accounts import register_program
    from accounts.models import AccessTrace, AccountMail, Appeal, AuditEntry, Sanction, SitePage
    from games.chat.messages import mute, say
    from games.lobby.block_list import block
    from games.models import (
        ChatMessage,
        DeliveryAttempt,
        Endpoint,
        Game,
        Notification,
        ReplyTemplate,
        UnsubscribedAddress,
        Vacation,
    )
    from games.moderation.abuse_reports import report, report_game, report_person
    from games.web.notifications import unsubscribe

    who, now = world.people, timezone.now()
    running = Game.objects.get(public_id=world.words["running"])
    line = say(game_id=running.pk, user=who["host"], text="Well met.")
    watched = say(game_id=running.pk, user=who["member"], text="They are slow.")
    mute(who["seat"], who["muted"])
    mute(who["host"], who["muted"])
    block(who["seat"], who["muted"])
    endpoint = Endpoint.objects.create(user=who["player"], kind="webhook", url="https://hook.example/x")
    day = now.date().replace(year=now.year + 2)
    away = Vacation.objects.create(user=who["player"], first=day, last=day, starts=now, ends=now)
    report_person(person=who["muted"], user=who["player"], trouble="spam")
    report_game(game=running, user=who["member"], trouble="cheating")
    complaint = report(line=line, user=who["player"], reason="Rude.")
    EmailAddress.objects.create(user=who["player"], email="player@club.example", verified=True, primary=True)
    RecoveryCodes.activate(who["member"])
    Notification.objects.create(user=who["seat"], game=running, kind="decision", due=now)
    DeliveryAttempt.objects.create(user=who["seat"], address="seat@club.example", outcome="handed over")
    AccountMail.objects.create(
        user=who["seat"],
        address="seat@club.example",
        kind="password changed",
        state="given up",
        due=now,
    )
    UnsubscribedAddress.objects.create(address="gone@club.example")
    Group.objects.create(name="moderators")
    AuditEntry.objects.create(by_name="vera", action="warn", reason="Rude.", member=who["muted"])
    SitePage.objects.create(slug="terms", title="Terms", text="Play fair.")
    UserSession.objects.create(
        user=who["member"], session_key="x" * 32, ip="192.0.2.1", user_agent="x", last_seen_at=now
    )
    warning = Sanction.objects.create(
        member=who["player"], kind="warning", reason="Be kind.", by=who["superuser"], read=now
    )
    sanction = Sanction.objects.create(
        member=who["seat"], kind="mute", reason="Rude.", until=now, by=who["host"]
    )
    Appeal.objects.create(sanction=sanction, text="It was a joke.")
    AccessTrace.objects.create(member=who["seat"], kind="browser", mark="0" * 64, first=now, last=now)
    token = unsubscribe.link(unsubscribe.GAME, user=who["player"], of=running.public_id).rstrip("/")
    key, _text = make_token(who["player"], "My sheet")
    program = register_program(who["player"], "Greedy-bot")
    world.words |= {
        "key": str(key.pk),
        "program": program.user.username,
        "chief": str(who["superuser"].pk),
        "line": str(line.pk),
        "watched": str(watched.pk),
        "report": str(complaint.pk),
        "sanction": str(warning.pk),
        "endpoint": str(endpoint.pk),
        "vacation": str(away.pk),
        "token": token.rpartition("/")[2],
        "line_model": str(_content_type(ChatMessage)),
    }
    # Rows of migrations are gone when a test has emptied the database.
    ReplyTemplate.objects.get_or_create(name="Nothing found", defaults={"text": "We looked."})
    for model in admin.site._registry:
        row = model._default_manager.order_by("pk").last()
        world.words[f"{model._meta.app_label}_{model._meta.model_name}"] = str(row.pk)


def _content_type(model: Any) -> int:
    from django.contrib.contenttypes.models import ContentType

    return int(ContentType.objects.get_for_model(model).pk)


# -- Moves -----------------------------------------------------------------------------------------


def play_on(game: Any, moves: int, seed: int = 1) -> None:
    """Play this many random moves, or to the end."""
    rng = Random(seed)
    while moves and _moved(game, rng):
        moves -= 1


def until_asked(game: Any, user: Any) -> None:
    """Play at least six moves, and on until this user is to place a tile."""
    from games.models import Game

    rng = Random(1)
    while True:
        game = Game.objects.get(pk=game.pk)
        asked = game.seats.get(number=game.seat_to_move).user_id
        if game.version > 6 and asked == user.pk and game.decision_kind == "place":
            return
        _moved(game, rng)


def legal_move(game: Any) -> str:
    """Return some legal move."""
    return str(_legal(game)[1][0])


def _legal(game: Any) -> tuple[Any, list[Any]]:
    from games.models import Game

    game = Game.with_secrets.get(pk=game.pk)
    if game.seat_to_move is None:
        return game, []
    return game, list(game.rule_system.legal_moves(game.rule_system.state_from_json(game.state)))


def _moved(game: Any, rng: Random) -> bool:
    from games.play.play_move import play_move

    game, moves = _legal(game)
    if moves:
        seat = game.seats.get(number=game.seat_to_move)
        move = str(rng.choice(moves))
        play_move(game_id=game.pk, number=game.version + 1, seat=seat.number, text=move, by=seat.user)
    return bool(moves)
