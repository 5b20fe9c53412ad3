"""Moderators unlist, delete and restore games, and make them unrated."""

from datetime import timedelta

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.refusals import Refusal
from games.chat.messages import say
from games.lobby import game_lists, lobby_lists
from games.lobby.game_lists import OpenGameFilter, waiting_count
from games.models import Game, InsightSum, Notification, RatedDecision
from games.moderation.actions import game_actions
from games.notifications.outbox import outbox_rows
from games.play.bots.bot_moves import play_bot_move
from games.play.deadlines import pauses
from games.play.seats.concession import concede
from games.players.limits import is_at_game_limit
from games.ratings.player_profile import counts_of, results_of, running_of
from games.refusals import Deleted
from games.sweeper import sweep
from games.web.notifications import delivery
from tests.moderation.actions.conftest import REASON, act, again, last_entry, replays, told
from tests.support.clients import client_of
from tests.support.games import NewGame, play_on, play_to_the_end
from tests.support.reviewed_games import count

pytestmark = pytest.mark.django_db

PUBLIC = {"visibility": "public", "pace": 86_400}


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return play_on(start(alice, bob, terms=PUBLIC), 3)


def listed(game: Game, *readers: User) -> list[str]:
    """Names of all lists that show the game to any of these readers."""
    found = []
    for reader in readers:
        lobby = lobby_lists.lobby(reader, OpenGameFilter(joinable=False))
        pages = {"running": lobby.running.games, "open": lobby.open.games, "finished": lobby.finished.games}
        for name, games in {**pages, "waiting": lobby.waiting, "others": lobby.others}.items():
            found += [name] * (game in games)
    return found


# -- Lists -----------------------------------------------------------------------------------------


def test_unlisted_game_goes_on_out_of_sight(game: Game, mona: User, alice: User, carol: User) -> None:
    assert (listed(game, carol), list(running_of(alice))) == (["running"], [game])
    act("unlist", game, mona)
    assert (listed(game, carol), list(running_of(alice))) == ([], [])
    assert told(alice).count("unlist") == 1
    assert Client().get(again(game).get_absolute_url()).status_code == 200
    play_on(game, 1)
    act("list", game, mona)
    assert listed(game, carol) == ["running"]


def test_private_game_is_not_listed_by_a_moderator(
    start: NewGame, mona: User, alice: User, bob: User
) -> None:
    game = start(alice, bob)
    with pytest.raises(Refusal, match="No moderator has removed this game"):
        act("list", game, mona)
    with pytest.raises(Refusal, match="not in the lists"):
        act("unlist", game, mona)


# -- Deleting --------------------------------------------------------------------------------------


def pages_of(game: Game) -> list[str]:
    names = (
        "game",
        "table",
        "log",
        "deal-check",
        "game-rules",
        "chat",
        "talk-unread",
        "notes",
        "ending",
        "room",
    )
    return [reverse(name, args=[game.public_id]) for name in names]


def test_deleted_game_disappears_and_is_restored_unchanged(
    game: Game, mona: User, alice: User, bob: User, carol: User
) -> None:
    asked, left = again(game).waiting_for, again(game).deadline - timezone.now()
    assert sorted(listed(game, alice, bob, carol)) == ["others", "running", "waiting"]
    act("delete", game, mona)
    assert listed(game, alice, bob, carol) == []
    assert waiting_count(asked) == 0
    client = client_of(alice)
    assert {client.get(url).status_code for url in pages_of(game)} == {404}
    assert Game.moderated.filter(pk=game.pk).exists()
    with time_machine.travel(timezone.now() + timedelta(days=30), tick=False):
        sweep()
        assert again(game).version == 4
        act("restore", game, mona)
        assert abs(again(game).deadline - timezone.now() - left) < timedelta(minutes=1)
        assert again(game).waiting_for == asked
        assert sorted(listed(game, alice, bob, carol)) == ["others", "running", "waiting"]
        play_on(game, 2)
    assert replays(game)


def test_deleted_game_takes_no_moves_and_messages(start: NewGame, mona: User, alice: User) -> None:
    game = start(alice, "easy", terms={"visibility": "public"})
    act("delete", game, mona)
    version = again(game).version
    sweep()
    assert not play_bot_move(game.pk, version)
    with pytest.raises(Deleted):
        concede(game_id=game.pk, by=alice)
    with pytest.raises(Deleted):
        say(game_id=game.pk, user=alice, text="Hello?")
    assert again(game).version == version


