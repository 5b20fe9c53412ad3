"""Contents of a game view, and what it never contains."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import CommandError, call_command
from django.http import Http404

from accounts.models import User
from games.archive.replay import replay, revealed_seed, worth_by_turn
from games.lobby.departures import leave_all_games
from games.models import Game
from games.play.game_view import game_view
from tests.support.games import NewGame, play_on, play_to_the_end, seen_by

pytestmark = pytest.mark.django_db


def test_player_sees_the_own_hand_and_a_spectator_none(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, "random")
    assert seen_by(game, alice).seat == game.seats.get(user=alice).number
    assert len(seen_by(game, alice).seen.hand) == 6
    spectators: list[Any] = [bob, AnonymousUser()]
    for spectator in spectators:
        look = seen_by(game, spectator)
        assert (look.seat, look.seen.hand) == (None, None)


def test_unknown_game_is_not_found() -> None:
    with pytest.raises(Http404):
        game_view("nowhere", AnonymousUser())


def test_view_without_news_is_none(start: NewGame, alice: User) -> None:
    game = play_on(start(alice, "random"), 3)
    assert game_view(game.public_id, alice, newer_than=3) is None
    assert game_view(game.public_id, alice, newer_than=2) is not None


def test_view_takes_the_same_number_of_queries_early_and_late(
    start: NewGame, alice: User, django_assert_num_queries: Callable[..., Any]
) -> None:
    game = start(alice, "random", "random")
    for moves in (0, 100):
        play_on(game, moves)
        with django_assert_num_queries(3):
            game_view(game.public_id, alice)


def test_replay_leads_to_the_stored_game(start: NewGame, alice: User, bob: User) -> None:
    for preset in ("avalon-hill", "classic", "quick-reference", "course"):
        game = play_to_the_end(start(alice, bob, preset=preset))
        assert replay(game).faults == []
        assert replay(game).moves == game.version


def test_replay_finds_tampering(start: NewGame, alice: User, capsys: pytest.CaptureFixture[str]) -> None:
    game = play_on(start(alice, "random"), 40)
    call_command("check_games", game.public_id)
    assert "1 games with 40 moves replayed, 0 differ" in capsys.readouterr().out
    for tamper, fault in (
        (lambda: game.moves.filter(number=4).update(events=[]), "causes other events"),
        (lambda: game.moves.filter(number=9).update(text="redraw"), "refused"),
        (lambda: Game.objects.update(state={**game.state, "cash": [1, 2]}), "not where the log leads"),
    ):
        tamper()
        with pytest.raises(CommandError):
            call_command("check_games")
        assert fault in capsys.readouterr().err


def test_replay_of_an_unknown_game_is_refused() -> None:
    with pytest.raises(CommandError, match="There is no game nowhere"):
        call_command("check_games", "nowhere")


def test_past_is_revealed_after_the_end_only(start: NewGame, alice: User) -> None:
    game = play_on(start(alice, "random", holdings="hidden"), 40)
    assert revealed_seed(game) is None
    with pytest.raises(ValueError, match="keeps its past"):
        worth_by_turn(game)
    ended = play_to_the_end(game)
    assert revealed_seed(ended) == bytes(ended.seed).hex()
    worth = worth_by_turn(ended)
    assert worth[0] == [6000, 6000]
    assert worth[-1] == ended.state["cash"]


def test_entries_have_the_events_of_the_rules(start: NewGame, alice: User) -> None:
    game = play_on(start(alice, "random"), 30)
    leave_all_games(alice)
    look = seen_by(game, alice)
    assert [entry.number for entry in look.entries] == list(range(1, 32))
    assert type(look.entries[0].decoded_events[0]).__name__ == "Placed"
    assert list(look.entries[-1].decoded_events) == []
