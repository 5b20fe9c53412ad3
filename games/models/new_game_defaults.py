"""A user's last choices for a new game."""

from django.conf import settings
from django.db import models


class NewGameDefaults(models.Model):
    """The fields of the new game form as a user last sent it, to fill it in the next time."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="last_choices"
    )
    new_game = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"{self.user_id}"
