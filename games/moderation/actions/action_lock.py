"""The common parts of staff actions on games: their permission, lock and checks."""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.moderation.action_forms import ActionForm, VersionField
from accounts.moderation.staff_actions import Action, Preset, Text
from accounts.refusals import ActionNotAllowed, Refusal, TargetChanged
from games.log import rulings
from games.models import DepartureCount, Game, Invitation, Kick, LogEntry, Seat
from games.models.log_entry import MAX_REASON_LENGTH
from games.models.playable_systems import withheld_systems
from games.play.game_lock import lock_paused_game

Against = Callable[[Game], Text | None]

READ_BY_PLAYERS: Final = _("Players read this word for word in their notifications and in the log.")


def game_action(
    name: str,
    label: Text,
    sentence: Text,
    perform: Callable[..., Any],
    against: Against,
    *,
    form_class: type[ActionForm] = ActionForm,
    foresee: Callable[..., Text] | None = None,
    read_by: Text = READ_BY_PLAYERS,
    presets: tuple[Preset, ...] = (),
) -> Action:
    """Return a moderators' action on games; by default its reason is read by the players."""
    return Action(
        name,
        label,
        "games.moderate_game",
        form_class,
        perform,
        sentence=sentence,
        against=against,
        bars=moderator_bar,
        foresee=foresee,
        read_by=read_by,
        presets=presets,
    )


class VersionedActionForm(ActionForm):
    """The form of an action whose effect depends on the version of the game that was shown."""

    seen = VersionField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seen"].initial = self.target.version


def lock_for_action(target: Game, by: User | None, against: Against, seen: int | None = None) -> Game:
    """Lock the game with its secrets, paused or not, and return it.

    Raises ActionNotAllowed for a moderator who has taken part in the game, Refusal with the sentence of
    `against`, and TargetChanged if the game has ended since it was read, or gone on since version `seen` was
    shown.
    """
    game = lock_paused_game(target.pk)
    if by is not None and (sentence := moderator_bar(game, by)):
        raise ActionNotAllowed(str(sentence))
    if sentence := against(game):
        raise Refusal(str(sentence))
    if game.is_finished != target.is_finished or (seen is not None and seen != game.version):
        raise TargetChanged(
            str(_("The game has moved on. Nothing has been done yet. This is what would happen now."))
        )
    return game


def refuse_deleted(against: Against) -> Against:
    """Decorate `against` to refuse deleted games and those that may not be played here."""

    @wraps(against)
    def guarded(game: Game) -> Text | None:
        if game.deleted is not None:
            return _("This game is deleted. Restore it first.")
        if game.system in withheld_systems():
            return _("This site has no permission to offer this game right now, so it is paused.")
        return against(game)

    return guarded


def seat_choices(seats: Iterable[Seat]) -> list[tuple[str, str]]:
    """Form choices for these seats, counted from 1."""
    return [(str(seat.number + 1), f"{seat.number + 1}: {seat.name}") for seat in seats]


def not_running(game: Game) -> Text | None:
    """Return why the game is not being played, or None."""
    if game.is_running:
        return None
    if game.is_open:
        return _("This game has not started.")
    return _("This game is over.")


def moderator_bar(game: Game, by: User) -> Text | None:
    """Return why this moderator may not act on the game, or None.

    Bars those who host it, have or had a seat, were kicked, left it or were invited.
    """
    if not _has_to_do_with(game, by):
        return None
    return _("You are involved in this game as a player, host or guest. Leave it to another moderator.")


def player_reason(reason: str) -> str:
    """Return the reason, which players read; raise ValidationError if it is too long for the log."""
    if len(reason) > MAX_REASON_LENGTH:
        sentence = ngettext(
            "The players read this reason, so it can have at most {n} character.",
            "The players read this reason, so it can have at most {n} characters.",
            MAX_REASON_LENGTH,
        )
        raise ValidationError({"reason": sentence.format(n=MAX_REASON_LENGTH)})
    return reason


def _has_to_do_with(game: Game, user: User) -> bool:
    if user.pk == game.host_id or game.seats.filter(user=user).exists():
        return True
    if game.moves.filter(user=user).exists() or _had_a_seat(game, user):
        return True
    return any(
        model.objects.filter(game=game, user=user).exists() for model in (Kick, DepartureCount, Invitation)
    )


def _had_a_seat(game: Game, user: User) -> bool:
    """Return whether the user had a seat at some time, even without a move."""
    changes = game.moves.filter(kind=LogEntry.Kind.RULING, text__contains=" from ")
    told = (rulings.parse_ruling(text) for text in changes.values_list("text", flat=True))
    keys = {rulings.previous_holder(ruling) for ruling in told if ruling.kind in ("adopts", "appoints")}
    return user.pk in keys
