"""Votes of players."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.game import Game


class Vote(models.Model):
    """The vote of one seat on a proposed ruling.

    `what` is the ruling in the notation of the log. The first open vote on it is the proposer's. All votes on
    it are closed together, when it is decided or withdrawn.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="votes")
    what = models.CharField(max_length=40)
    seat = models.PositiveSmallIntegerField()
    yes = models.BooleanField()
    version = models.PositiveIntegerField(help_text="The version of the game that the voter saw.")
    made = models.DateTimeField(default=timezone.now)
    closed = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("vote")
        verbose_name_plural = _("votes")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "what", "seat"], condition=Q(closed=None), name="one_open_vote_a_seat"
            )
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seat} on {self.what}: {'yes' if self.yes else 'no'}"
