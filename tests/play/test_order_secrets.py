"""Standing orders are private: what others are sent does not depend on them."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from django.contrib import admin
from django.db import transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.engine.standing_orders.acquire.merger_order import order_to_json
from games.models import Game, LogEntry, Notification, StandingOrder
from games.play.automation import order_view
from games.play.automation.standing_orders import save_order
from games.realtime import ticks, worker_queue
from games.web.notifications.mail_sections import section
from games.web.text import log_view
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, play_on, whole_record
from tests.support.hidden_state import Viewer, addresses
from tests.support.merger_game import SEATED, TILE, before_a_merger, move
from tests.support.standing_orders import random_order

pytestmark = pytest.mark.django_db

# Terms of bob's order; nothing else in the game contains them.
TERMS = {"chain": "luxor", "hold": 3, "trade": 2, "survivor": "tower", "bank": 7}


@pytest.fixture
def game(start: NewGame, alice: User, bob: User, carol: User) -> Game:
    """A game in which bob's order has answered in a merger that goes on."""
    game = before_a_merger(start(alice, bob, carol, **SEATED))
    save_order(game_id=game.pk, by=bob, terms=TERMS, once=False)
    game = move(move(game, TILE), "dispose nothing")
    assert game.moves.filter(origin=LogEntry.Origin.ORDER).count() == 1
    return game


@pytest.fixture
def others(alice: User, carol: User) -> list[Viewer]:
    """Everybody but bob: two players, a member who watches, a stranger, a moderator."""
    found = [Viewer("a stranger", Client(), None)]
    staff = User.objects.create_superuser("staff")
    for user in (alice, carol, User.objects.create_user("dora"), staff):
        client = client_of(user)
        found.append(Viewer(user.username, client, None))
    return found


class _Undone(Exception):
    pass


@contextmanager
def without_orders(game: Game) -> Iterator[None]:
    """Pretend for a while that bob has answered without an order."""
    try:
        with transaction.atomic():
            StandingOrder.objects.all().delete()
            LogEntry.objects.filter(game=game).update(origin="")
            yield
            raise _Undone
    except _Undone:
        pass


def check_independence_of_orders(game: Game, others: list[Viewer]) -> None:
    def sent() -> list[tuple[str, Any]]:
        places = [*addresses(game), reverse("orders", args=[game.public_id])]
        answers = [(who.name, who.is_sent(place)) for who in others for place in places]
        looks = {"look": "1", "chain": "", "hold": "1", "trade": "most"}
        # Only players may preview an order.
        return answers + [(who.name, who.is_sent(places[-1], **looks)) for who in others]

    before = sent()
    with without_orders(game):
        assert sent() == before
    assert game.orders.exists()


def test_pages_of_others_do_not_depend_on_an_order(game: Game, others: list[Viewer]) -> None:
    check_independence_of_orders(game, others)


def test_table_that_shows_all_orders_is_detected(
    game: Game, others: list[Viewer], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: a list of orders that ignores their owner."""
    monkeypatch.setattr(order_view, "orders_of", lambda look: list(look.game.orders.all()))
    with pytest.raises(AssertionError):
        check_independence_of_orders(game, others)


def test_log_that_shows_orders_to_everybody_is_detected(
    game: Game, others: list[Viewer], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: a note that takes every reader for the owner."""
    note = log_view._note
    monkeypatch.setattr(log_view, "_note", lambda move, people: note(move, replace(people, reader=move.seat)))
    with pytest.raises(AssertionError):
        check_independence_of_orders(game, others)


def test_mail_to_others_does_not_depend_on_an_order(game: Game, carol: User) -> None:
    def told() -> Any:
        row = Notification(user=carol, game=game, kind="decision", version=game.version)
        found = section([row], carol)
        assert found is not None
        return found.subject, found.sentences, found.as_text, found.as_html

    before = told()
    assert "luxor" not in str(before)
    with without_orders(game):
        assert told() == before


def test_player_asked_despite_an_order_reads_why_in_the_mail(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = before_a_merger(start(alice, bob, carol, **SEATED))
    save_order(game_id=game.pk, by=bob, terms={"hold": 7, "trade": 0}, once=False)
    game = move(move(game, TILE), "dispose nothing")
    told = section([Notification(user=bob, game=game, kind="decision", version=game.version)], bob)
    assert told is not None
    why = "Your standing order could not decide this. " + wording.ORDER_NEEDS_MORE.format(
        held=5, chain="Sackson", wanted=7
    )
    assert why in told.sentences


def test_ticks_tasks_and_logs_reveal_no_order(
    start: NewGame,
    alice: User,
    bob: User,
    carol: User,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    settings.REDIS_URL = "redis://somewhere"
    sent: list[Any] = []
    monkeypatch.setattr(ticks, "_tick", lambda groups, message: sent.append(message))
    monkeypatch.setattr("games.realtime.best_effort._silent_until", 0.0)
    monkeypatch.setattr(
        worker_queue.current_app, "send_task", lambda *a, **k: sent.append([a, k]), raising=False
    )
    game = before_a_merger(start(alice, bob, carol, **SEATED))
    sent.clear()
    # Django logs its queries in DEBUG, which no site uses.
    with caplog.at_level(logging.DEBUG, "games"), django_capture_on_commit_callbacks(execute=True):
        save_order(game_id=game.pk, by=bob, terms=TERMS, once=False)
        game = move(move(game, TILE), "dispose nothing")
    assert [message.pop("mark") and message for message in sent if isinstance(message, dict)] == [
        {"type": "tick", "game": game.public_id, "version": 1},
        {"type": "tick", "game": game.public_id, "version": 3},
    ]
    assert not [message for message in sent if "luxor" in str(message)]
    assert not [row for row in caplog.records if row.name.startswith("games")]


def test_admin_shows_no_orders(game: Game) -> None:
    assert not admin.site.is_registered(StandingOrder)
    client = client_of(User.objects.create_superuser("chief"))
    lookup = reverse("admin:games_game_changelist") + "?orders__terms__hold=3"
    assert client.get(lookup).status_code == 400


def test_order_depends_on_what_its_owner_sees_only(
    start: NewGame, alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With other tiles in the others' hands, the same orders give the same answers."""
    answers = []
    for hidden in ("12I", "9I"):
        rng = Random(1)
        game = before_a_merger(start(alice, bob, carol, **SEATED), hands=["4A 12H", "1I", hidden])
        for _ in range(3):
            terms = {**order_to_json(random_order(rng)), "chain": "luxor", "survivor": ""}
            save_order(game_id=game.pk, by=bob, terms=terms, once=False)
        game = move(move(game, TILE), "dispose nothing")
        answers.append([entry[1:] for entry in whole_record(game)[1:]])  # type: ignore[index]
    assert answers[0] == answers[1]


def test_finished_game_shows_orders_that_answered_and_no_others(
    start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob)
    save_order(game_id=game.pk, by=bob, terms={"hold": 5, "trade": 2, "bank": 24}, once=False)
    game = play_on(game, 10_000)
    assert game.is_finished
    client = client_of(alice)
    for name in ("game", "log"):
        body = client.get(reverse(name, args=[game.public_id])).content.decode()
        assert wording.OTHERWISE_YOU_DECIDE not in body
    assert client.get(reverse("orders", args=[game.public_id])).status_code == 302
