"""Games brought to a position, and what is stored of them."""

from random import Random
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games import queries, services
from games.models import Game, Move, Seat
from games.services.automatic_moves import play_automatic_moves
from games.services.game_columns import set_position
from games.services.game_lock import lock_game
from games.services.game_ticks import schedule_ticks
from games.services.log_writer import Turn, author_columns, make_move
from games.services.notifying import entry_added


def play_on(game: Game, moves: int, seed: int = 1) -> Game:
    """Play so many random moves, or to the end, through the door; people and computers alike."""
    rng = Random(seed)
    for _ in range(moves):
        game = Game.with_secrets.get(pk=game.pk)
        if game.decider is None:
            break
        state = game.rule_system.from_json(game.state)
        move = rng.choice(game.rule_system.legal_moves(state))
        seat = game.seats.get(number=game.decider)
        by = None if seat.by_computer else seat.user
        services.play_move(game_id=game.pk, number=game.version + 1, seat=game.decider, text=str(move), by=by)
    return Game.with_secrets.get(pk=game.pk)


@transaction.atomic
def play_to_the_end(game: Game, seed: int = 1) -> Game:
    """The same to the end, with nobody asked or told before it is there: that takes a quarter of the time."""
    rng = Random(seed)
    game = lock_game(game.pk)
    people = {seat.number: seat.user for seat in game.seats.all() if not seat.by_computer}
    while game.decider is not None:
        state = game.rule_system.from_json(game.state)
        move = rng.choice(game.rule_system.legal_moves(state))
        by = people.get(game.decider)
        entry = make_move(game, Turn(list(game.seats.all()), move, author_columns(by), state=state))
        if game.decider is None:
            entry_added(game, entry)
            schedule_ticks(game)
        else:
            play_automatic_moves(game)
    return Game.with_secrets.get(pk=game.pk)


def put(game: Game, state: Any) -> Game:
    """The game, with another position on the board, as if it had come to it by the moves of its log."""
    game = Game.with_secrets.get(pk=game.pk)
    set_position(game, state, list(game.seats.all()), after=None)
    game.save()
    return game


def make_room(*users: User) -> None:
    """Count none of the users' games as unfinished any more, so that more can be started."""
    Seat.objects.filter(user__in=users).update(ended=timezone.now())


def legal_move(game: Game) -> str:
    """Some move that the seat to decide may make now."""
    game = Game.with_secrets.get(pk=game.pk)
    return str(game.rule_system.legal_moves(game.rule_system.from_json(game.state))[0])


def whole_record(game: Game) -> tuple[object, ...]:
    """Everything that is stored of a game, to compare before and after."""
    columns = Game.with_secrets.filter(pk=game.pk).values_list(
        "state", "version", "decider", "decision", "due", "moved", "status", "finished"
    )
    entries = Move.objects.filter(game=game).values_list("number", "text", "seat")
    return (*columns, *entries)


def seen_by(game: Game, user: User) -> queries.Look:
    look = queries.look(game.public_id, user)
    assert look is not None
    return look
