"""Play the moves that need no question: standing orders, planned turns and forced moves."""

import logging
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.engine import ready_move
from games.engine.owner_must_decide import OwnerMustDecide
from games.engine.planned_turns.plan_systems import PLANS
from games.models import Game, LogEntry, PlannedTurn
from games.models.playable_systems import withheld_systems
from games.models.prepared_query import forget_prefetched, prefetched
from games.play.automation import order_store, plan_store
from games.play.automation.answer_delay import draw_answer_due_at, is_answer_delayed
from games.play.log_writer import ENTRY_COLUMNS, Turn, make_move
from games.realtime import worker_queue

logger = logging.getLogger(__name__)


class _AnswerWaits(Exception):
    """The answer of an order or a plan must not be played yet."""


def play_automatic_moves(game: Game, *, by_id: int | None = None) -> None:
    """Play the automatic moves of each player to move, until one has none ready; notify nobody.

    Each move is an entry of its own. If one fails, the moves before it stand and its player decides. Orders
    and plans of anybody but `by_id`, who sent the request, answer some random seconds later.
    """
    try:
        while _play_automatic_move(game, by_id):
            pass
    except Exception as error:
        # The database has undone the attempt; the error's own words may hold a secret.
        # The next save of the game includes its state, which the usual manager would leave out here.
        forget_prefetched(game, "seats")
        game.refresh_from_db(fields=ENTRY_COLUMNS, from_queryset=Game.all_games.defer(None))
        trace = "".join(traceback.format_tb(error.__traceback__))
        logger.error(
            "Automatic move %s of game %s failed: %s\n%s",
            game.version + 1, game, type(error).__name__, trace,
        )  # fmt: skip


def _play_automatic_move(game: Game, by_id: int | None) -> bool:
    """Play the automatic move of the player to move; return whether there was one.

    If the answer has to wait, what it used up is undone and its time is set.
    """
    if not _is_person_asked(game) or game.paused is not None or game.system in withheld_systems():
        return False
    state = game.rule_system.state_from_json(game.state)
    if not _may_be_ready(game, state):
        return False
    try:
        return _play_ready_move(game, state, by_id)
    except _AnswerWaits:
        _schedule_answer(game)
        return False


def _schedule_answer(game: Game) -> None:
    """Set the time of the answer, unless it is set, and request a worker for it."""
    due = game.answer_due_at
    if due is None:
        due = game.answer_due_at = draw_answer_due_at(timezone.now(), game.deadline)
        game.save(update_fields=["answer_due_at"])
    transaction.on_commit(partial(worker_queue.request_answer, game.pk, due), robust=True)


@transaction.atomic
def _play_ready_move(game: Game, state: Any, by_id: int | None) -> bool:
    ready = ready_answer(game, state)
    if ready is None:
        return False
    move, origin = ready
    if origin != LogEntry.Origin.FORCED_MOVE and is_answer_delayed(game.waiting_for_id, by_id):
        raise _AnswerWaits
    # To others a player's order or plan is a move of that player like any other.
    author: dict[str, Any] = {"author": LogEntry.Author.PERSON, "user_id": game.waiting_for_id}
    if origin == LogEntry.Origin.FORCED_MOVE:
        author = {"author": LogEntry.Author.HOUSE}
    make_move(game, Turn(list(game.seats.all()), move, author, origin=origin, state=state))
    return True


def _may_be_ready(game: Game, state: Any) -> bool:
    """Return whether there may be an automatic move.

    Most players to move have neither an order nor a plan; that saves the savepoint.
    """
    forced = game.skip_forced_moves and game.rule_system.forced_move(state) is not None
    return forced or _may_have(game, "has_plan", "has_orders")


def _may_have(game: Game, *facts: str) -> bool:
    """Return whether one of these facts may hold for the seat to move; True for a game without its seats."""
    seats = prefetched(game, "seats")
    if seats is None or game.seat_to_move is None:
        return True
    return any(getattr(seats[game.seat_to_move], fact, True) for fact in facts)


def ready_answer(game: Game, state: Any) -> tuple[Any, LogEntry.Origin] | None:
    """The automatic move of the player to move and its origin, or None."""
    found = ready_move.ready_answer(game.system, state, DatabaseMoveSources(game))
    return None if found is None else (found[0], LogEntry.Origin(found[1]))


@dataclass(frozen=True)
class DatabaseMoveSources:
    """The orders and the plan of the player to move in a locked game.

    What a move uses up is written in its transaction and undone with it.
    """

    game: Game

    @property
    def skips(self) -> bool:
        return self.game.skip_forced_moves

    def orders(self, occasion: str) -> Mapping[str, Any]:
        if not _may_have(self.game, "has_orders"):
            return {}
        return order_store.available_orders(
            self.game, order_store.orders_of(self.game, self.game.waiting_for_id), occasion
        )

    def mark_used(self, topic: str, occasion: str) -> None:
        order_store.mark_order_used(self.game, self.game.waiting_for_id, topic, occasion)

    @cached_property
    def _plan(self) -> PlannedTurn | None:
        if not _may_have(self.game, "has_plan"):
            return None
        return plan_store.active_plan(self.game, self.game.waiting_for_id)

    def plan(self) -> Any:
        return PLANS[self.game.system].plan_from_json(self._plan.plan_json) if self._plan else None

    def stop(self, reason: OwnerMustDecide) -> None:
        """Stop the plan and store the reason, which its owner is shown."""
        assert self._plan is not None
        self._plan.stop(reason)


def _is_person_asked(game: Game) -> bool:
    if game.is_practice:
        return game.seat_to_move is not None and game.bot_due_at is None
    return game.waiting_for_id is not None
