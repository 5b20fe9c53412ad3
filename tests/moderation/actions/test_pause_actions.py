"""Moderators pause a game, and only they resume it."""

from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.refusals import Refusal
from games import urls
from games.clocks import game_clock
from games.lobby import game_lists
from games.lobby.game_lists import waiting_count
from games.lobby.join_game import join
from games.models import Game
from games.notifications.outbox import outbox_rows
from games.play.deadlines.pauses import resume, to_resume
from games.refusals import PausedByModerator
from games.sweeper import sweep
from tests.moderation.actions.conftest import REASON, act, again, last_entry, replays, told
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, play_next, play_on

pytestmark = pytest.mark.django_db

DAY = 86_400


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return play_on(start(alice, bob, terms={"pace": DAY}), 3)


def asked(game: Game) -> User:
    user = again(game).waiting_for
    assert user is not None
    return user


def test_paused_game_takes_no_move_and_keeps_the_time_left(game: Game, mona: User) -> None:
    left = again(game).deadline - timezone.now()
    act("pause", game, mona)
    assert (again(game).deadline, again(game).held_at is not None) == (None, True)
    with pytest.raises(PausedByModerator):
        play_next(again(game))
    with time_machine.travel(timezone.now() + timedelta(days=9), tick=False):
        act("resume", game, mona)
        assert abs(again(game).deadline - timezone.now() - left) < timedelta(minutes=1)
    play_next(again(game))
    assert replays(game)


def test_game_paused_by_a_moderator_is_resumed_by_moderators_only(game: Game, mona: User) -> None:
    act("pause", game, mona)
    assert to_resume() == []
    resume(game_id=game.pk)
    sweep()
    assert again(game).paused is not None
    # Without the moderator's mark it would be resumed.
    Game.all_games.filter(pk=game.pk).update(held_at=None)
    assert to_resume() == [game.pk]
    resume(game_id=game.pk)
    assert again(game).paused is None


def test_log_shows_the_reason_of_a_pause_but_not_the_moderator(game: Game, mona: User, alice: User) -> None:
    act("pause", game, mona)
    entry = last_entry(game)
    assert (entry.text, entry.reason, entry.user, entry.author) == (
        "moderator pauses",
        REASON,
        None,
        "moderator",
    )
    client = client_of(alice)
    for url in (again(game).get_absolute_url(), reverse("log", args=[game.public_id])):
        page = client.get(url).content.decode()
        assert "A moderator paused the game." in page and REASON in page
        assert "mona" not in page


def test_pause_notifies_both_players_and_holds_back_the_decision(
    game: Game, mona: User, alice: User, bob: User
) -> None:
    act("pause", game, mona)
    assert told(alice).count("pause") == told(bob).count("pause") == 1
    waiting = {row.kind for row in outbox_rows.sendable().filter(game=game)}
    assert not waiting & {"decision", "reminder"}
    act("resume", game, mona)
    assert {row.kind for row in outbox_rows.sendable().filter(game=game, user=asked(game))} >= {
        "decision",
        "reminder",
    }


def test_table_of_a_paused_game_offers_no_decision(game: Game, mona: User) -> None:
    client = client_of(asked(game))
    url = again(game).get_absolute_url()
    assert 'id="decision"' in client.get(url).content.decode()
    act("pause", game, mona)
    page = client.get(url).content.decode()
    assert 'id="decision"' not in page
    assert "A moderator has paused this game" in page and REASON in page
    number = again(game).version + 1
    answer = client.post(reverse("move", args=[game.public_id, number]), {"kind": "place", "tile": "1A"})
    assert answer.status_code == 409
    assert "A moderator has paused this game" in answer.content.decode()


def test_paused_game_waits_for_nobody_in_the_lists(game: Game, mona: User) -> None:
    user = asked(game)
    assert (waiting_count(user), list(game_lists.other_games(user))) == (1, [])
    act("pause", game, mona)
    assert (waiting_count(user), list(game_lists.other_games(user))) == (0, [game])


