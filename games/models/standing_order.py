"""Standing orders."""

from django.conf import settings
from django.db import models

from games.models.game import Game


class StandingOrder(models.Model):
    """A standing order of one player in one game, as secret as a hand until it is withdrawn.

    `topic` is its subject as named by the rule system, `order_json` the whole order as plain values. An order
    `once` serves only the first `occasion` to which it applies, which is then stored.
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
        """Return whether the order still applies on this occasion."""
        return not self.once or self.occasion in ("", occasion)
