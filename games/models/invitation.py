"""Invitations, kicks and departures before the start of a game."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models.choice_field import ChoiceField
from games.models.game import Game, new_code

MAX_REASON_LENGTH = 200
MAX_ADDRESS_LENGTH = 254


class Invitation(models.Model):
    """An invitation of one person to one game: a member, or the reader of a mail address.

    `code` is the secret in the mailed link; anybody who has it may join.
    """

    class State(models.TextChoices):
        PENDING = "pending", _("not answered yet")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="invitations")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="invitations"
    )
    address = models.EmailField(max_length=MAX_ADDRESS_LENGTH, blank=True)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sent_invitations"
    )
    state = ChoiceField(max_length=10, choices=State, default=State.PENDING)
    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["game", "user"], name="one_invitation_a_user"),
            models.UniqueConstraint(
                "game", Lower("address"), condition=~Q(address=""), name="one_invitation_an_address"
            ),
            models.CheckConstraint(
                condition=Q(user__isnull=False, address="") | (Q(user__isnull=True) & ~Q(address="")),
                name="invitation_of_a_user_or_an_address",
            ),
        ]
        indexes = [
            models.Index(fields=["user"], condition=Q(state="pending"), name="invitation_pending"),
            models.Index(fields=["invited_by", "made"], name="invitation_by_whom_and_when"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.user_id or self.address}"


class Kick(models.Model):
    """A person whom the host sent away before the start, and why; only an invitation undoes it."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="kicks")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(max_length=MAX_REASON_LENGTH)
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "user"], name="one_kick_a_user"),
            models.CheckConstraint(condition=~Q(reason=""), name="kick_with_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.user_id}"


class DepartureCount(models.Model):
    """The number of times that a user has left a game before its start."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="departures")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    times = models.PositiveSmallIntegerField(default=1)
    missed_ready_check = models.BooleanField(
        default=False, db_default=False, help_text="The last time the user did not answer the ready check."
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="one_departure_a_user")]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.user_id} {self.times} times"
