"""Hidden cash and the seed change no byte that a viewer is sent; ticks and admin lookups reveal nothing.

Hidden tiles are looked for everywhere in tests/safety (test_leaks.py).
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.lobby.game_start import start_game
from games.models import Game
from games.realtime import ticks, worker_queue
from tests.support.games import NewGame, play_on
from tests.support.hidden_state import Viewer, addresses, redistributed, stored

pytestmark = pytest.mark.django_db


def test_pages_with_hidden_holdings_do_not_depend_on_the_others_cash(
    start: NewGame, alice: User, bob: User, viewers: Callable[[Game], list[Viewer]]
) -> None:
    """Except the log, which stays whole, and the defunct chain of a merger."""
    game = start(alice, bob, "random", holdings="hidden")
    watching = viewers(game)
    compared = 0
    for step in range(120):
        game = play_on(game, 1, seed=step)
        if game.seat_to_move is None or game.decision_kind == "dispose" or step % 10:
            continue
        for viewer in watching:
            table = reverse("table", args=[game.public_id])
            before = viewer.is_sent(table)
            with stored(game, redistributed(game.state, viewer.seat)):
                assert viewer.is_sent(table) == before, f"{viewer.name} at version {game.version}"
            compared += 1
    assert compared > 20


def test_pages_do_not_depend_on_the_seed(
    alice: User, bob: User, viewers: Callable[[Game], list[Viewer]], settings: Any
) -> None:
    settings.ACQUISITION_PERMISSION = "Whoever designed it, for this test"
    game = start_game(
        system="acquisition", preset="standard", host=alice, players=[alice, bob], visibility="public"
    )
    watching = viewers(game)
    for moves in (0, 20):
        game = play_on(game, moves, seed=moves)
        state = Game.with_secrets.get(pk=game.pk).state
        for viewer in watching:
            shown = [*addresses(game), reverse("table", args=[game.public_id])]
            viewer.is_sent(shown[0])  # The first look alone tells of moves that were missed.
            before = [viewer.is_sent(address) for address in shown]
            with stored(game, {**state, "seed": bytes(32).hex()}):
                assert [viewer.is_sent(address) for address in shown] == before, viewer.name
            assert not any(state["seed"].encode() in body for _status, _headers, body in before)


def test_ticks_of_a_whole_game_contain_nothing_but_the_version(
    start: NewGame,
    alice: User,
    bob: User,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    settings.REDIS_URL = "redis://somewhere"
    sent_ticks: list[dict] = []
    monkeypatch.setattr(ticks, "_tick", lambda groups, message: sent_ticks.append(message))
    monkeypatch.setattr("games.realtime.best_effort._silent_until", 0.0)
    tasks: list[list[int]] = []
    monkeypatch.setattr(
        worker_queue.current_app,
        "send_task",
        lambda name, args=(), **options: tasks.append([name, *args]),
        raising=False,
    )
    with django_capture_on_commit_callbacks(execute=True):
        game = play_on(start(alice, bob, "random"), 10_000)
    # A random mark lets the server recognise one tick that came by two groups; pages are not sent it.
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
def test_admin_lists_cannot_filter_by_hidden_fields(
    lookup: str, start: NewGame, alice: User, client: Client
) -> None:
    start(alice, "random")
    client.force_login(User.objects.create_superuser("staff"))
    address = reverse("admin:games_game_changelist")
    assert client.get(f"{address}?status=running").status_code == 200
    assert client.get(f"{address}?{lookup}").status_code == 400
