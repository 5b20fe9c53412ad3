"""Reading a locked game and writing the next entry of its log: what every change of a game shares."""

import logging
import traceback
from collections.abc import Iterable
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.models import Game, Move, Seat
from games.models.systems import withheld

from . import answering, assessing, hints, limits, notifying, outcomes, pace, plans, timekeeping
from .errors import Deleted, Held, Paused
from .rulings import Ruling
from .standing import goes_back_to

log = logging.getLogger(__name__)

# What an entry changes in its game; the deal is not among it.
_COLUMNS = [
    "state", "version", "decider", "decision", "asked", "deadline", "remaining", "zone", "due", "paused",
    "held", "deleted", "rated", "moved", "finished", "status", "ending", "overruled",
]  # fmt: skip


def lock(game_id: int) -> Game:
    """The game with its secrets, locked until the transaction ends. Raises Paused, Held or Deleted if it is.

    On SQLite the transaction itself is the lock: it begins by locking the database.
    """
    game = lock_even_paused(game_id)
    if game.deleted is not None:
        raise Deleted
    if game.held is not None:
        raise Held
    if game.paused is not None or game.system in withheld():
        raise Paused
    return game


def lock_even_paused(game_id: int) -> Game:
    """The same for what may be done to a paused game."""
    return Game.every.defer(None).select_for_update(no_key=True).get(pk=game_id)


def write_position(
    game: Game, state: Any, seats: list[Seat], *, after: int | None, in_store: bool = False
) -> None:
    """Put the state and all that follows from it into the game's columns, unsaved.

    `after` is the seat that moved last, None at the start and when nobody has moved; `in_store` tells that
    the move was made for it without asking, which costs no time and brings none.
    """
    system = game.rule_system
    now = timezone.now()
    timekeeping.stop(game, seats, answered=None if in_store else after)
    game.state = system.to_json(state)
    game.decider = system.decider(state)
    # A spectator's view: the kind of a decision can tell about the hand of whom it is asked.
    game.decision = "" if game.decider is None else system.observe(state, None).decision.kind
    game.moved = now
    game.due = None
    if game.decider is not None and seats[game.decider].computer:
        game.due = pace.due(now, again=after == game.decider)
    person = None if game.decider is None or seats[game.decider].computer else seats[game.decider]
    ask(game, person, anew=after is not None)
    if game.decider is None:
        game.status = Game.Status.FINISHED
        game.finished = now


def ask(game: Game, seat: Seat | None, *, anew: bool = True) -> None:
    """Note whose person must decide, None when no person does; in a game with a pace a clock runs now.

    At a practice table that is nobody whom the site could tell or wait for: its people sit at the device.
    With `anew` it begins; else the clock of somebody who is asked already goes on.
    """
    goes_on = not anew and seat is not None and game.asked_id == seat.user_id
    game.asked_id = None if seat is None else seat.user_id
    if seat is None:
        game.deadline = game.remaining = None
    elif not goes_on:
        timekeeping.start(game, seat)
        if game.paused is not None:
            timekeeping.stand_still(game)


def end(game: Game, ending: Game.Ending) -> None:
    """Put the end of a game that the rules have not ended into its columns, unsaved; the state stays."""
    ask(game, None)
    game.decider = game.due = game.paused = game.held = None
    game.decision = ""
    game.ending = ending
    game.status = Game.Status.FINISHED
    game.finished = timezone.now()


def rule(game: Game, ruling: Ruling, *, seat: int | None = None, by: User | None = None) -> Move:
    """Enter a ruling into the log of a locked game, and save what it has changed in the game's columns.

    `seat` is the one that it is about or comes from, `by` the person who made it, None for the house.
    Raises what `limits.check_moves` says of that person: a ruling by hand counts as a move does.
    """
    if by is not None:
        limits.check_moves(by)
    author = Move.Author.PERSON if by else Move.Author.HOUSE
    game.moved = timezone.now()
    if ruling.kind == "back":
        # Whoever wants to decide anew does so by hand.
        plans.taken_back(game)
    return add_entry(game, kind=Move.Kind.RULING, seat=seat, text=str(ruling), user=by, author=author)


