"""Vacations."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Vacation(models.Model):
    """Days on which the clocks of one user stand still in all games.

    `first` and `last` are days in the user's time zone and count towards the allowance; `starts` and `ends`
    are the instants between which the clocks stand still. Coming back early sets `ends`.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    first = models.DateField()
    last = models.DateField()
    starts = models.DateTimeField()
    ends = models.DateTimeField()

    class Meta:
        ordering = ["starts"]
        constraints = [
            models.CheckConstraint(
                condition=Q(last__gte=F("first"), ends__gte=F("starts")), name="vacation_goes_forward"
            )
        ]
        indexes = [models.Index(fields=["user", "ends"], name="vacation_of_user")]

    def __str__(self) -> str:
        return f"{self.user_id} from {self.first} to {self.last}"
