"""Staff actions that give a seat to a bot or to a member who has agreed."""

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models.fields import BLANK_CHOICE_DASH
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.moderation.action_forms import ChoiceField, MemberField
from accounts.moderation.staff_actions import Action, Text
from accounts.refusals import ActionNotAllowed, Refusal
from games.clocks import game_clock
from games.clocks.on_time_rate import is_reliable
from games.engine.bots.bot_levels import BOTS
from games.log import rulings
from games.log.rulings import Ruling
from games.models import Game, PlannedTurn, Seat, StandingOrder
from games.moderation.actions.action_lock import (
    READ_BY_PLAYERS,
    VersionedActionForm,
    lock_for_action,
    moderator_bar,
    not_running,
    player_reason,
    refuse_deleted,
    seat_choices,
)
from games.notifications import notify
from games.play.game_columns import set_position
from games.play.ruling_entry import enter_moderator_ruling
from games.play.seats import end_votes
from games.players import blocks, limits
from games.players.admission import lock_admitted_user
from games.players.nicknames import free_nicknames

_COMES_BACK, _STAYS_AWAY = "yes", "no"


class SeatForm(VersionedActionForm):
    """Form for a seat to be given to another player."""

    seat = ChoiceField(label=_("Seat"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.set_choices("seat", seat_choices(self.target.seats.select_related("user")))


@refuse_deleted
def _against(game: Game) -> Text | None:
    if game.is_practice:
        return _("At a practice table everybody sits at one device, and its host acts for all.")
    return not_running(game)


# -- A bot ---------------------------------------------------------------------------------------------


class ComputerSeatForm(SeatForm):
    level = ChoiceField(label=_("Level"))
    back = ChoiceField(
        label=_("May the player come back?"),
        choices=[*BLANK_CHOICE_DASH, (_COMES_BACK, _("yes")), (_STAYS_AWAY, _("no, the seat is lost"))],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        bots = BOTS[self.target.system]
        self.set_choices("level", [(name, _(bot.name)) for name, bot in bots.items()])


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
        raise Refusal(str(_("A computer of this level plays there already.")))
    else:
        ruling = Ruling("stands in", place.number)
        if before is not None and not place.is_bot_playing:
            place.replaced_at = timezone.now()
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
    place.user, place.nickname = None, name
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
        sentence = _("This account is closed, or may not play for now, or has a warning to read first.")
        raise ValidationError({"member": sentence}) from error
    game = lock_for_action(target, by, _against, seen)
    told, seats = player_reason(reason), list(game.seats.all())
    place = seats[int(seat) - 1]
    if member == by:
        raise ActionNotAllowed(str(_("You cannot give a seat to yourself.")))
    if place.concession_order is not None:
        raise Refusal(str(_("Whoever sat there has conceded, and nobody else takes that upon themselves.")))
    if why := _seat_bar(game, seats, place, member):
        raise ValidationError({"member": why})
    before = place.user_id
    ruling = rulings.handover_ruling(place.number, member.pk, before or place.nickname, "appoints")
    _delete_seat_requests(game, place)
    place.user, place.nickname, place.bot_level, place.replaced_at = member, "", "", None
    place.grace_used = place.replacement_vote_open = False
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
        return _("Guests play against computers only.")
    if any(seat.user_id == member.pk for seat in seats):
        return _("This member sits at the table already.")
    others = [seat.user_id for seat in seats if seat.user_id is not None and seat != place]
    barred = blocks.table_bars(game, member, others)
    if "kick" in barred:
        return _("The host has sent this member away from the game.")
    if "office" in barred:
        return _("This member has acted on the game as a moderator, and does not play in it.")
    if barred:
        return _("This member and somebody at the table do not sit down together.")
    if game.min_on_time_percent and not is_reliable(member, game.min_on_time_percent):
        return _("This member decides in time less often than the host asks for.")
    if limits.is_at_game_limit(member):
        return _("This member has as many unfinished games as one may have.")
    return None


def _delete_seat_requests(game: Game, place: Seat) -> None:
    """Delete the standing orders, plans and end votes of the seat's player."""
    for model in (StandingOrder, PlannedTurn):
        model.objects.filter(game=game, user=place.user_id, user__isnull=False).delete()
    end_votes.forget_votes_of_seat(game, place)


def _enter(game: Game, seats: list[Seat], ruling: Ruling, place: Seat, reason: str) -> None:
    """Enter the ruling and notify the player to move."""
    set_position(game, game.rule_system.state_from_json(game.state), seats, after=None)
    enter_moderator_ruling(game, ruling, seat=place.number, reason=reason)
    end_votes.settle_vote(game, seats)


REPLACE_BY_COMPUTER = Action(
    name="replace-by-computer",
    label=_("Put a computer in a seat"),
    permission="games.moderate_game",
    form_class=ComputerSeatForm,
    perform=_put_computer,
    sentence=_(
        "A computer plays on in the seat. Its player may come back, or loses the seat for good; in both cases"
        " another member can take it over. That player is told, with the reason; the others read it in"
        " the log."
    ),
    against=_against,
    bars=moderator_bar,
    read_by=READ_BY_PLAYERS,
)

REPLACE_BY_MEMBER = Action(
    name="replace-by-member",
    label=_("Give a seat to a member"),
    permission="games.moderate_game",
    form_class=MemberSeatForm,
    perform=_put_member,
    sentence=_(
        "The member plays on in the seat, and whoever had it loses it. Ask the member before: whoever"
        " sits down sees the hand. Both are told, with the reason; the others read it in the log."
    ),
    against=_against,
    bars=moderator_bar,
    read_by=READ_BY_PLAYERS,
)
