"""Blocks between members."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone


class Block(models.Model):
    """A user's block of a person. Only the user knows; it keeps the two apart both ways."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocks")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "person"], name="one_block_a_person"),
            models.CheckConstraint(condition=~Q(user=F("person")), name="nobody_blocks_themselves"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.person_id}"
