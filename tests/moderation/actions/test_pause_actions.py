"""A moderator pauses a game, and nobody else lets it go on."""

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
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
from games.play.play_move import play_move
from games.refusals import PausedByModerator
from games.sweeper import sweep
from tests.moderation.actions.conftest import REASON, act, again, last_entry, replays, told
from tests.support.games import legal_move, play_on

pytestmark = pytest.mark.django_db

DAY = 86_400


@pytest.fixture
def game(start: Callable[..., Game], alice: User, bob: User) -> Game:
    return play_on(start(alice, bob, terms={"pace": DAY}), 3)


def asked(game: Game) -> User:
    user = again(game).waiting_for
    assert user is not None
    return user


def move(game: Game) -> None:
    now = again(game)
    play_move(
        game_id=now.pk,
        number=now.version + 1,
        seat=now.seat_to_move or 0,
        text=legal_move(now),
        by=now.waiting_for,
    )


def test_a_paused_game_takes_no_move_and_keeps_the_time(game: Game, mona: User) -> None:
    left = again(game).deadline - timezone.now()
    act("pause", game, mona)
    assert (again(game).deadline, again(game).held_at is not None) == (None, True)
    with pytest.raises(PausedByModerator):
        move(game)
    with time_machine.travel(timezone.now() + timedelta(days=9), tick=False):
        act("resume", game, mona)
        assert abs(again(game).deadline - timezone.now() - left) < timedelta(minutes=1)
    move(game)
    assert replays(game)


def test_nobody_but_a_moderator_lets_it_go_on(game: Game, mona: User) -> None:
    act("pause", game, mona)
    assert to_resume() == []
    resume(game_id=game.pk)
    sweep()
    assert again(game).paused is not None
    # Without the mark of the moderator it would have.
    Game.all_games.filter(pk=game.pk).update(held_at=None)
    assert to_resume() == [game.pk]
    resume(game_id=game.pk)
    assert again(game).paused is None


def test_the_log_tells_the_players_why_and_not_who(game: Game, mona: User, alice: User) -> None:
    act("pause", game, mona)
    entry = last_entry(game)
    assert (entry.text, entry.reason, entry.user, entry.author) == (
        "moderator pauses",
        REASON,
        None,
        "moderator",
    )
    client = Client()
    client.force_login(alice)
    for url in (again(game).get_absolute_url(), reverse("log", args=[game.public_id])):
        page = client.get(url).content.decode()
        assert "A moderator paused the game." in page and REASON in page
        assert "mona" not in page


def test_both_players_are_told_and_the_one_asked_hears_of_no_decision_meanwhile(
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


def test_the_table_offers_nothing_that_would_be_refused(game: Game, mona: User) -> None:
    client = Client()
    client.force_login(asked(game))
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


def test_a_paused_game_waits_for_nobody_in_the_lists(game: Game, mona: User) -> None:
    user = asked(game)
    assert (waiting_count(user), list(game_lists.other_games(user))) == (1, [])
    act("pause", game, mona)
    assert (waiting_count(user), list(game_lists.other_games(user))) == (0, [game])


def test_an_open_game_that_is_paused_is_neither_joined_nor_closed(
    create: Callable[..., Game], mona: User, alice: User, bob: User
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


def test_what_is_done_already_is_refused_in_a_sentence(game: Game, mona: User) -> None:
    with pytest.raises(Refusal, match="No moderator has paused"):
        act("resume", game, mona)
    act("pause", game, mona)
    with pytest.raises(Refusal, match="already"):
        act("pause", game, mona)


def test_whoever_is_asked_anew_in_a_paused_game_loses_no_time(game: Game, mona: User) -> None:
    act("pause", game, mona)
    act("roll-back", game, mona, entry=0)
    left = again(game).time_left
    assert again(game).deadline is None and left is not None
    assert timedelta(0) <= timedelta(seconds=DAY) - left < timedelta(seconds=1)


@pytest.fixture
def clocks_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The code as it would be if a pause did not stop the clock."""
    monkeypatch.setattr(game_clock, "pause_clock", lambda game: None)


def test_a_clock_that_ran_on_would_be_noticed(clocks_run: None, game: Game, mona: User) -> None:
    with pytest.raises(AssertionError):
        test_a_paused_game_takes_no_move_and_keeps_the_time(game, mona)


# -- Every page -------------------------------------------------------------------------------------


def addresses(game: Game) -> list[str]:
    """Of each address under that of a game one that exists, whatever else it names."""
    facts = {"public_id": game.public_id, "number": again(game).version + 1, "key": 1, "seat": 0}
    facts |= {"what": "standings", "name": "bob", "turn": 1}
    found = []
    for pattern in urls.urlpatterns:
        asked = set(pattern.pattern.converters) if hasattr(pattern, "name") else set()
        if "public_id" in asked and asked <= set(facts):
            found.append(reverse(pattern.name, kwargs={name: facts[name] for name in asked}))
    return found


def answers(game: Game, user: User) -> dict[str, set[int]]:
    """What all these pages answer to a look and to a form that is sent, by address."""
    client = Client()
    client.force_login(user)
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


def test_no_page_of_a_paused_game_breaks(game: Game, mona: User, alice: User, bob: User, carol: User) -> None:
    act("pause", game, mona)
    version = again(game).version
    for user in (alice, bob, carol):
        broken = {url for url, statuses in answers(game, user).items() if max(statuses) >= 500}
        assert not broken
    assert again(game).version == version


def test_no_page_of_a_deleted_game_says_that_there_was_one(game: Game, mona: User, alice: User) -> None:
    act("delete", game, mona)
    told = {url: statuses for url, statuses in answers(game, alice).items() if statuses - {404, 405}}
    assert not told


def test_no_page_of_an_open_game_that_is_paused_breaks(
    create: Callable[..., Game], mona: User, alice: User, bob: User
) -> None:
    room = create(alice)
    act("pause", room, mona)
    client = Client()
    client.force_login(alice)
    assert "A moderator has paused this game" in client.get(room.get_absolute_url()).content.decode()
    # Whoever hosts it may leave it, and with nobody there it is closed: that comes last.
    for user in (bob, alice):
        broken = {url for url, statuses in answers(room, user).items() if max(statuses) >= 500}
        assert not broken
