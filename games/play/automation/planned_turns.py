"""Plan turns, and play whole turns at once."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.engine.owner_must_decide import OwnerMustDecide
from games.engine.planned_turns.plan_errors import InvalidPlan
from games.engine.planned_turns.plan_systems import PLANS
from games.models import Game, LogEntry, PlannedTurn
from games.play.game_lock import lock_game
from games.play.play_move import play_move
from games.play.ruling_entry import complete_stored_answer
from games.players.admission import lock_admitted_user
from games.refusals import BotIsPlaying, NotSeated, NotYourDecision


@transaction.atomic
def keep_plan(*, game_id: int, user: User, plan: dict[str, Any]) -> None:
    """Save the user's plan for the next turn, or for the rest of this one, in place of a former plan.

    `plan` is plain values, not yet validated. If it is the user's turn by now, the plan is followed at once.
    Raises NotSeated, NotYourDecision without a running game, BotIsPlaying while a stand-in holds the user's
    seat, and InvalidPlan if this cannot be planned now.
    """
    lock_admitted_user(user)
    game = lock_game(game_id)
    seat = _seat_of(game, user)
    parsed = _read(game, plan)
    PLANS[game.system].check(parsed, _seen(game, seat))
    _keep(game, user, parsed)
    complete_stored_answer(game, user)


@transaction.atomic
def withdraw_plan(*, game_id: int, user: User) -> None:
    """Delete the user's plan, if any."""
    lock_game(game_id)
    PlannedTurn.objects.filter(game=game_id, user=user).delete()


@transaction.atomic
def play_turn(*, game_id: int, number: int, plan: dict[str, Any], by: User) -> LogEntry:
    """Play the first move of a turn as entry `number`, and keep the rest of the turn as a plan.

    Returns the entry of the first move. The plan keeps what cannot follow at once because others decide in
    between; decisions that it leaves open are asked. The same request again returns the same entry.

    Raises InvalidPlan if a part of the plan is known to be illegal, and what `play_move` raises. If it
    raises, the game and a former plan are unchanged.
    """
    lock_admitted_user(by)
    game = lock_game(game_id)
    seat = _seat_of(game, by)
    parsed = _read(game, plan)
    plans = PLANS[game.system]
    move = plans.opening(parsed)
    if number == game.version + 1 and game.seat_to_move == seat:
        seen = _seen(game, seat)
        plans.check(parsed, seen)
        found = plans.answer(parsed, seen)
        if isinstance(found, OwnerMustDecide):
            raise InvalidPlan(found.reason, **found.facts)
        if found is None:
            # The seat has a decision, but not the first one of a turn.
            raise NotYourDecision
        _keep(game, by, parsed)
    return play_move(game_id=game_id, number=number, seat=seat, text=str(move), by=by)


def _seat_of(game: Game, user: User) -> int:
    seat = game.seats.filter(user=user).first()
    if seat is None:
        raise NotSeated
    if not game.is_running:
        raise NotYourDecision
    if seat.is_replaced:
        raise BotIsPlaying
    return seat.number


def _read(game: Game, plan: dict[str, Any]) -> Any:
    """Parse a plan; raise InvalidPlan if it is none or the rule system has no plans."""
    if game.system not in PLANS:
        raise InvalidPlan("no plan")
    return PLANS[game.system].plan_from_json(plan)


def _seen(game: Game, seat: int) -> Any:
    system = game.rule_system
    return system.observe(system.state_from_json(game.state), seat, memory=True)


def _keep(game: Game, user: User, plan: Any) -> None:
    record_ = PLANS[game.system].plan_to_json(plan)
    values = {"plan_json": record_, "stop_reason": None, "made": timezone.now()}
    PlannedTurn.objects.update_or_create(game=game, user=user, defaults=values)
