"""Staff actions that give players more time."""

from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.moderation.action_forms import ActionForm, ChoiceField, NumberField
from accounts.moderation.staff_actions import Preset, Text
from accounts.refusals import Refusal
from games.clocks import game_clock
from games.log.rulings import Ruling
from games.models import Game, Seat
from games.moderation.actions.action_lock import (
    game_action,
    lock_for_action,
    not_running,
    player_reason,
    refuse_deleted,
    seat_choices,
)
from games.notifications import notify
from games.play.ruling_entry import enter_moderator_ruling
from games.play.seats import absence_vote

MAX_HOURS = 24 * 99


class MoreTimeForm(ActionForm):
    hours = NumberField(label=_("Hours"), min_value=1, max_value=MAX_HOURS)
    seat = ChoiceField(label=_("Seat"), required=False, help_text=_("Leave empty for all seats."))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seats = [seat for seat in self.target.seats.select_related("user") if _plays(seat)]
        self.set_choices("seat", seat_choices(seats))


def _plays(seat: Seat) -> bool:
    return seat.user_id is not None and not seat.is_bot_playing


@refuse_deleted
def _against(game: Game) -> Text | None:
    if game.seconds_per_move is None:
        return not_running(game) or _("This game has no time limit.")
    if (why := not_running(game)) is not None:
        return why
    if game.time_bank is None and game.waiting_for_id is None:
        return _("No clock is running because it is a computer player’s turn.")
    return None


def _give(target: Game, *, by: User | None, reason: str, hours: int, seat: str | None) -> dict[str, Any]:
    game = lock_for_action(target, by, _against)
    told, more = player_reason(reason), timedelta(hours=hours)
    seats = list(game.seats.all())
    people = [place for place in seats if _plays(place) and (seat is None or place.number == int(seat) - 1)]
    given = [place for place in people if _lengthen(game, place, more)]
    if not given:
        raise Refusal(
            str(
                _(
                    "This seat’s clock is not running, and every move here gets the same time. Add "
                    "time when it is that seat’s turn."
                )
            )
        )
    if len(given) == 1:
        enter_moderator_ruling(game, Ruling("lengthens", given[0].number), seat=given[0].number, reason=told)
    else:
        enter_moderator_ruling(game, Ruling("lengthens all"), reason=told)
    notify.notify_moderated(game, [place.user_id for place in given if place.user_id], "more-time", told)
    return {"entry": game.version}


def _lengthen(game: Game, seat: Seat, more: timedelta) -> bool:
    """Extend the time of a seat and return whether it has a clock."""
    if seat.user_id == game.waiting_for_id:
        if seat.replacement_vote_open:
            # Players with new time must not be voted out.
            seat.replacement_vote_open = False
            absence_vote.votes(game, seat).update(closed=timezone.now())
        game_clock.set_time_left(game, game_clock.remaining(game) + more)
    elif game.time_bank is not None:
        seat.time_bank_left = game_clock.full_time(game, seat) + more
    else:
        return False
    seat.save(update_fields=["replacement_vote_open", "time_bank_left"])
    return True


def _day_for_all(game: Game) -> dict[str, Any] | None:
    if game.time_bank is None:
        return None
    return {"hours": 24, "reason": gettext("Everyone gets one more day.")}


def _day_for_this_move(game: Game) -> dict[str, Any] | None:
    """Only the clock of the player to move can get more time if every move has the same."""
    if game.time_bank is not None:
        return None
    return {"hours": 24, "reason": gettext("There is one more day for this move.")}


MORE_TIME = game_action(
    "more-time",
    _("Give more time"),
    form_class=MoreTimeForm,
    perform=_give,
    sentence=_(
        "Adds hours to the clock of one seat or of all seats. In games with time per move, that is "
        "the clock of the player to move. Players who get time also get a notification with the "
        "reason."
    ),
    against=_against,
    presets=(
        Preset("day", _("One more day for all"), _day_for_all),
        Preset("day-for-move", _("One more day for this move"), _day_for_this_move),
    ),
)
