"""The head of a table: the present turn and the tiles left, and at the end how the game went."""

from datetime import timedelta

import pytest

from accounts.models import User
from games.lobby.game_start import start_game
from games.log.positions import standing_moves
from games.log.rulings import Ruling
from games.log.turn_count import turn_number
from games.models import Game, LogEntry
from games.play.seats.end_votes import propose_end, vote_on_end
from games.play.takebacks import take_back
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, play_on, play_to_the_end, seen_by

pytestmark = pytest.mark.django_db


def page(game: Game, reader: User) -> str:
    content = client_of(reader).get(game.get_absolute_url()).content.decode()
    return " ".join(content.split())


def turns_begun(game: Game) -> int:
    """Count the turns from the events of the moves that still stand."""
    events = [event for move in standing_moves(list(game.moves.all())) for event in move.decoded_events]
    return sum(game.rule_system.turns(events).values())


@pytest.mark.parametrize("moves", [0, 1, 30, 120])
def test_table_tells_the_turn_and_the_tiles_left(
    moves: int, start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = play_on(start(alice, bob, carol, terms={"skips": False}), moves)
    look = seen_by(game, alice)
    number = turns_begun(game) + (look.seen.decision.kind in ("place", "stuck"))
    assert turn_number(look.game) == number > 0
    assert f">Turn {number} · {look.seen.bag_size} tiles left</span>" in page(game, alice)


def test_turn_that_was_taken_back_is_not_counted(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, terms={"skips": False})
    while game.decision_kind != "buy" or not game.moves.last().text.startswith("place"):
        game = play_on(game, 1, seed=game.version)
    before = turn_number(seen_by(game, alice).game)
    mover = game.seats.get(number=game.seat_to_move).user
    take_back(game_id=game.pk, number=game.version + 1, to=game.version - 1, by=mover)
    assert turn_number(seen_by(game, alice).game) == before


def test_turn_of_the_other_game_is_counted(alice: User, bob: User) -> None:
    game = start_game(system="acquisition", preset="standard", host=alice, players=[alice, bob])
    while game.moves.filter(text__startswith="place").count() < 5:
        game = play_on(game, 1, seed=game.version)
    number = turns_begun(game) + (game.decision_kind == "place")
    assert turn_number(seen_by(game, alice).game) == number > 4


def test_finished_game_has_no_present_turn(start: NewGame, alice: User, bob: User) -> None:
    game = play_to_the_end(start(alice, bob))
    assert ">Turn " not in page(game, alice).partition('id="panel-turn"')[0]


def test_end_tells_turns_time_and_what_ended_the_game(start: NewGame, alice: User, bob: User) -> None:
    game = play_to_the_end(start(alice, bob, terms={"name": "Harbour evening"}))
    Game.objects.filter(pk=game.pk).update(started=game.finished - timedelta(days=9, hours=3))
    entry = game.moves.last()
    assert entry.kind == LogEntry.Kind.MOVE
    told = page(game, alice)
    assert f">Harbour evening · {turns_begun(game)} turns in 9 days. " in told
    ended = next(event for event in entry.decoded_events if type(event).__name__ == "Ended")
    assert ended.reason == "declared"
    who = "You" if game.seats.get(number=ended.seat).user == alice else "bob"
    assert f"in 9 days. {who} declared the end of the game.</p>" in told


def test_end_by_agreement_is_told(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob), 20)
    propose_end(game_id=game.pk, by=alice, kind="none")
    vote_on_end(game_id=game.pk, by=bob, kind="none", yes=True)
    game.refresh_from_db()
    ruling = game.moves.last()
    assert ruling.text == str(Ruling("none"))
    assert f"turns in 1 minute. {wording.ALL_AGREED_ON_NO_RESULT}" in page(game, alice)
