"""Game reviews and assessments of moves."""

from typing import Final

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.game import Game

# Number of the form of the assessments. Edition 1 lacks the chances of all seats and the other moves.
EDITION: Final = 2


class GameReview(models.Model):
    """Progress of a game review: `rated` entries of the log have been assessed.

    `tried` counts how often a worker began after that entry and did not finish: an entry that keeps killing
    workers is skipped in the end. A review of an earlier `edition` tells less than today's.
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="story")
    rated = models.PositiveIntegerField(default=0)
    tried = models.PositiveSmallIntegerField(default=0)
    touched = models.DateTimeField(
        default=timezone.now, help_text="When it was requested, or when a worker last worked on it."
    )
    done = models.DateTimeField(null=True, blank=True, help_text="When all decisions had been reviewed.")
    # Processes of the release before do not know the column, and what they write is of the first edition.
    edition = models.PositiveSmallIntegerField(default=EDITION, db_default=1)
    counted = models.DateTimeField(
        null=True, blank=True, help_text="When its decisions had been counted for insights."
    )

    class Meta:
        verbose_name = _("game review")
        verbose_name_plural = _("game reviews")
        indexes = [
            models.Index(fields=["touched"], condition=Q(done__isnull=True), name="story_to_tell"),
            models.Index(
                fields=["done"], condition=Q(done__isnull=False, counted__isnull=True), name="review_to_count"
            ),
        ]

    def __str__(self) -> str:
        return f"the story of game {self.game_id}"


class MoveAssessment(models.Model):
    """A bot's assessment of one decision of a finished game: log entry `number`.

    `chance` is the share of the win, from 0 to 1, that the seat could expect with the move played, and `lead`
    its expected lead over the best other one; `best_chance` and `best_lead` are the same for `best`, the best
    move found, in the rules' notation. They are equal if no better move was found.

    `chances` is the share of the win that each seat could expect with the move played. `others` are the other
    moves that the bot considered, the best first, each as its notation, chance and lead; they are kept only
    for decisions that lost much, and for good ones that were not easily made. Both are empty in reviews of
    the first edition.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="assessments", db_index=False)
    number = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    best = models.CharField(max_length=200)
    chance = models.FloatField()
    best_chance = models.FloatField()
    lead = models.FloatField()
    best_lead = models.FloatField()
    chances = models.JSONField(default=list, db_default=[])
    others = models.JSONField(default=list, db_default=[])

    class Meta:
        verbose_name = _("reviewed decision")
        verbose_name_plural = _("reviewed decisions")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="one_assessment_a_decision"),
            models.CheckConstraint(
                condition=Q(best_chance__gte=0, best_chance__lte=1, chance__gte=0, chance__lte=1),
                name="assessment_chances_are_shares",
            ),
            models.CheckConstraint(
                condition=Q(best_chance__gte=F("chance"), best_lead__gte=F("lead")),
                name="assessment_best_is_best",
            ),
        ]

    def __str__(self) -> str:
        return f"entry {self.number} of game {self.game_id}"

    @property
    def lost_chance(self) -> float:
        """The share of the win that was given away, from 0 to 1."""
        return self.best_chance - self.chance

    @property
    def lost_lead(self) -> float:
        """The points of lead that were given away."""
        return self.best_lead - self.lead
