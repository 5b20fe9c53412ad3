"""Staff actions that give a seat to a bot or to a member who has agreed."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db.models.fields import BLANK_CHOICE_DASH
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.moderation.action_forms import ChoiceField, MemberField
from accounts.moderation.staff_actions import Preset, Text
from accounts.refusals import ActionNotAllowed, Refusal
from games.clocks import game_clock
from games.clocks.on_time_rate import is_reliable
from games.engine.bots.bot_levels import BOTS
from games.log import rulings
from games.log.rulings import Ruling
from games.models import Game, PlannedTurn, Seat, StandingOrder
from games.moderation.actions.action_lock import (
    VersionedActionForm,
    game_action,
    lock_for_action,
    not_running,
    player_reason,
    refuse_deleted,
    seat_choices,
)
from games.notifications import notify
from games.play.game_columns import refresh_position
from games.play.ruling_entry import enter_moderator_ruling
from games.play.seats import end_votes, pace_votes
from games.play.seats.seat_handover import STAND_IN_LEVEL, hide_earlier_team_chat
from games.play.seats.seat_reservations import replace_for_now
from games.players import blocks, limits
from games.players.admission import lock_admitted_user
from games.players.nicknames import free_nicknames

_COMES_BACK, _STAYS_AWAY = "yes", "no"

_UNTIL_BACK: Final = gettext_noop("A computer player plays until this player is back.")
_FOR_GOOD: Final = gettext_noop("This player was away for too long, so a computer player plays on.")


class SeatForm(VersionedActionForm):
    """Form for a seat to be given to another player."""

    seat = ChoiceField(label=_("Seat"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.set_choices("seat", seat_choices(self.target.seats.select_related("user")))


@refuse_deleted
def _against(game: Game) -> Text | None:
    if game.is_practice:
        return _("At a practice table everyone shares one device, and the host acts for all.")
    return not_running(game)


# -- A bot ---------------------------------------------------------------------------------------------


class ComputerSeatForm(SeatForm):
    level = ChoiceField(label=_("Level"))
    back = ChoiceField(
        label=_("Can the player come back?"),
        choices=[*BLANK_CHOICE_DASH, (_COMES_BACK, _("Yes")), (_STAYS_AWAY, _("No, the seat is lost"))],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        bots = BOTS[self.target.system]
        self.set_choices("level", [(name, _(bot.name)) for name, bot in bots.items()])
        self.fields["seat"].initial = _late_seat(self.target)

    def clean_reason(self) -> str:
        """Refuse the ready reason that promises a return to a player who loses the seat."""
        reason: str = self.cleaned_data["reason"]
        if self.cleaned_data.get("back") == _STAYS_AWAY and reason == gettext(_UNTIL_BACK):
            sentence = gettext("This reason says that the player can come back. Write another one.")
            raise ValidationError(sentence)
        return reason


def _late_seat(game: Game) -> str | None:
    """The seat of the player to move, who keeps the others waiting; None if no player is asked."""
    if game.waiting_for_id is None or game.seat_to_move is None:
        return None
    return str(game.seat_to_move + 1)


def _computer_for_late_player(back: str, reason: str) -> Callable[[Game], dict[str, Any] | None]:
    def values(game: Game) -> dict[str, Any] | None:
        seat = _late_seat(game)
        if seat is None:
            return None
        return {"seat": seat, "level": STAND_IN_LEVEL, "back": back, "reason": gettext(reason)}

    return values


def _foresee_computer(game: Game, *, seat: str, level: str, back: str) -> str:
    """The sentence on whose seat it is, who plays there, and whether its player can come back."""
    place = game.seats.select_related("user").get(number=int(seat) - 1)
    if place.user_id is None:
        told = gettext("The computer player in seat {number}, {name}, plays at the level {level}.")
    elif back == _STAYS_AWAY:
        told = gettext(
            "{name} loses seat {number} for good and cannot come back. A computer player of the level "
            "{level} plays on there."
        )
    else:
        told = gettext(
            "{name} can come back to seat {number}. Until then a computer player of the level {level} "
            "plays there."
        )
    return told.format(name=place.name, number=seat, level=_(BOTS[game.system][level].name))


def _put_computer(
    target: Game, *, by: User | None, reason: str, seat: str, level: str, back: str, seen: int | None
) -> dict[str, Any]:
    game = lock_for_action(target, by, _against, seen)
    told, seats = player_reason(reason), list(game.seats.all())
    place = seats[int(seat) - 1]
    before = place.user_id
    if before is not None and back == _STAYS_AWAY:
        ruling = _vacate_seat(game, seats, place, level)
    elif place.bot_level == level:
        raise Refusal(str(_("A computer player of this level already has this seat.")))
    else:
        ruling = Ruling("stands in", place.number)
        if before is not None and not place.is_bot_playing:
            replace_for_now(game, place)
    place.bot_level, place.replacement_vote_open = level, False
    place.save()
    _enter(game, seats, ruling, place, told)
    notify.notify_moderated(game, [before] if before is not None else [], "replace-by-computer", told)
    return {"entry": game.version}


def _vacate_seat(game: Game, seats: Sequence[Seat], place: Seat, level: str) -> Ruling:
    """Remove the seat's player, unsaved, with the player's orders, plans and votes."""
    assert place.user_id is not None
    [name] = free_nicknames({seat.nickname for seat in seats}, 1)
    ruling = rulings.handover_ruling(place.number, name, place.user_id, "appoints")
    _delete_seat_requests(game, place)
    place.user, place.nickname, place.reserved_until = None, name, None
    if place.concession_order is None:
        place.replaced_at = timezone.now()
    return ruling


# -- A member ------------------------------------------------------------------------------------------


class MemberSeatForm(SeatForm):
    member = MemberField(label=_("Member"))


def _put_member(
    target: Game, *, by: User | None, reason: str, seat: str, member: User, seen: int | None
) -> dict[str, Any]:
    try:
        lock_admitted_user(member)  # before the game, in the usual order of locks
    except Refusal as error:
        sentence = _("This account is closed, is not allowed to play right now, or has an unread warning.")
        raise ValidationError({"member": sentence}) from error
    game = lock_for_action(target, by, _against, seen)
    told, seats = player_reason(reason), list(game.seats.all())
    place = seats[int(seat) - 1]
    if member == by:
        raise ActionNotAllowed(str(_("You cannot give a seat to yourself.")))
    if place.concession_order is not None:
        raise Refusal(str(_("The player in this seat conceded, so nobody else can take it over.")))
    if why := _seat_bar(game, seats, place, member):
        raise ValidationError({"member": why})
    before = place.user_id
    ruling = rulings.handover_ruling(place.number, member.pk, before or place.nickname, "appoints")
    _delete_seat_requests(game, place)
    place.user, place.nickname, place.bot_level, place.replaced_at = member, "", "", None
    place.reserved_until = None
    place.grace_used = place.replacement_vote_open = False
    hide_earlier_team_chat(game, place)
    if game.time_bank is not None:
        one = game_clock.time_per_move(game)
        place.time_bank_left = game_clock.cap_to_bank(game, max(game_clock.full_time(game, place), one))
    place.save()
    _enter(game, seats, ruling, place, told)
    notify.notify_moderated(game, [key for key in (before, member.pk) if key], "replace-by-member", told)
    return {"entry": game.version}


def _seat_bar(game: Game, seats: Sequence[Seat], place: Seat, member: User) -> Text | None:
    """Return why the member could not take the seat in the usual way, or None; no invitation is needed."""
    if member.is_guest:
        return _("Guests can play only against computer players.")
    if any(seat.user_id == member.pk for seat in seats):
        return _("This member already has a seat at this table.")
    others = [seat.user_id for seat in seats if seat.user_id is not None and seat != place]
    barred = blocks.table_bars(game, member, others)
    if "kick" in barred:
        return _("The host removed this member from the game.")
    if "office" in barred:
        return _("This member acted on the game as a moderator and cannot play in it.")
    if barred:
        return _("This member and someone at the table cannot play together.")
    if game.min_on_time_percent and not is_reliable(member, game.min_on_time_percent):
        return _("This member’s punctuality is lower than the host requires.")
    if limits.is_at_game_limit(member):
        return _("This member has reached the limit of unfinished games.")
    return None


def _delete_seat_requests(game: Game, place: Seat) -> None:
    """Delete the standing orders, plans and end votes of the seat's player."""
    for model in (StandingOrder, PlannedTurn):
        model.objects.filter(game=game, user=place.user_id, user__isnull=False).delete()
    end_votes.forget_votes_of_seat(game, place)


