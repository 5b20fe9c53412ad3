"""Ratings of members."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from accounts.models.choice_field import ChoiceField
from games.models.game import Game

# Stands for any number of players.
OVERALL = 0

# Stands for team games of any number of players, which count for no other ratings. No game has one player.
TEAM_GAMES = 1


class RatingLedger(models.Model):
    """Ledger of one rule system's ratings; its row is locked to change them.

    The ratings include all rated games before `recount_from` and `stale_game`, in the order in which games
    ended, or all games if `recount_from` is null. `method` names the way in which they were all computed, ""
    before it had a name.
    """

    system = models.CharField(max_length=20, primary_key=True)
    recount_from = models.DateTimeField(null=True, blank=True)
    stale_game = models.BigIntegerField(default=0)
    method = models.CharField(max_length=60, blank=True, default="", db_default="")

    def __str__(self) -> str:
        return self.system


class RatingPool(models.Model):
    """The columns that say which games a rating counts.

    They are those of one rule system with this number of players, or any number (OVERALL), that ended in one
    `month` ("2026-11", by UTC), or ever (""). Team games are apart (TEAM_GAMES).
    """

    system = models.CharField(max_length=20)
    players = models.PositiveSmallIntegerField(default=OVERALL)
    month = models.CharField(max_length=7, blank=True, default="")

    class Meta:
        abstract = True


class Rating(RatingPool):
    """A member's estimated strength, its uncertainty and the number of games behind it.

    `standing` orders leaderboards; members with too few games are not `ranked`.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ratings", db_index=False
    )
    mu = models.FloatField()
    sigma = models.FloatField()
    games = models.PositiveIntegerField()
    wins = models.PositiveIntegerField(help_text="How often the member won, alone or in a tie.")
    standing = models.FloatField()
    ranked = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "system", "month", "players"], name="one_rating_a_pool")
        ]
        indexes = [
            models.Index(
                F("system"),
                F("month"),
                F("players"),
                F("standing").desc(),
                F("user"),
                condition=Q(ranked=True),
                name="rating_ranked",
            )
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.mu:.2f} ± {self.sigma:.2f}"


class RatingChange(RatingPool):
    """The change of one member's rating in one pool by one game, which makes up the rating's history.

    `mu_before` is the previous `mu`; the numbers of games and wins include this game.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="rating_changes")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    finished = models.DateTimeField()
    rank = models.PositiveSmallIntegerField()
    mu_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()
    games = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "user", "players", "month"], name="one_change_a_game_and_pool"
            )
        ]
        indexes = [
            models.Index(
                fields=["user", "system", "month", "players", "-finished", "-game"], name="change_of_rating"
            ),
            models.Index(fields=["system", "finished", "game"], name="change_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.game_id}: {self.mu_before:.2f} to {self.mu:.2f}"


class RatingCorrection(models.Model):
    """A change of one member's rating because games were counted again, not because a game ended.

    `players` is that of the pool. `game` is the one that made it necessary, null if all games were counted
    again. The ratings before and after are `mu_before` and `mu`; `mu` is null if no rating is left. `at` is
    null while games are still being counted.
    """

    class Reason(models.TextChoices):
        LATE = "late", _("a game was counted late")
        UNCOUNTED = "uncounted", _("a game no longer counts")
        CHANGED = "changed", _("a game counts with another result")
        METHOD = "method", _("the rating method has changed")
        RECOUNT = "recount", _("all games were counted again")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    system = models.CharField(max_length=20)
    players = models.PositiveSmallIntegerField(default=OVERALL)
    reason = ChoiceField(max_length=10, choices=Reason)
    game = models.ForeignKey(Game, null=True, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(null=True)
    mu_before = models.FloatField()
    mu = models.FloatField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "system", "players"],
                condition=Q(at__isnull=True),
                name="one_correction_at_a_time",
            )
        ]
        indexes = [
            models.Index(fields=["user", "system", "players", "-at"], name="correction_of_rating"),
            models.Index(fields=["system"], condition=Q(at__isnull=True), name="correction_begun"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.mu_before:.2f} to {self.mu}, {self.reason}"
