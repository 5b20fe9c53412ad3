"""Going back to an earlier entry of the log. Nothing is erased: the moves since then stay, struck through.

Not in a game that is over: its seed and all hands were shown, so nobody could play on without knowing what
comes. Who sits where stays as it is now, whatever was ruled since; so does who has conceded.
"""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.services.action_forms import NumberField
from accounts.services.actions import Action, Text
from accounts.services.refusals import Refusal
from games.models import Game, Move, Plan, Seat
from games.plans import Ask
from games.services import notifying, orders, timekeeping, voting
from games.services.game_columns import set_position
from games.services.ruling_entry import enter_moderator_ruling
from games.services.rulings import Ruling
from games.services.standing import goes_back_to, position, standing_moves

from .locking import READ_BY_PLAYERS, VersionedActionForm, bars, locked, not_running, readable, unless_deleted


@unless_deleted
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
    game = locked(target, by, _against, seen)
    told = readable(reason)
    entries = list(game.moves.all())
    undone = _undone(entries, entry)
    goal = _position(game, [move for move in standing_moves(entries) if move.number <= entry])
    seats = list(game.seats.all())
    for seat in seats:
        seat.in_question = False
    set_position(game, goal, seats, after=None)
    for seat in seats:
        _give_time_back(game, seat, undone)
    _start_clock(game, seats)
    orders.taken_back(game, _states(game, goal, undone), goal)
    for plan in Plan.objects.filter(game=game, stopped__isnull=True):
        plan.stop(Ask("taken back"))
    # Those who agreed looked at another position.
    voting.close(game)
    enter_moderator_ruling(game, Ruling("rolls", entry), reason=told)
    notifying.moderated(game, notifying.at_the_table(game), "roll-back", told)
    return {"entry": game.version, "undone": len(undone)}


def _foresee(target: Game, *, entry: int) -> Text:
    """How much it undoes."""
    number = len(_undone(list(target.moves.all()), entry))
    return ngettext(
        "{n} move is taken back, and stays in the log.",
        "{n} moves are taken back, and stay in the log.",
        number,
    ).format(n=number)


def _undone(entries: Sequence[Move], to: int) -> list[Move]:
    """The moves that stand now, and will not after this; Refusal where there is no such place."""
    if to > len(entries):
        raise Refusal(str(_("The log has {n} entries.")).format(n=len(entries)))
    goals = [goal for move in entries if move.number > to and (goal := goes_back_to(move)) is not None]
    if goals and min(goals) < to:
        sentence = str(_("What led to entry {to} was taken back itself. Go back to entry {n} or further."))
        raise Refusal(sentence.format(to=to, n=min(goals)))
    undone = [move for move in standing_moves(entries) if move.number > to]
    if not undone:
        raise Refusal(str(_("No move stands that was made since then.")))
    return undone


def _position(game: Game, moves: Sequence[Move]) -> Any:
    """Where these moves lead; what is stored does not matter, for it may be what is broken."""
    try:
        return position(game, moves)
    except Exception as error:  # the words of an error may name what is hidden
        sentence = _("The log cannot be played again up to there. Go further back.")
        raise Refusal(str(sentence)) from error


def _states(game: Game, goal: Any, undone: Sequence[Move]) -> list[Any]:
    """The positions that are left, as far as they can be reached."""
    system, state, found = game.rule_system, goal.copy(), []
    for move in undone:
        try:
            system.apply(state, system.parse_move(move.text))
        except Exception:  # that the game breaks there may be why it is rolled back
            break
        found.append(state.copy())
    return found


def _give_time_back(game: Game, seat: Seat, undone: Sequence[Move]) -> None:
    """Leave a seat with a bank what it had when it made the first of the moves that are undone."""
    shown = [move.left for move in undone if move.seat == seat.number and move.left is not None]
    if game.bank is not None and shown and seat.left is not None:
        seat.left = max(seat.left, shown[0])
    seat.save(update_fields=["in_question", "left"])


def _start_clock(game: Game, seats: Sequence[Seat]) -> None:
    """Whoever is asked has all the time for the decision: it is asked anew."""
    if game.asked_id is None or game.decider is None:
        return
    seat = seats[game.decider]
    if game.bank is not None:
        seat.left = max(timekeeping.allowance(game, seat), timekeeping.one_decision(game))
        seat.save(update_fields=["left"])
    timekeeping.start(game, seat)
    if game.paused is not None:
        timekeeping.stand_still(game)


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
    bars=bars,
    foresee=_foresee,
    read_by=READ_BY_PLAYERS,
)
