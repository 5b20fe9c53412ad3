"""The staff action that rolls a game back to an earlier log entry.

Nothing is deleted: the moves since then stay in the log, struck through. A finished game cannot be rolled
back, because its seed and all hands were revealed. Seats and concessions stay as they are now.
"""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.moderation.action_forms import NumberField
from accounts.moderation.staff_actions import Action, Text
from accounts.refusals import Refusal
from games.clocks import game_clock
from games.engine.planned_turns.plan_errors import OwnerMustDecide
from games.log.positions import rollback_target, standing_moves, state_after
from games.log.rulings import Ruling
from games.models import Game, LogEntry, PlannedTurn, Seat
from games.moderation.actions.action_lock import (
    READ_BY_PLAYERS,
    VersionedActionForm,
    lock_for_action,
    moderator_bar,
    not_running,
    player_reason,
    refuse_deleted,
)
from games.notifications import notify
from games.play.automation import order_store
from games.play.game_columns import set_position
from games.play.ruling_entry import enter_moderator_ruling
from games.play.seats import end_votes


@refuse_deleted
def _against(game: Game) -> Text | None:
    if game.is_finished:
        return _(
            "This game is over, and everything that was hidden has been shown, so nobody could play on."
            " Make it unrated, or delete it."
        )
    return not_running(game)


class RollBackForm(VersionedActionForm):
    entry = NumberField(label=_("Entry"), help_text=_("Its number in the log; 0 is the deal."))


def _roll_back(target: Game, *, by: User | None, reason: str, entry: int, seen: int | None) -> dict[str, Any]:
    game = lock_for_action(target, by, _against, seen)
    told = player_reason(reason)
    entries = list(game.moves.all())
    undone = _undone_moves(entries, entry)
    goal = _position(game, [move for move in standing_moves(entries) if move.number <= entry])
    seats = list(game.seats.all())
    for seat in seats:
        seat.replacement_vote_open = False
    set_position(game, goal, seats, after=None)
    for seat in seats:
        _give_time_back(game, seat, undone)
    _start_clock(game, seats)
    order_store.restore_used_orders(game, _states(game, goal, undone), goal)
    for plan in PlannedTurn.objects.filter(game=game, stop_reason__isnull=True):
        plan.stop(OwnerMustDecide("taken back"))
    # Votes to end the game were about another position.
    end_votes.close(game)
    enter_moderator_ruling(game, Ruling("rolls", entry), reason=told)
    notify.notify_moderated(game, notify.at_the_table(game), "roll-back", told)
    return {"entry": game.version, "undone": len(undone)}


def _rollback_summary(target: Game, *, entry: int) -> Text:
    """The sentence on how much the rollback undoes."""
    number = len(_undone_moves(list(target.moves.all()), entry))
    return ngettext(
        "{n} move is taken back, and stays in the log.",
        "{n} moves are taken back, and stay in the log.",
        number,
    ).format(n=number)


def _undone_moves(entries: Sequence[LogEntry], to: int) -> list[LogEntry]:
    """The standing moves that the rollback undoes; raises Refusal if there is no such entry."""
    if to > len(entries):
        raise Refusal(str(_("The log has {n} entries.")).format(n=len(entries)))
    goals = [goal for move in entries if move.number > to and (goal := rollback_target(move)) is not None]
    if goals and min(goals) < to:
        sentence = str(_("What led to entry {to} was taken back itself. Go back to entry {n} or further."))
        raise Refusal(sentence.format(to=to, n=min(goals)))
    undone = [move for move in standing_moves(entries) if move.number > to]
    if not undone:
        raise Refusal(str(_("No move stands that was made since then.")))
    return undone


def _position(game: Game, moves: Sequence[LogEntry]) -> Any:
    """Return the state after these moves, replayed, because the stored state may be broken."""
    try:
        return state_after(game, moves)
    except Exception as error:  # the error's message may contain secrets
        sentence = _("The log cannot be played again up to there. Go further back.")
        raise Refusal(str(sentence)) from error


def _states(game: Game, goal: Any, undone: Sequence[LogEntry]) -> list[Any]:
    """The states that are undone, as far as they can be replayed."""
    system, state, found = game.rule_system, goal.copy(), []
    for move in undone:
        try:
            system.apply(state, system.parse_move(move.text))
        except Exception:  # the rollback may be needed because the replay fails
            break
        found.append(state.copy())
    return found


def _give_time_back(game: Game, seat: Seat, undone: Sequence[LogEntry]) -> None:
    """Restore the time bank of a seat to its value at the first of its undone moves."""
    shown = [move.time_left for move in undone if move.seat == seat.number and move.time_left is not None]
    if game.time_bank is not None and shown and seat.time_bank_left is not None:
        seat.time_bank_left = max(seat.time_bank_left, shown[0])
    seat.save(update_fields=["replacement_vote_open", "time_bank_left"])


def _start_clock(game: Game, seats: Sequence[Seat]) -> None:
    """Start the clock of the player to move with the full time for the decision."""
    if game.waiting_for_id is None or game.seat_to_move is None:
        return
    seat = seats[game.seat_to_move]
    if game.time_bank is not None:
        seat.time_bank_left = max(game_clock.full_time(game, seat), game_clock.time_per_move(game))
        seat.save(update_fields=["time_bank_left"])
    game_clock.start_clock(game, seat)
    if game.paused is not None:
        game_clock.pause_clock(game)


ROLL_BACK = Action(
    name="roll-back",
    label=_("Roll back"),
    permission="games.moderate_game",
    form_class=RollBackForm,
    perform=_roll_back,
    sentence=_(
        "The position is that after an entry of the log again, and play goes on from there. The moves"
        " since then stay in the log, struck through. What players have seen since, tiles they have"
        " drawn too, they know. Whoever is asked has all the time for the decision. The players are"
        " told, with the reason."
    ),
    against=_against,
    bars=moderator_bar,
    foresee=_rollback_summary,
    read_by=READ_BY_PLAYERS,
)
