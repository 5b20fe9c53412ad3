"""Assessed decisions by who made them, money by source, and mistakes to retry.

All rows belong to a game review that is done, and are deleted with it when the game is reopened.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models.choice_field import ChoiceField
from games.models.game_review import GameReview


class RatedDecision(models.Model):
    """An assessed decision of a member (`user`) or of a bot of this `level`.

    `theme` and `tier` are those of the rule system, `third` is the third of the game in which it was made, 1
    to 3, and `lost` the share of the win that it gave away, from 0 to 1.
    """

    review = models.ForeignKey(GameReview, on_delete=models.CASCADE, related_name="decisions", db_index=False)
    number = models.PositiveIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    level = models.CharField(max_length=20, blank=True)
    system = models.CharField(max_length=20)
    theme = models.CharField(max_length=20)
    third = models.PositiveSmallIntegerField()
    tier = models.PositiveSmallIntegerField()
    lost = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["review", "number"], name="one_rated_decision_an_entry"),
            models.CheckConstraint(
                condition=Q(user__isnull=False, level="") | Q(user__isnull=True) & ~Q(level=""),
                name="decided_by_member_or_level",
            ),
        ]
        # Sums are read from the indexes alone.
        indexes = [
            models.Index(
                fields=["user", "system", "theme", "third", "tier", "lost"],
                condition=Q(user__isnull=False),
                name="decision_of_member",
            ),
            models.Index(fields=["system", "level", "-id"], condition=~Q(level=""), name="decision_of_level"),
        ]

    def __str__(self) -> str:
        return f"entry {self.number} of review {self.review_id}"


class GameMoney(models.Model):
    """The dollars that one source gave to a member, or to a bot of a level, in one finished game."""

    review = models.ForeignKey(GameReview, on_delete=models.CASCADE, related_name="money")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    level = models.CharField(max_length=20, blank=True)
    system = models.CharField(max_length=20)
    source = models.CharField(max_length=20)
    dollars = models.IntegerField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(user__isnull=False, level="") | Q(user__isnull=True) & ~Q(level=""),
                name="money_of_member_or_level",
            ),
        ]
        indexes = [
            models.Index(
                fields=["user", "system", "source", "dollars"],
                condition=Q(user__isnull=False),
                name="money_of_member",
            ),
            models.Index(fields=["system", "level", "-id"], condition=~Q(level=""), name="money_of_level"),
        ]

    def __str__(self) -> str:
        return f"{self.source} in review {self.review_id}"


class Mistake(models.Model):
    """A costly decision of a member, who can retry it at growing intervals.

    `estimates` are those of the adviser, the best move first (see `Puzzle`), null before it has searched;
    `tried` counts workers that began to. `stability` and `difficulty` are the memory of the scheduler, null
    before the first answer, as are `answered` and `due`. `move` is the latest answer.
    """

    decision = models.OneToOneField(RatedDecision, on_delete=models.CASCADE, related_name="mistake")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mistakes", db_index=False
    )
    seat = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=20)
    best = models.CharField(max_length=200)
    estimates = models.JSONField(null=True)
    tried = models.PositiveSmallIntegerField(default=0)
    made = models.DateTimeField(default=timezone.now)
    stability = models.FloatField(null=True)
    difficulty = models.FloatField(null=True)
    answered = models.DateTimeField(null=True)
    due = models.DateTimeField(null=True)
    move = models.CharField(max_length=200, blank=True)
    right = models.BooleanField(default=False)
    answers = models.PositiveIntegerField(default=0)
    right_answers = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [
            models.Index(fields=["user", "due", "-id"], name="mistake_due"),
            models.Index(
                fields=["tried", "id"], condition=Q(estimates__isnull=True), name="mistake_to_search"
            ),
        ]

    def __str__(self) -> str:
        # Without the answer: this may appear in the server's log.
        return f"mistake {self.pk}"


class PublicInsights(models.Model):
    """A member whose insights everybody may read; without a row they are private."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="public_insights"
    )
    since = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"public insights of {self.user_id}"


class InsightSum(models.Model):
    """The sums of rated decisions, or of money, of one member or level: what insights read.

    `name` is the theme or the source. `total` adds up the shares lost, or the dollars, and `squares` their
    squares. Money has no third and no tier.
    """

    class Measure(models.TextChoices):
        LOSS = "loss", _("winning chance lost")
        MONEY = "money", _("dollars")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    level = models.CharField(max_length=20, blank=True)
    system = models.CharField(max_length=20)
    measure = ChoiceField(max_length=5, choices=Measure)
    name = models.CharField(max_length=20)
    third = models.PositiveSmallIntegerField(default=0)
    tier = models.PositiveSmallIntegerField(default=0)
    count = models.PositiveIntegerField()
    total = models.FloatField()
    squares = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "system", "measure", "name", "third", "tier"],
                condition=Q(user__isnull=False),
                name="one_sum_a_member_and_cell",
            ),
            models.UniqueConstraint(
                fields=["level", "system", "measure", "name", "third", "tier"],
                condition=Q(user__isnull=True),
                name="one_sum_a_level_and_cell",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.measure} by {self.name} of {self.user_id or self.level}"