def test_deleted_game_sends_one_mail_and_no_other(game: Game, mona: User, alice: User, bob: User) -> None:
    User.objects.update(mail_mode=User.MailMode.AT_ONCE)
    Notification.objects.filter(game=game).update(due=timezone.now())
    act("delete", game, mona)
    assert {row.kind for row in outbox_rows.sendable().filter(game=game)} == {"moderated"}
    with time_machine.travel(timezone.now() + timedelta(days=2), tick=False):
        delivery.deliver(20.0)
    assert sorted(letter.to[0] for letter in mail.outbox) == ["alice@mail.example", "bob@mail.example"]
    for letter in mail.outbox:
        assert "A moderator deleted this game." in letter.body and REASON in letter.body
        assert "mona" not in letter.body
        assert game.get_absolute_url() not in letter.body  # there is no such page


def test_deleted_game_is_not_among_anybodys_results(game: Game, mona: User, alice: User) -> None:
    act("end-with-standings", game, mona)
    assert counts_of(alice)["finished"] == len(results_of(alice).results) == 1
    assert [seat.game for seat in game_lists.own_ended(alice)] == [game]
    act("delete", game, mona)
    assert counts_of(alice)["finished"] == len(results_of(alice).results) == 0
    assert list(game_lists.own_ended(alice)) == []
    act("restore", game, mona)
    assert counts_of(alice)["finished"] == 1
    assert told(alice).count("finished") == 1


def test_deleted_game_is_in_nobodys_insights_until_it_is_restored(
    start: NewGame, mona: User, alice: User
) -> None:
    game = play_to_the_end(start(alice, "medium", terms={"visibility": "public"}))
    count(game)
    before = set(InsightSum.objects.values_list("user", "level"))
    assert before == {(alice.pk, ""), (None, "medium")}
    decisions = set(RatedDecision.objects.values_list("pk", flat=True))
    act("delete", game, mona)
    assert not InsightSum.objects.exists()
    act("restore", game, mona)
    assert set(RatedDecision.objects.values_list("pk", flat=True)) == decisions, "mistakes keep their answers"
    assert set(InsightSum.objects.values_list("user", "level")) == before


def test_deleted_game_does_not_count_towards_the_game_limit(
    game: Game, mona: User, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.players.limits.MAX_UNFINISHED_GAMES", 1)
    assert is_at_game_limit(alice)
    act("delete", game, mona)
    assert not is_at_game_limit(alice)


def test_restored_open_game_waits_as_long_as_before(create: NewGame, mona: User, alice: User) -> None:
    room = create(alice)
    act("delete", room, mona)
    with time_machine.travel(timezone.now() + timedelta(days=20), tick=False):
        act("restore", room, mona)
        sweep()
        assert again(room).is_open


def test_deleted_game_can_only_be_restored(game: Game, mona: User) -> None:
    act("delete", game, mona)
    offered = [
        name
        for name, action in game_actions.GAME_ACTIONS.items()
        if action.against is None or action.against(again(game)) is None
    ]
    assert offered == ["restore"]
    with pytest.raises(Refusal, match="already"):
        act("delete", game, mona)
    act("restore", game, mona)
    with pytest.raises(Refusal, match="not deleted"):
        act("restore", game, mona)


def test_restored_game_stays_paused_by_the_moderator(game: Game, mona: User) -> None:
    act("pause", game, mona)
    act("delete", game, mona)
    act("restore", game, mona)
    assert again(game).paused is not None and again(game).deadline is None
    act("resume", game, mona)
    play_on(game, 1)


def test_deleted_game_that_keeps_its_clock_is_detected(
    game: Game, mona: User, alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pauses, "pause_clocks", lambda game: None)
    with pytest.raises(AssertionError):
        test_deleted_game_disappears_and_is_restored_unchanged(game, mona, alice, bob, carol)


# -- Rating ----------------------------------------------------------------------------------------


def test_game_is_made_unrated_once(start: NewGame, mona: User, alice: User, bob: User) -> None:
    game = start(alice, bob, terms={"rated": True})
    act("make-unrated", game, mona)
    assert (again(game).rated, last_entry(game).text) == (False, "moderator makes unrated")
    with pytest.raises(Refusal, match="already unrated"):
        act("make-unrated", game, mona)


def test_finished_game_is_made_unrated_without_ending_again(
    start: NewGame, mona: User, alice: User, bob: User
) -> None:
    game = start(alice, bob, terms={"rated": True})
    act("end-with-standings", game, mona)
    finished = again(game).finished
    act("make-unrated", game, mona)
    assert (again(game).finished, told(alice).count("finished")) == (finished, 1)
    assert replays(game)
