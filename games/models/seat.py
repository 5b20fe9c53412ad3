"""Seats of games."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.models.game import Game

# The level of every stand-in; each rule system has it.
STAND_IN_LEVEL = "medium"


class Seat(models.Model):
    """A seat of a game: has a user or a bot, or both.

    At a practice table a person is only a name: the host acts for everybody at the device. In an imported
    game people are only names, too, and nobody acts.

    Both are set while a bot stands in for a person who ran out of time: the seat stays that person's until
    another member takes it over.

    Before the start numbers follow the order of joining; a bot keeps the number that the host chose for it.
    The deal renumbers the seats. In a team game the number also says which team the player has joined, so
    nobody moves up when somebody leaves.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="seats"
    )
    bot_level = models.CharField(max_length=20, blank=True, help_text="The level of a computer player.")
    nickname = models.CharField(
        max_length=20, blank=True, help_text="The name of a player without an account."
    )
    replaced_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When a computer player took over for a person."
    )
    reserved_until = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text=("Until then, only its player can return to the seat."),
    )
    is_ready = models.BooleanField(
        default=False, db_default=False, editable=False, help_text="The player is ready for the start."
    )
    grace_used = models.BooleanField(default=False, editable=False)
    replacement_vote_open = models.BooleanField(
        default=False,
        editable=False,
        help_text=("The others are voting on whether a computer player takes over the seat."),
    )
    time_bank_left = models.DurationField(
        null=True,
        blank=True,
        editable=False,
        help_text=("The time in the bank. It does not count down here."),
    )
    concession_order = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="The place of its owner in the order of concessions, from 1."
    )
    team_chat_since = models.PositiveBigIntegerField(
        default=0,
        db_default=0,
        editable=False,
        help_text="The key of the last message before its player joined the team, who reads only later ones.",
    )
    # Copied from the game, so that a user's games are found through an index.
    ended = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="one_seat_a_number"),
            models.UniqueConstraint(fields=["game", "user"], name="one_seat_a_user"),
            models.CheckConstraint(
                condition=Q(user__isnull=False) | ~Q(bot_level="") | ~Q(nickname=""),
                name="person_or_computer",
            ),
            models.CheckConstraint(
                condition=Q(replaced_at__isnull=True) | ~Q(bot_level=""), name="vacated_for_a_computer"
            ),
        ]
        indexes = [
            models.Index(
                fields=["replaced_at"],
                condition=Q(replaced_at__isnull=False, ended__isnull=True),
                name="seat_vacated",
            ),
            models.Index(fields=["user"], condition=Q(ended__isnull=True), name="seat_not_over"),
            models.Index(
                fields=["user", "-ended", "-game"], condition=Q(ended__isnull=False), name="seat_over"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.number}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if Seat.game.is_cached(self) and self.game.rounds_late:
            raise TypeError("A seat as spectators see it late cannot be saved.")
        super().save(*args, **kwargs)

    @property
    def team(self) -> int | None:
        """The number of the seat's team from 0; None if everybody plays alone."""
        return next((team for team, seats in enumerate(self.game.teams) if self.number in seats), None)

    @property
    def is_bot_playing(self) -> bool:
        """Return whether a bot plays here, in its own seat or as a stand-in."""
        return bool(self.bot_level)

    @property
    def owner_id(self) -> int | None:
        """The key of the user who may act for this seat, or could if no bot played there; or None.

        This is the seat's player. At a practice table it is the host, for everybody at the device; in an
        imported game None, because its players are only names.
        """
        if self.game.imported is not None:
            return None
        if self.game.is_practice and not self.is_bot_playing:
            return self.game.host_id
        return self.user_id

    @property
    def is_replaced(self) -> bool:
        """Return whether a bot plays in the place of a person, who may or may not come back."""
        return self.is_bot_playing and self.user_id is not None

    @property
    def can_be_reclaimed(self) -> bool:
        """Return whether a bot stands in for a person who may come back."""
        return self.replaced_at is not None and self.user_id is not None

    @property
    def can_be_taken_over(self) -> bool:
        """Return whether a bot stands in for a person for whom the seat is not reserved any more."""
        if self.replaced_at is None:
            return False
        return self.reserved_until is None or self.reserved_until <= timezone.now()

    @property
    def is_bot_account(self) -> bool:
        """Return whether the seat belongs to a bot account, even if a bot stands in for it."""
        return self.user is not None and self.user.is_bot_account

    @property
    def name(self) -> str:
        """The name of the player in this seat."""
        return self.user.get_short_name() if self.user else self.nickname