def overrule(
    game: Game, ruling: Ruling, *, seat: int | None = None, reason: str = "", over: bool = False
) -> Move:
    """Enter a moderator's ruling into the log of a dealt game, for a reason that the players read.

    In one that was `over` before, nothing follows from it.
    """
    facts = {"kind": Move.Kind.RULING, "seat": seat, "text": str(ruling), "reason": reason}
    game.moved = timezone.now()
    if not over:
        return add_entry(game, author=Move.Author.MODERATOR, **facts)
    entry = _write_entry(game, author=Move.Author.MODERATOR, **facts)
    announce(game)
    return entry


def add_entry(game: Game, **columns: Any) -> Move:
    """Save the game with the next entry of its log, and what follows from it."""
    entry = _write_entry(game, **columns)
    follow(game, entry)
    return entry


def play(game: Game, state: Any, seats: list[Seat], move: Any, **columns: Any) -> Move:
    """Make the move of the seat that is asked, and write it down; `follow` must come after it.

    The inner part of the door, for whoever has seen to it that the move comes from that seat. Raises
    IllegalMove.
    """
    system = game.rule_system
    seat, turn = system.decider(state), state.turn
    system.check(state, move)
    left = timekeeping.left_to(game, seats[seat])
    events = system.play(state, move)
    write_position(game, state, seats, after=seat, in_store=bool(columns.get("origin")))
    if state.turn != turn:
        plans.turn_over(game, seats[turn].user_id)
    told = [system.event_to_json(event) for event in events]
    return _write_entry(game, seat=seat, text=str(move), events=told, left=left, **columns)


def save(game: Game) -> None:
    """Save what an entry may change, where there is none to make: columns that did not fit the position."""
    game.save(update_fields=_COLUMNS)


def _write_entry(game: Game, **columns: Any) -> Move:
    game.version += 1
    save(game)
    if game.finished:
        game.seats.update(ended=game.finished)
        game.votes.filter(closed=None).update(closed=game.finished)
        plans.game_over(game)
        outcomes.mark(game)
        assessing.begin_story(game)
    return Move.objects.create(game=game, number=game.version, made=game.moved, **columns)


def follow(game: Game, entry: Move) -> None:
    """Give the answers in store that an entry calls for, then tell everybody where it all leads.

    Who has taken something back wants to decide it anew.
    """
    if goes_back_to(entry) is None:
        answer(game)
    notifying.entry_added(game, entry)
    announce(game)


def follow_store(game: Game) -> None:
    """Give an answer that has just been put in store, if it is asked for, and tell where that leads."""
    version = game.version
    answer(game)
    if game.version > version:
        notifying.entry_added(game, game.moves.get(number=game.version))
        announce(game)


def answer(game: Game) -> None:
    """Answer for each person who is asked and has an answer in store, until somebody has none.

    Each answer is an entry of its own. One that fails leaves its person asked, and all before it stands.
    Nobody is told.
    """
    try:
        while _answer_once(game):
            pass
    except Exception as error:
        # What was tried is undone in the database; the words of the error may hold a secret.
        # Whatever saves the game next saves its state, which the usual manager would leave out here.
        game.refresh_from_db(fields=_COLUMNS, from_queryset=Game.every.defer(None))
        trace = "".join(traceback.format_tb(error.__traceback__))
        log.error(
            "The answer in store for move %s of game %s could not be given: %s\n%s",
            game.version + 1, game, type(error).__name__, trace,
        )  # fmt: skip


@transaction.atomic
def _answer_once(game: Game) -> bool:
    """Give the answer in store of the person who is asked; whether there was one."""
    if not _is_person_asked(game) or game.paused is not None or game.system in withheld():
        return False
    state = game.rule_system.from_json(game.state)
    ready = answering.ready_answer(game, state)
    if ready is None:
        return False
    move, origin = ready
    # To everybody else an order or a plan of a person is a move of that person like any other.
    by = {"author": Move.Author.PERSON, "user_id": game.asked_id}
    if origin == Move.Origin.FORCED:
        by = {"author": Move.Author.HOUSE}
    play(game, state, list(game.seats.all()), move, origin=origin, **by)
    return True


def _is_person_asked(game: Game) -> bool:
    if game.practice:
        return game.decider is not None and game.due is None
    return game.asked_id is not None


def announce(game: Game, *, besides: Iterable[User] = ()) -> None:
    """After the commit: a tick for every page that shows the game, a task for a computer that is to move.

    The players' pages hear of it and those of the users `besides`; the lobby does unless the game
    is in the middle of being played.
    """
    seats = list(game.seats.all())
    users = {seat.owner_id for seat in seats if seat.owner_id is not None} | {user.pk for user in besides}
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
