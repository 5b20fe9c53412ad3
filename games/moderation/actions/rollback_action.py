"""The staff action that rolls a game back to an earlier log entry.

Nothing is deleted: the moves since then stay in the log, struck through. Seats and concessions stay as they
are now. A finished game is reopened as long as its result is not final. Its end has shown the seed and all
hands, so everything hidden is dealt again.
"""

from collections.abc import Sequence
from typing import Any, Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.moderation.action_forms import NumberField
from accounts.moderation.staff_actions import Text
from accounts.refusals import Refusal
from games.clocks import game_clock
from games.engine.owner_must_decide import OwnerMustDecide
from games.insights.decision_count import withdraw_decisions
from games.lobby.game_start import new_seed
from games.log.positions import (
    apply_step,
    last_entry_of_play,
    rollback_target,
    standing_steps,
    state_after,
)
from games.log.rulings import Ruling
from games.models import Game, LogEntry, PlannedTurn, Seat
from games.moderation.actions.action_lock import (
    VersionedActionForm,
    game_action,
    lock_for_action,
    not_running,
    player_reason,
    refuse_deleted,
)
from games.notifications import notify
from games.play import reopened_game
from games.play.automation import order_store
from games.play.finished_game import result_final_at, withdraw_result
from games.play.game_columns import set_position
from games.play.ruling_entry import enter_moderator_ruling
from games.play.seats import end_votes


@refuse_deleted
def _against(game: Game) -> Text | None:
    return _against_reopening(game) if game.is_finished else not_running(game)


def _against_reopening(game: Game) -> Text | None:
    if game.is_practice:
        return _("A practice table that is over cannot be reopened. Its host can play again.")
    if game.ending == Game.Ending.CONCEDED:
        return _(
            "This game ended because players conceded, and concessions stand. Make it unrated or delete it."
        )
    if timezone.now() >= result_final_at(game):
        sentence = gettext("The result has been final since {when}. Make the game unrated, or delete it.")
        return sentence.format(when=final_time(game))
    return None


def final_time(game: Game) -> str:
    """The time at which the result of a finished game is final, in words."""
    moment = timezone.localtime(result_final_at(game))
    return gettext("{day}, {time} ({zone})").format(
        day=date_format(moment, "j F Y"),
        time=date_format(moment, "H:i"),
        zone=timezone.get_current_timezone_name(),
    )


class RollBackForm(VersionedActionForm):
    entry = NumberField(label=_("Entry"), help_text=_("Its number in the log. 0 is the deal."))


def _roll_back(target: Game, *, by: User | None, reason: str, entry: int, seen: int | None) -> dict[str, Any]:
    if target.is_finished:
        reopened_game.lock_players(target.pk)
    game = lock_for_action(target, by, _against, seen)
    told, was_over = player_reason(reason), game.is_finished
    entries = list(game.moves.all())
    undone = _undone_steps(game, entries, entry)
    goal = _position(game, [step for step in standing_steps(entries) if step.number <= entry])
    order_store.restore_used_orders(game, _states(game, goal, undone), goal)
    ruling = _ruling(game, goal, entries, entry)
    if was_over:
        reopened_game.run_again(game)
    seats = list(game.seats.all())
    for seat in seats:
        seat.replacement_vote_open = False
    set_position(game, goal, seats, after=None)
    for seat in seats:
        _give_time_back(game, seat, undone)
    _start_clock(game, seats)
    for plan in PlannedTurn.objects.filter(game=game, stop_reason__isnull=True):
        plan.stop(OwnerMustDecide("taken back"))
    # Votes to end the game were about another position.
    end_votes.close(game)
    enter_moderator_ruling(game, ruling, reason=told)
    notify.notify_moderated(game, notify.at_the_table(game), _NEWS[ruling.kind], told)
    facts = {"entry": game.version, "undone": _moves(undone)}
    if was_over:
        withdraw_decisions(game)
        withdraw_result(game)
        notify.drop_end(game)
        reopened_game.replace_departed(game)
    return facts


# The action that players are told, by the kind of the ruling.
_NEWS: Final = {"rolls": "roll-back", "redeals": "redeal", "reopens": "reopen"}


