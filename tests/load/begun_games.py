"""Games brought into their middle at random, inside the site."""

from random import Random

from django.db import transaction

from games.models import Game, LogEntry
from games.play.game_columns import set_position
from games.play.game_lock import lock_game
from games.play.game_ticks import schedule_ticks


@transaction.atomic
def bring_on(game: Game, moves: int, rng: Random) -> None:
    """Play this many random moves of a game that has just been dealt; the log is written in bulk.

    The clock of the player to move begins anew.
    """
    game = lock_game(game.pk)
    system, seats, log = game.rule_system, list(game.seats.order_by("number")), []
    state = system.state_from_json(game.state)
    while len(log) < moves and (legal := system.legal_moves(state)):
        game.version += 1
        seat, move = seats[system.decider(state)], rng.choice(legal)
        author = LogEntry.Author.COMPUTER if seat.bot_level else LogEntry.Author.PERSON
        events = [system.event_to_json(event) for event in system.play(state, move)]
        entry = {"number": game.version, "seat": seat.number, "text": str(move), "events": events}
        entry |= {"created_at": game.last_change_at}
        log.append(LogEntry(game=game, author=author, user_id=seat.user_id, **entry))
    LogEntry.objects.bulk_create(log)
    set_position(game, state, seats, after=None)
    game.save()
    schedule_ticks(game)