def _enter(game: Game, seats: list[Seat], ruling: Ruling, place: Seat, reason: str) -> None:
    """Enter the ruling and notify the player to move."""
    refresh_position(game, seats)
    enter_moderator_ruling(game, ruling, seat=place.number, reason=reason)
    end_votes.settle_vote(game, seats)
    pace_votes.settle_vote(game, seats)


REPLACE_BY_COMPUTER = game_action(
    "replace-by-computer",
    _("Replace with a computer player"),
    form_class=ComputerSeatForm,
    perform=_put_computer,
    sentence=_(
        "A computer player takes over the seat. You choose whether its player can come back or loses "
        "the seat. In both cases another member can take over. The player gets a notification with "
        "the reason. Others see it in the log."
    ),
    against=_against,
    foresee=_foresee_computer,
    presets=(
        Preset("late", _("Replace late player"), _computer_for_late_player(_COMES_BACK, _UNTIL_BACK)),
        Preset("gone", _("Take seat from late player"), _computer_for_late_player(_STAYS_AWAY, _FOR_GOOD)),
    ),
)

REPLACE_BY_MEMBER = game_action(
    "replace-by-member",
    _("Give seat to a member"),
    form_class=MemberSeatForm,
    perform=_put_member,
    sentence=_(
        "The member takes over the seat, and its current player loses it. Ask the member first, "
        "because they will see the tiles. Both get a notification with the reason. Others see it in "
        "the log."
    ),
    against=_against,
)
