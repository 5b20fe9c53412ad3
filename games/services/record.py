"""Reading a locked game and writing the next entry of its log: what every change of a game shares."""

from collections.abc import Iterable
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.models import Game, Move, Seat

from . import hints, notifying, pace

# What an entry changes in its game; the deal is not among it.
_COLUMNS = [
    "state", "version", "decider", "decision", "asked", "deadline", "due", "moved", "finished", "status",
]  # fmt: skip


def lock(game_id: int) -> Game:
    """The game with its secrets, locked until the transaction ends.

    On SQLite the transaction itself is the lock: it begins by locking the database.
    """
    return Game.with_secrets.select_for_update(no_key=True).get(pk=game_id)


def write_position(game: Game, state: Any, seats: list[Seat], *, after: int | None) -> None:
    """Put the state and all that follows from it into the game's columns, unsaved.

    `after` is the seat that moved last, None at the start.
    """
    system = game.rule_system
    now = timezone.now()
    game.state = system.to_json(state)
    game.decider = system.decider(state)
    # A spectator's view: the kind of a decision can tell about the hand of whom it is asked.
    game.decision = "" if game.decider is None else system.observe(state, None).decision.kind
    game.moved = now
    game.due = None
    if game.decider is not None and seats[game.decider].computer:
        game.due = pace.due(now, again=after == game.decider)
    ask(game, None if game.decider is None else seats[game.decider].user_id)
    if game.decider is None:
        game.status = Game.Status.FINISHED
        game.finished = now


def ask(game: Game, user_id: int | None) -> None:
    """Note who must decide, None when no person does; in a game with a pace the time begins now."""
    game.asked_id = user_id
    timed = game.pace is not None and user_id is not None
    game.deadline = timezone.now() + timedelta(seconds=game.pace or 0) if timed else None


def add_entry(game: Game, **columns: Any) -> Move:
    """Save the game with the next entry of its log, and tell everybody once both are safe."""
    game.version += 1
    game.save(update_fields=_COLUMNS)
    if game.finished:
        game.seats.update(ended=game.finished)
    entry = Move.objects.create(game=game, number=game.version, made=game.moved, **columns)
    notifying.entry_added(game, entry)
    announce(game)
    return entry


def announce(game: Game, *, besides: Iterable[User] = ()) -> None:
    """After the commit: a tick for every page that shows the game, a task for a computer that is to move.

    The players' pages hear of it and those of the users `besides`; the lobby does unless the game
    is in the middle of being played.
    """
    seats = list(game.seats.all())
    users = {seat.user_id for seat in seats if seat.user_id is not None} | {user.pk for user in besides}
    begin = None
    if game.due is not None and game.decider is not None:
        begin = pace.begin(game.system, seats[game.decider].computer, game.due)
    hint = partial(
        hints.send,
        game.pk,
        game.public_id,
        game.version,
        users=sorted(users),
        begin=begin,
        lobby=_is_news(game),
    )
    transaction.on_commit(hint, robust=True)


def _is_news(game: Game) -> bool:
    """Whether lists for everybody show the change."""
    public = game.visibility == Game.Visibility.PUBLIC
    return public and (game.version == 0 or not game.is_running)


def author_of(by: User | None, overdue: bool = False) -> dict[str, Any]:
    """The columns of an entry that tell who submitted it.

    None is a computer opponent, or the house when the time of the person in the seat is over.
    """
    nobody = Move.Author.HOUSE if overdue else Move.Author.COMPUTER
    return {"user": by, "author": Move.Author.PERSON if by else nobody}