def _ruling(game: Game, goal: Any, entries: Sequence[LogEntry], entry: int) -> Ruling:
    """Return the ruling that goes back to this entry; deals again in the state `goal` if it must."""
    if reopened_game.must_be_redealt(game, entries, entry):
        return reopened_game.redeal(game, goal, entry, new_seed())
    return Ruling("reopens" if game.is_finished else "rolls", entry)


def _rollback_summary(target: Game, *, entry: int) -> Text:
    """The sentences on how much the rollback undoes, and whether it reopens the game or deals again."""
    entries = list(target.moves.all())
    number = _moves(_undone_steps(target, entries, entry))
    moves = ngettext(
        "This takes back {n} move, which stays in the log.",
        "This takes back {n} moves, which stay in the log.",
        number,
    ).format(n=number)
    sentences = [moves if number else gettext("No move is taken back.")]
    if target.is_finished:
        sentences.append(
            gettext(
                "The game continues. Ratings, records and results change back as if it had not ended, and"
                " its review is deleted. You can reopen it until {when}, when the result is final."
            ).format(when=final_time(target))
        )
    if reopened_game.must_be_redealt(target, entries, entry):
        sentences.append(
            gettext(
                "All hands and the bag are dealt again from a new seed, because everyone has seen them. Each"
                " hand keeps its size."
            )
        )
    return " ".join(sentences)


def _undone_steps(game: Game, entries: Sequence[LogEntry], to: int) -> list[LogEntry]:
    """The standing moves and redeals that the rollback undoes; raises Refusal if it cannot go back there.

    There are none in a game that a ruling has ended right after the entry.
    """
    if game.is_finished and to >= (end := last_entry_of_play(entries)):
        sentence = str(_("The game ended with entry {n}. Go back to an entry before it."))
        raise Refusal(sentence.format(n=end))
    if to > len(entries):
        sentence = ngettext(
            "The log has only {n} entry. Enter a smaller number.",
            "The log has only {n} entries. Enter a smaller number.",
            len(entries),
        )
        raise Refusal(sentence.format(n=len(entries)))
    goals = [goal for move in entries if move.number > to and (goal := rollback_target(move)) is not None]
    if goals and min(goals) < to:
        sentence = str(_("Entry {to} has already been taken back. Go back to entry {n} or earlier."))
        raise Refusal(sentence.format(to=to, n=min(goals)))
    undone = [step for step in standing_steps(entries) if step.number > to]
    if not _moves(undone) and not game.is_finished:
        raise Refusal(str(_("There is no move after this entry to take back.")))
    return undone


def _moves(steps: Sequence[LogEntry]) -> int:
    """The number of moves among these steps."""
    return sum(step.kind == LogEntry.Kind.MOVE for step in steps)


def _position(game: Game, steps: Sequence[LogEntry]) -> Any:
    """Return the state after these moves and redeals, replayed, because the stored state may be broken."""
    try:
        return state_after(game, steps)
    except Exception as error:  # the error's message may contain secrets
        sentence = _("The log cannot be replayed up to this entry. Go further back.")
        raise Refusal(str(sentence)) from error


def _states(game: Game, goal: Any, undone: Sequence[LogEntry]) -> list[Any]:
    """The states that are undone, as far as they can be replayed."""
    state, found = goal.copy(), []
    for step in undone:
        try:
            apply_step(game, state, step)
        except Exception:  # the rollback may be needed because the replay fails
            break
        found.append(state.copy())
    return found


def _give_time_back(game: Game, seat: Seat, undone: Sequence[LogEntry]) -> None:
    """Restore the time bank of a seat to its value at the first of its undone moves."""
    shown = [move.time_left for move in undone if move.seat == seat.number and move.time_left is not None]
    if game.time_bank is not None and shown and seat.time_bank_left is not None:
        restored = max(seat.time_bank_left, shown[0])
        # The move may have been made by mail, before the game went live.
        seat.time_bank_left = game_clock.cap_to_bank(game, restored) if game.is_live else restored
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


ROLL_BACK = game_action(
    "roll-back",
    _("Roll back game"),
    form_class=RollBackForm,
    perform=_roll_back,
    sentence=_(
        "The game returns to the position after a log entry and continues from there. Later moves "
        "stay in the log, struck through. Players do not forget what they have seen since, including "
        "tiles they drew. A finished game is reopened, and its hidden tiles are dealt again. The player "
        "to move gets the full time. The players get a notification with the reason."
    ),
    against=_against,
    foresee=_rollback_summary,
)
