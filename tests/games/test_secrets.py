"""What a viewer cannot know changes no byte that the viewer is sent: hidden money, the seed, ticks, lookups.

Hidden tiles are looked for everywhere in tests/safety (test_leaks.py).
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import services
from games.models import Game
from games.rules import acquire
from games.services import best_effort, ticks, worker_queue

from .conftest import play_on

pytestmark = pytest.mark.django_db

# Django masks its token anew for every answer.
TOKEN = re.compile(rb'(csrfmiddlewaretoken" value="|X-CSRFToken": ")[0-9A-Za-z]{64}')

CLOCKS = ("Date", "Expires", "Set-Cookie")


class Viewer:
    """Somebody who looks at a game, with the seat of that person, if any."""

    def __init__(self, name: str, client: Client, seat: int | None) -> None:
        self.name, self.client, self.seat = name, client, seat

    def is_sent(self, address: str, **form: str) -> tuple[int, dict[str, list[str]], bytes]:
        """Status, headers and body of the answer."""
        answer = self.client.post(address, form) if form else self.client.get(address)
        # The clock and the order of the policy's words differ between any two answers.
        headers = {name: sorted(value.split("; ")) for name, value in answer.items() if name not in CLOCKS}
        return answer.status_code, headers, TOKEN.sub(rb"\1", answer.content)


@pytest.fixture
def viewers(alice: User, bob: User) -> Callable[[Game], list[Viewer]]:
    """Both players, a member who watches, a stranger, and a moderator."""

    def viewers(game: Game) -> list[Viewer]:
        carol = User.objects.create_user("carol")
        staff = User.objects.create_superuser("staff")
        found = [Viewer("a stranger", Client(), None)]
        for user in (alice, bob, carol, staff):
            client = Client()
            client.force_login(user)
            seat = game.seats.filter(user=user).values_list("number", flat=True).first()
            found.append(Viewer(user.username, client, seat))
        return found

    return viewers


def permuted(state: dict, seat: int | None, rng: Random) -> dict:
    """The stored state with everything dealt anew that the seat cannot see: other hands, bag, seed."""
    hands, bag = state["hands"], state["bag"].split()
    hidden = [tile for owner, hand in enumerate(hands) if owner != seat for tile in hand.split()] + bag
    rng.shuffle(hidden)
    dealt = []
    for owner, hand in enumerate(hands):
        size = len(hand.split())
        dealt.append(hand if owner == seat else " ".join(hidden.pop() for _ in range(size)))
    new = {**state, "hands": dealt, "bag": " ".join(hidden), "seed": rng.randbytes(32).hex()}
    if new["decision"][1] != seat and new["decision"][0] in ("place", "stuck"):
        # What the seat to move can do depends on its hand.
        new = acquire.to_json(acquire.from_json(new))
    return new


@contextmanager
def stored(game: Game, state: dict) -> Iterator[None]:
    """The game with another state for a while."""
    before = Game.with_secrets.get(pk=game.pk).state
    Game.objects.filter(pk=game.pk).update(state=state)
    yield
    Game.objects.filter(pk=game.pk).update(state=before)


def addresses(game: Game) -> list[str]:
    return [reverse(name, args=[game.public_id]) for name in ("game", "log", "deal")] + [
        reverse("home"),
        reverse("admin:games_game_change", args=[game.pk]),
        reverse("admin:games_game_changelist"),
    ]


def test_with_hidden_holdings_no_page_depends_on_the_others_money(
    start: Callable[..., Game], alice: User, bob: User, viewers: Callable[[Game], list[Viewer]]
) -> None:
    """Apart from the log, which stays whole, and from the defunct chain of a merger."""
    game = start(alice, bob, "random", holdings="hidden")
    watching = viewers(game)
    compared = 0
    for step in range(120):
        game = play_on(game, 1, seed=step)
        if game.decider is None or game.decision == "dispose" or step % 10:
            continue
        for viewer in watching:
            table = reverse("table", args=[game.public_id])
            before = viewer.is_sent(table)
            with stored(game, redistributed(game.state, viewer.seat)):
                assert viewer.is_sent(table) == before, f"{viewer.name} at version {game.version}"
            compared += 1
    assert compared > 20


def redistributed(state: dict, seat: int | None) -> dict:
    """The state with more money for the others, and with their shares passed on among them."""
    others = [owner for owner in range(len(state["cash"])) if owner != seat]
    giver = dict(zip(others, others[1:] + others[:1], strict=True))
    return {
        **state,
        "cash": [cash + 100_000 * (owner in others) for owner, cash in enumerate(state["cash"])],
        "holdings": {
            name: [held[giver.get(owner, owner)] for owner in range(len(held))]
            for name, held in state["holdings"].items()
        },
    }


def test_no_byte_of_a_game_where_all_is_open_depends_on_its_seed(
    alice: User, bob: User, viewers: Callable[[Game], list[Viewer]], settings: Any
) -> None:
    settings.ACQUISITION_PERMISSION = "Whoever designed it, for this test"
    game = services.start_game(
        system="acquisition", preset="standard", host=alice, players=[alice, bob], visibility="public"
    )
    watching = viewers(game)
    for moves in (0, 20):
        game = play_on(game, moves, seed=moves)
        state = Game.with_secrets.get(pk=game.pk).state
        for viewer in watching:
            shown = [*addresses(game), reverse("table", args=[game.public_id])]
            before = [viewer.is_sent(address) for address in shown]
            with stored(game, {**state, "seed": bytes(32).hex()}):
                assert [viewer.is_sent(address) for address in shown] == before, viewer.name
            assert not any(state["seed"].encode() in body for _status, _headers, body in before)


def test_every_tick_of_a_whole_game_says_the_version_and_no_more(
    start: Callable[..., Game],
    alice: User,
    bob: User,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
    django_capture_on_commit_callbacks: Callable[..., object],
) -> None:
    settings.REDIS_URL = "redis://somewhere"
    sent_ticks: list[dict] = []
    monkeypatch.setattr(ticks, "_tick", lambda groups, message: sent_ticks.append(message))
    monkeypatch.setattr(best_effort, "_silent_until", 0.0)
    tasks: list[list[int]] = []
    monkeypatch.setattr(
        worker_queue.current_app,
        "send_task",
        lambda name, args=(), **options: tasks.append([name, *args]),
        raising=False,
    )
    with django_capture_on_commit_callbacks(execute=True):
        game = play_on(start(alice, bob, "random"), 10_000)
    # A random mark tells apart two ticks from one that came by two groups; pages are not sent it.
    marks = {tick.pop("mark") for tick in sent_ticks}
    assert len(marks) == len(sent_ticks)
    assert sent_ticks == [
        {"type": "tick", "game": game.public_id, "version": version} for version in range(game.version + 1)
    ]
    played = [task for task in tasks if task[0] == "games.tasks.play_computer"]
    assert all(task[1] == game.pk and len(task) == 3 for task in played)
    assert all(task[1:] in ([], [game.pk]) for task in tasks if task not in played)


@pytest.mark.parametrize(
    "lookup",
    ["state__bag__startswith=9A", "state__hands__0__contains=1A", "state__bag__regex=(", "seed__regex=(",
     "seed=1", "state=1", "invite_code__startswith=a", "moves__text__contains=5A"],
)  # fmt: skip
def test_the_admin_s_lists_cannot_be_asked_for_what_is_hidden(
    lookup: str, start: Callable[..., Game], alice: User, client: Client
) -> None:
    start(alice, "random")
    client.force_login(User.objects.create_superuser("staff"))
    address = reverse("admin:games_game_changelist")
    assert client.get(f"{address}?status=running").status_code == 200
    assert client.get(f"{address}?{lookup}").status_code == 400
