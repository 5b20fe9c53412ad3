"""The time that the player to move usually takes, told at the table to those who wait."""

from datetime import timedelta

import pytest

from accounts.models import User
from games.models import Game, LogEntry
from tests.support.clients import client_of
from tests.support.games import NewGame, play_on

SENTENCE = "usually decides in about"


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    """A game of two people, late enough to know their pace."""
    return play_on(start(alice, bob, terms={"skips": False}), 40)


def spread(game: Game, hours: int) -> None:
    """Let each entry come this long after the one before, the first of every turn twenty seconds earlier."""
    seat, at = None, game.last_change_at - timedelta(days=30)
    for entry in game.moves.order_by("number"):
        at += timedelta(hours=hours) if entry.seat != seat else timedelta(0)
        seat = entry.seat
        LogEntry.objects.filter(pk=entry.pk).update(created_at=at)


def page(game: Game, reader: User) -> str:
    return client_of(reader).get(game.get_absolute_url()).content.decode()


def asked_and_other(game: Game) -> tuple[User, User]:
    seats = sorted(game.seats.select_related("user"), key=lambda seat: seat.number != game.seat_to_move)
    return seats[0].user, seats[1].user


def test_those_who_wait_read_whom_for_and_how_long_that_usually_takes(game: Game, carol: User) -> None:
    asked, other = asked_and_other(game)
    spread(game, 3)
    for reader in (other, carol):
        assert f"{asked} {SENTENCE} 3 hours." in page(game, reader)
    assert SENTENCE not in page(game, asked)


def test_usual_time_is_told_at_a_table_of_six(start: NewGame, alice: User) -> None:
    people = [alice, *(User.objects.create_user(f"player-{number}") for number in range(5))]
    game = play_on(start(*people, terms={"skips": False}), 90)
    asked, other = asked_and_other(game)
    spread(game, 1)
    assert f"{asked} {SENTENCE}" in page(game, other)


@pytest.mark.parametrize(("hours", "words"), [(0, "1 minute"), (30, "30 hours"), (49, "2 days")])
def test_usual_time_is_told_in_round_numbers(hours: int, words: str, game: Game) -> None:
    _asked, other = asked_and_other(game)
    spread(game, hours)
    assert f"{SENTENCE} {words}." in page(game, other)


def test_few_decisions_tell_nothing(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob, terms={"skips": False}), 6)
    for reader in (alice, bob):
        assert SENTENCE not in page(game, reader)


def test_usual_time_does_not_tell_planned_moves_from_others(game: Game) -> None:
    asked, other = asked_and_other(game)
    spread(game, 3)
    before = page(game, other)
    moves = game.moves.filter(kind=LogEntry.Kind.MOVE, user=asked)
    for number, entry in enumerate(moves):
        if number % 2:
            LogEntry.objects.filter(pk=entry.pk).update(
                origin=LogEntry.Origin.PLAN, created_at=entry.created_at.replace(second=59)
            )
    assert [line for line in page(game, other).split("\n") if SENTENCE in line] == [
        line for line in before.split("\n") if SENTENCE in line
    ]


def test_computer_player_has_no_usual_time(start: NewGame, alice: User) -> None:
    game = play_on(start(alice, "random", "random", terms={"skips": False}), 40)
    Game.objects.filter(pk=game.pk).update(waiting_for=None)
    assert SENTENCE not in page(game, alice)
