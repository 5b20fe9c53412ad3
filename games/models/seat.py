"""A place at a table."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from .game import Game


class Seat(models.Model):
    """A seat of a game, taken by a person or by a computer of some level, never by both.

    Before the start numbers follow the order of joining; a computer keeps the number that the host
    chose for it. The deal numbers the seats anew.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="seats"
    )
    computer = models.CharField(max_length=20, blank=True, help_text="The level of a computer opponent.")
    nickname = models.CharField(max_length=20, blank=True, help_text="What a computer opponent is called.")
    # As in the game, so that a user's games are found without a look at all of them.
    ended = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="one_seat_a_number"),
            models.UniqueConstraint(fields=["game", "user"], name="one_seat_a_user"),
            models.CheckConstraint(
                condition=Q(user__isnull=False, computer="") | (Q(user__isnull=True) & ~Q(computer="")),
                name="person_or_computer",
            ),
        ]
        indexes = [
            models.Index(fields=["user"], condition=Q(ended__isnull=True), name="seat_not_over"),
            models.Index(
                fields=["user", "-ended", "-game"], condition=Q(ended__isnull=False), name="seat_over"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.number}"

    @property
    def name(self) -> str:
        """What the player in this seat is called."""
        return self.user.get_short_name() if self.user else self.nickname
