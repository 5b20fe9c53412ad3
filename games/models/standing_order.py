"""What players want answered without being asked."""

from django.conf import settings
from django.db import models

from games.models.game import Game


class StandingOrder(models.Model):
    """A standing order of one player in one game: as secret as a hand, until it is withdrawn.

    `about` is what it is about in a word of the rule system, `terms` the whole order as plain values. An
    order `once` serves the first `occasion` that it may answer, which is written down then, and no other.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="orders")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    topic = models.CharField(max_length=20, blank=True)
    order_json = models.JSONField()
    once = models.BooleanField()
    occasion = models.CharField(max_length=20, blank=True)
    given = models.DateTimeField()

    class Meta:
        ordering = ["topic"]
        constraints = [
            models.UniqueConstraint(fields=["game", "user", "topic"], name="one_order_about_each"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.user_id}"

    def is_available(self, occasion: str) -> bool:
        """Whether it is still there for this occasion."""
        return not self.once or self.occasion in ("", occasion)
