"""What a user chose last."""

from django.conf import settings
from django.db import models


class NewGameDefaults(models.Model):
    """The fields of the form for a new game as a user last sent it, to fill it in the next time."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="last_choices"
    )
    new_game = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"{self.user_id}"
