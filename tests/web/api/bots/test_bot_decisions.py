"""Decisions and moves of bot accounts: by token, for their seat, by the rules for everybody."""

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings as site
from django.test import Client
from django.utils import timezone

from accounts.api_access.api_tokens import make_token, revoke_token
from accounts.models import Sanction, SiteSwitch, User
from accounts.moderation import sanctions
from accounts.operator import site_switches
from games.models import Game, LogEntry, Notification
from games.play.bots.bot_moves import play_bot_move
from games.play.play_move import play_move
from games.refusals import Suspended
from games.web.api.bots import bot_json
from tests.support.clients import client_of
from tests.support.games import NewGame, play_on, put, whole_record
from tests.web.api.bots.conftest import API, Bot

pytestmark = pytest.mark.django_db

# Every address, with its method.
ADDRESSES = [
    ("GET", "account"),
    ("GET", "decisions"),
    ("GET", "stream"),
    ("GET", "games"),
    ("GET", "games/{id}"),
    ("POST", "games/{id}/moves/1"),
    ("POST", "games/{id}/join"),
    ("POST", "games/{id}/leave"),
    ("POST", "games/{id}/concede"),
]
each_address = pytest.mark.parametrize("method, path", ADDRESSES)


def ask(method: str, path: str, game: Game, **headers: str) -> Any:
    return Client(enforce_csrf_checks=True).generic(
        method, f"{API}/{path.format(id=game.public_id)}", "{}", "application/json", headers=headers
    )


# -- Access ----------------------------------------------------------------------------------------


@each_address
def test_token_is_required_even_with_a_log_in(table: Game, bob: User, method: str, path: str) -> None:
    client = client_of(bob)
    before = whole_record(table)
    answer = client.generic(method, f"{API}/{path.format(id=table.public_id)}", "{}", "application/json")
    assert answer.status_code == 401 and answer.json()["problem"]
    assert whole_record(table) == before


@each_address
def test_member_token_does_not_play(table: Game, bob: User, method: str, path: str) -> None:
    text = make_token(bob, "sheet")[1]
    before = whole_record(table)
    assert ask(method, path, table, Authorization=f"Bearer {text}").status_code == 403
    assert whole_record(table) == before


@each_address
def test_revoked_token_is_refused(table: Game, greedy: Bot, method: str, path: str) -> None:
    revoke_token(greedy.user, greedy.token.pk)
    assert ask(method, path, table, Authorization=f"Bearer {greedy.text}").status_code == 401


@each_address
def test_switch_shuts_bot_accounts_out(table: Game, greedy: Bot, method: str, path: str) -> None:
    SiteSwitch.objects.filter(kind=SiteSwitch.Kind.PROGRAMS).update(
        since=timezone.now(), text="Back on Monday."
    )
    site_switches.clear_cache()
    answer = ask(method, path, table, Authorization=f"Bearer {greedy.text}")
    assert answer.status_code == 503 and "Back on Monday." in answer.json()["problem"]


@each_address
def test_wrong_method_is_told_the_right_one(table: Game, greedy: Bot, method: str, path: str) -> None:
    other = "POST" if method == "GET" else "GET"
    answer = ask(other, path, table, Authorization=f"Bearer {greedy.text}")
    assert answer.status_code == 405 and answer.headers["Allow"] == method


def test_read_only_site_takes_no_move(table: Game, greedy: Bot) -> None:
    [asked] = greedy.decisions()
    SiteSwitch.objects.filter(kind=SiteSwitch.Kind.READING).update(since=timezone.now())
    site_switches.clear_cache()
    answer = greedy.move(asked)
    assert answer.status_code == 503 and "read-only right now" in answer.json()["problem"]


def test_bot_account_of_a_suspended_owner_cannot_play(table: Game, greedy: Bot, alice: User) -> None:
    [asked] = greedy.decisions()
    until = timezone.now() + timedelta(days=1)
    sanctions.impose(alice, Sanction.Kind.SUSPENSION, reason="Rude.", by=None, until=until)
    assert greedy.move(asked).status_code == 403
    with pytest.raises(Suspended):
        play_move(
            game_id=table.pk,
            number=asked["number"],
            seat=asked["seat"],
            text=asked["legal"][0],
            by=User.objects.get(pk=greedy.user.pk),
        )


