"""Finished games that replay themselves."""

import re
from collections.abc import Collection, Iterable
from copy import copy
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.engine.rules.acquire import rule_system as acquire
from games.log.positions import states_by_entry
from games.models import Game
from games.moderation.actions.game_actions import GAME_ACTIONS
from games.web.showcase import game_replay
from tests.showcase.public_games import change, finish
from tests.support.games import NewGame, play_on, play_to_the_end
from tests.support.staff_actions import perform_action

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return finish(start, alice, bob)


def address(game: Game) -> str:
    return reverse("game-replay", args=[game.public_id])


def test_replay_has_a_board_words_and_scores_for_each_turn(client: Client, game: Game) -> None:
    answer = client.get(address(game))
    page = answer.content.decode()
    frames = page.split('class="frame"')[1:]
    assert len(frames) > 20
    assert all("<svg" in frame and 'class="words"' in frame for frame in frames)
    assert all(frame.count("<output>") == 2 for frame in frames)
    assert "won with" in frames[-1]
    assert "public" in answer["Cache-Control"]


def test_replay_is_made_once(client: Client, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    made = client.get(address(game)).content
    monkeypatch.setattr(game_replay, "_made", None)
    assert client.get(address(game)).content == made


def test_replay_ends_when_its_game_is_hidden(client: Client, game: Game) -> None:
    assert client.get(address(game)).status_code == 200
    change(game, visibility="unlisted")
    assert client.get(address(game)).status_code == 404


def test_replay_without_its_check_is_detected(
    client: Client, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: what is kept would be shown on."""
    client.get(address(game))
    change(game, visibility="unlisted")
    monkeypatch.setattr(game_replay, "check_replayable", lambda public_id: None)
    assert client.get(address(game)).status_code == 200


def test_reasons_of_moderators_are_shown_as_text(
    client: Client, start: NewGame, alice: User, bob: User
) -> None:
    game = play_on(start(alice, bob), 5)
    for name in ("pause", "resume"):
        perform_action(GAME_ACTIONS[name], Game.objects.get(pk=game.pk), None, "<img src=x> is 1 < 2")
    finished = timezone.now() - timedelta(days=3)
    change(play_to_the_end(game), visibility="public", rated=True, finished=finished)
    page = client.get(address(game)).content.decode()
    assert "&lt;img src=x&gt; is 1 &lt; 2" in page and "<img" not in page


def test_running_game_has_no_replay(client: Client, start: NewGame, alice: User, bob: User) -> None:
    game = change(play_on(start(alice, bob), 5), visibility="public")
    assert client.get(address(game)).status_code == 404


def test_hidden_money_stays_hidden_in_the_replay(
    client: Client, start: NewGame, alice: User, bob: User
) -> None:
    game = finish(start, alice, bob, holdings="hidden")
    frames = client.get(address(game)).content.decode().split('class="frame"')[1:]
    assert not any("<output>" in frame for frame in frames[:-1])
    assert frames[-1].count("<output>") == 2


def test_replay_that_shows_hidden_money_is_detected(
    client: Client, start: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: positions as if holdings had been open."""
    game = finish(start, alice, bob, holdings="hidden")

    def opened(game: Game, entries: Iterable[Any], numbers: Collection[int]) -> dict[int, Any]:
        found = {}
        for number, state in states_by_entry(game, entries):
            if number in numbers:
                shown = copy(state)
                shown.rules = replace(state.rules, holdings="open")
                found[number] = acquire.observe(shown, None)
        return found

    monkeypatch.setattr(game_replay, "spectator_positions", opened)
    frames = client.get(address(game)).content.decode().split('class="frame"')[1:]
    assert any("<output>" in frame for frame in frames[:-1])


def test_prepared_game_is_replayed(client: Client) -> None:
    page = client.get(reverse("prepared-replay")).content.decode()
    assert page.count('class="frame"') > 50
    assert "Medium 1" in page and "Hard 2" in page


def test_replay_tells_of_chains_founded_and_of_bonuses(client: Client) -> None:
    page = client.get(reverse("prepared-replay")).content.decode()
    told = re.findall(r'<p class="words">(.*?)</p>', page)
    assert (
        "<b>Hard 2</b> placed 10C. <b>Hard 2</b> founded Continental with 2 tiles and took a free share."
        in told
    )
    assert "<b>Medium 1</b> placed 11H. In the merger, Continental acquired Sackson." in told
    assert not any("bought" in words for words in told)


def test_replay_shows_bonuses_beside_the_scores(client: Client) -> None:
    frames = client.get(reverse("prepared-replay")).content.decode().split('class="frame"')[1:]
    [merger] = [frame for frame in frames if "acquired Sackson" in frame]
    assert re.findall(r'class="gain">(.*?)<', merger) == ["+$2,000", "+$1,000", "", ""]
    assert "+$" not in frames[-1]


def test_page_keeps_room_for_the_longest_words(client: Client) -> None:
    cache.clear()
    longest = game_replay.replay_of_prepared().longest
    assert "founded Continental with 2 tiles" in longest[0] and len(longest[0]) < 110
    page = client.get("/").content.decode()
    assert all(f'class="room" aria-hidden="true">{words}</p>' in page for words in longest)


def test_names_in_a_replay_are_escaped(client: Client, game: Game, alice: User) -> None:
    cache.clear()
    User.objects.filter(pk=alice.pk).update(username="<img src=x>")
    page = client.get(address(game)).content.decode()
    assert "<img" not in page and "&lt;img" in page
