"""Whole games at once: the log is the same as through `play_move`, only quicker."""

from datetime import timedelta
from random import Random

from games.models import Game, LogEntry
from games.play.finished_game import begin_review
from games.play.game_columns import set_end, set_position


def played_out(game: Game, seed: int = 1, moves: int = 10_000) -> Game:
    """Play this many random moves of a new game, or all of it, one a second."""
    game = Game.with_secrets.get(pk=game.pk)
    system, rng = game.rule_system, Random(seed)
    state, seats = system.state_from_json(game.state), list(game.seats.all())
    assert game.version == 0
    assert game.started is not None
    entries = []
    while len(entries) < moves and (seat := system.decider(state)) is not None:
        move = rng.choice(system.legal_moves(state))
        number = len(entries) + 1
        by_person = not seats[seat].bot_level
        entries.append(
            LogEntry(
                game=game,
                number=number,
                seat=seat,
                text=str(move),
                author=LogEntry.Author.PERSON if by_person else LogEntry.Author.COMPUTER,
                user_id=seats[seat].user_id if by_person else None,
                created_at=game.started + timedelta(seconds=number),
                events=[system.event_to_json(event) for event in system.play(state, move)],
            )
        )
    LogEntry.objects.bulk_create(entries)
    set_position(game, state, seats, after=None)
    game.version = len(entries)
    game.save()
    if game.is_finished:
        game.seats.update(ended=game.finished)
        begin_review(game)
    return Game.with_secrets.get(pk=game.pk)


def broken_off(game: Game, ending: Game.Ending = Game.Ending.NONE, moves: int = 60) -> Game:
    """Return the game, which its players ended after this many random moves."""
    game = played_out(game, moves=moves)
    assert game.is_running
    set_end(game, ending)
    game.save()
    game.seats.update(ended=game.finished)
    begin_review(game)
    return Game.with_secrets.get(pk=game.pk)