def test_too_many_requests_are_refused_with_a_time(greedy: Bot, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**site.ACCOUNT_RATE_LIMITS, "program": "3/m/user"}
    answers = [greedy.get("account") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert answers[-1].headers["Retry-After"] == "60" and "too many requests" in answers[-1].json()["problem"]


# -- Decisions -------------------------------------------------------------------------------------


def test_bot_account_is_asked_for_the_decisions_of_its_seat(table: Game, greedy: Bot) -> None:
    [asked] = greedy.decisions()
    assert asked["game"] == table.public_id and asked["number"] == table.version + 1
    assert asked["seat"] == asked["observation"]["seat"] == table.seat_to_move
    state = Game.with_secrets.get(pk=table.pk).state
    legal = [str(move) for move in table.rule_system.legal_moves(table.rule_system.state_from_json(state))]
    assert sorted(asked["legal"]) == sorted(legal)
    assert [player["program"] for player in asked["players"]].count(True) == 1
    assert "legal" not in asked["observation"]


def test_bot_account_is_asked_nothing_while_others_decide(table: Game, greedy: Bot) -> None:
    greedy.move(greedy.decisions()[0])
    while Game.objects.get(pk=table.pk).waiting_for_id == greedy.user.pk:
        greedy.move(greedy.decisions()[0])
    assert greedy.decisions() == []


def test_paused_game_asks_nothing(table: Game, greedy: Bot) -> None:
    Game.objects.filter(pk=table.pk).update(paused=timezone.now())
    assert greedy.decisions() == []


def test_deadline_is_included(start: NewGame, bob: User, greedy: Bot) -> None:
    game = start(greedy.user, bob, terms={"pace": 3600})
    while Game.objects.get(pk=game.pk).waiting_for_id != greedy.user.pk:
        play_on(game, 1)
    found = Game.objects.get(pk=game.pk)
    assert found.deadline is not None
    assert greedy.decisions()[0]["deadline"] == found.deadline.isoformat()


@pytest.mark.parametrize("wait", ["", "x", "-1", "26", "1" * 5000, "0000999999", "0" * 5000, "²"])
def test_waiting_time_is_limited(greedy: Bot, wait: str) -> None:
    assert greedy.get(f"decisions?wait={wait}").status_code == 422


def test_many_games_cost_no_more_queries_than_one(
    start: NewGame, bob: User, greedy: Bot, django_assert_max_num_queries: Any
) -> None:
    def queries() -> int:
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        greedy.decisions()
        with CaptureQueriesContext(connection) as found:
            greedy.decisions()
        return len(found)

    def asked() -> None:
        game = start(greedy.user, bob)
        while Game.objects.get(pk=game.pk).waiting_for_id != greedy.user.pk:
            play_on(game, 1)

    asked()
    one = queries()
    for _ in range(3):
        asked()
    assert len(greedy.decisions()) == 4 and queries() == one


# -- Hidden facts ----------------------------------------------------------------------------------


def told_of(greedy: Bot, game: Game) -> str:
    """Everything the bot account is told of the game."""
    return greedy.get("decisions").content.decode() + greedy.get(f"games/{game.public_id}").content.decode()


def dealt_otherwise(game: Game, seat: int) -> None:
    """Deal everything anew that this seat cannot know."""
    from random import Random

    full = Game.with_secrets.get(pk=game.pk)
    system = full.rule_system
    seen = system.observe(system.state_from_json(full.state), seat, memory=True)
    put(game, system.sample_state(seen, Random(7)))
    Game.all_games.filter(pk=game.pk).update(seed=b"7" * 32)


@pytest.mark.parametrize("holdings", ["open", "hidden"])
def test_answers_do_not_depend_on_hidden_tiles(start: NewGame, bob: User, greedy: Bot, holdings: str) -> None:
    game = start(bob, greedy.user, holdings=holdings)
    play_on(game, 30)
    while Game.objects.get(pk=game.pk).waiting_for_id != greedy.user.pk:
        play_on(game, 1)
    seat = Game.objects.get(pk=game.pk).seat_to_move
    assert seat is not None
    before = told_of(greedy, game)
    dealt_otherwise(game, seat)
    assert told_of(greedy, game) == before


def test_answer_that_reveals_a_tile_is_detected(
    table: Game, greedy: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = bot_json.decision

    def careless(asked: Any) -> Any:
        return {**honest(asked), "state": Game.with_secrets.get(pk=asked.game.pk).state}

    monkeypatch.setattr(bot_json, "decision", careless)
    assert table.seat_to_move is not None
    before = told_of(greedy, table)
    dealt_otherwise(table, table.seat_to_move)
    assert told_of(greedy, table) != before


def test_game_of_others_is_not_found(start: NewGame, bob: User, carol: User, greedy: Bot) -> None:
    game = start(bob, carol)
    assert greedy.get(f"games/{game.public_id}").status_code == 404
    assert greedy.post(f"games/{game.public_id}/moves/1", {"move": "pass"}).status_code == 403


# -- Moves -----------------------------------------------------------------------------------------


def test_move_is_made_in_the_name_of_the_bot_account(table: Game, greedy: Bot) -> None:
    [asked] = greedy.decisions()
    answer = greedy.move(asked)
    assert answer.status_code == 200
    assert answer.json() == {
        "game": table.public_id,
        "number": asked["number"],
        "seat": asked["seat"],
        "move": asked["legal"][0],
    }
    entry = LogEntry.objects.get(game=table, number=asked["number"])
    assert (entry.user, entry.text, entry.author) == (greedy.user, asked["legal"][0], LogEntry.Author.PERSON)


def test_repeated_move_is_the_same_success(table: Game, greedy: Bot) -> None:
    [asked] = greedy.decisions()
    first = greedy.move(asked)
    record = whole_record(table)
    second = greedy.move(asked)
    assert (first.status_code, first.json()) == (second.status_code, second.json())
    assert whole_record(table) == record


def test_stale_move_is_refused(table: Game, greedy: Bot) -> None:
    [asked] = greedy.decisions()
    greedy.move(asked)
    answer = greedy.move(asked, asked["legal"][1])
    assert answer.status_code == 409 and "moved on" in answer.json()["problem"]
    assert greedy.move({**asked, "number": asked["number"] + 7}).status_code == 409


@pytest.mark.parametrize(
    "body",
    [
        {"move": "sell everything"},
        {"move": "buy 1 tower"},
        {"move": 5},
        {"move": None},
        {},
        [],
        "move",
        "\0",
        {"move": "pass\0"},
        {"move": "x" * 60_000},
    ],
)
def test_invalid_move_is_refused_with_a_message(table: Game, greedy: Bot, body: Any) -> None:
    [asked] = greedy.decisions()
    before = whole_record(table)
    answer = greedy.post(f"games/{asked['game']}/moves/{asked['number']}", body)
    assert answer.status_code == 422 and answer.json()["problem"]
    assert whole_record(table) == before


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff\xfe", b"[" * 30_000, b'{"move": NaN}', pytest.param(b" " * 3_000_000, id="long")],
)
def test_body_without_json_is_refused_with_a_message(table: Game, greedy: Bot, body: bytes) -> None:
    answer = Client().generic(
        "POST",
        f"{API}/games/{table.public_id}/moves/{table.version + 1}",
        body,
        "application/json",
        headers={"Authorization": f"Bearer {greedy.text}"},
    )
    assert answer.status_code == 422 and json.loads(answer.content)["problem"]


@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=x", "application/x-www-form-urlencoded"])
def test_form_is_refused_with_a_message(table: Game, greedy: Bot, kind: str) -> None:
    body = b'--x\r\nContent-Disposition: form-data; name="move"\r\n\r\npass\r\n--x--\r\n'
    answer = Client().generic(
        "POST",
        f"{API}/games/{table.public_id}/moves/{table.version + 1}",
        body,
        kind,
        headers={"Authorization": f"Bearer {greedy.text}"},
    )
    assert answer.status_code == 422 and "as JSON" in json.loads(answer.content)["problem"]


def test_move_for_another_seat_is_refused(table: Game, greedy: Bot) -> None:
    while Game.objects.get(pk=table.pk).waiting_for_id == greedy.user.pk:
        greedy.move(greedy.decisions()[0])
    game = Game.objects.get(pk=table.pk)
    answer = greedy.post(f"games/{game.public_id}/moves/{game.version + 1}", {"move": "pass"})
    assert answer.status_code == 409


def test_moves_per_minute_are_limited_as_for_people(table: Game, greedy: Bot, settings: Any) -> None:
    settings.MOVES_PER_MINUTE = 2
    with time_machine.travel(timezone.now(), tick=False):
        made = 0
        while made < 2:
            if asked := greedy.decisions():
                made += greedy.move(asked[0]).status_code == 200
            else:
                play_on(table, 1)
        while not (asked := greedy.decisions()):
            play_on(table, 1)
        answer = greedy.move(asked[0])
    assert answer.status_code == 429 and answer.headers["Retry-After"] == "60"


def test_bot_account_may_concede(table: Game, greedy: Bot) -> None:
    assert greedy.post(f"games/{table.public_id}/concede").json()["status"] == "finished"
    assert greedy.decisions() == []


def test_bot_of_the_site_never_decides_for_it(table: Game, greedy: Bot) -> None:
    assert Game.objects.get(pk=table.pk).bot_due_at is None
    assert not play_bot_move(table.pk, table.version)


def test_bot_account_gets_no_notifications(table: Game, greedy: Bot) -> None:
    assert not Notification.objects.filter(user=greedy.user).exists()