def test_paused_open_game_is_neither_joined_nor_closed(
    create: NewGame, mona: User, alice: User, bob: User
) -> None:
    room = create(alice)
    act("pause", room, mona)
    with pytest.raises(PausedByModerator):
        join(game_id=room.pk, user=bob)
    with time_machine.travel(timezone.now() + timedelta(days=20), tick=False):
        sweep()
        assert again(room).is_open
        act("resume", room, mona)
        sweep()
        assert again(room).is_open
    join(game_id=room.pk, user=bob)
    assert again(room).seats_taken == 2


def test_pausing_or_resuming_twice_is_refused(game: Game, mona: User) -> None:
    with pytest.raises(Refusal, match=wording.NO_PAUSE_TO_END):
        act("resume", game, mona)
    act("pause", game, mona)
    with pytest.raises(Refusal, match="already"):
        act("pause", game, mona)


def test_rollback_in_a_paused_game_gives_the_decider_the_whole_time(game: Game, mona: User) -> None:
    act("pause", game, mona)
    act("roll-back", game, mona, entry=0)
    left = again(game).time_left
    assert again(game).deadline is None and left is not None
    assert timedelta(0) <= timedelta(seconds=DAY) - left < timedelta(seconds=1)


@pytest.fixture
def clocks_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Break the pause: the clock runs on."""
    monkeypatch.setattr(game_clock, "pause_clock", lambda game: None)


def test_clock_that_runs_during_a_pause_is_detected(clocks_run: None, game: Game, mona: User) -> None:
    with pytest.raises(AssertionError):
        test_paused_game_takes_no_move_and_keeps_the_time_left(game, mona)


# -- Every page -------------------------------------------------------------------------------------


def addresses(game: Game) -> list[str]:
    """One existing address for each route below that of a game."""
    facts = {"public_id": game.public_id, "number": again(game).version + 1, "key": 1, "seat": 0}
    facts |= {"what": "standings", "name": "bob", "turn": 1}
    found = []
    for pattern in urls.urlpatterns:
        asked = set(pattern.pattern.converters) if hasattr(pattern, "name") else set()
        if "public_id" in asked and asked <= set(facts):
            found.append(reverse(pattern.name, kwargs={name: facts[name] for name in asked}))
    return found


def answers(game: Game, user: User) -> dict[str, set[int]]:
    """Statuses of a GET and a POST to each of these pages, by address."""
    client = client_of(user)
    sent = {
        "kind": "buy",
        "yes": "1",
        "say": "yes",
        "text": "Hello.",
        "to": "1",
        "sure": "1",
        "replace": "yes",
    }
    return {url: {client.get(url).status_code, client.post(url, sent).status_code} for url in addresses(game)}


def test_pages_of_a_paused_game_do_not_fail(
    game: Game, mona: User, alice: User, bob: User, carol: User
) -> None:
    act("pause", game, mona)
    version = again(game).version
    for user in (alice, bob, carol):
        broken = {url for url, statuses in answers(game, user).items() if max(statuses) >= 500}
        assert not broken
    assert again(game).version == version


def test_pages_of_a_deleted_game_are_not_found(game: Game, mona: User, alice: User) -> None:
    act("delete", game, mona)
    found = {url: statuses for url, statuses in answers(game, alice).items() if statuses - {404, 405}}
    # It only leads to the new address, whether there is such a game or not.
    assert found == {reverse("old-game-review", args=[game.public_id]): {301, 405}}


def test_pages_of_a_paused_open_game_do_not_fail(create: NewGame, mona: User, alice: User, bob: User) -> None:
    room = create(alice)
    act("pause", room, mona)
    client = client_of(alice)
    assert "A moderator has paused this game" in client.get(room.get_absolute_url()).content.decode()
    # The host comes last: the game is closed when the host leaves it.
    for user in (bob, alice):
        broken = {url for url, statuses in answers(room, user).items() if max(statuses) >= 500}
        assert not broken
