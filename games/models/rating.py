"""How well members play, as far as the games tell."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models.game import Game

# The number of players in the pool of all games.
OVERALL = 0


class RatingLedger(models.Model):
    """One rule system's ratings: whoever changes them has its row locked.

    The ratings tell of all rated games before the place `stale` and `stale_game`, in the order of the ends
    of games; of all games there are when it is missing.
    """

    system = models.CharField(max_length=20, primary_key=True)
    recount_from = models.DateTimeField(null=True, blank=True)
    stale_game = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return self.system


class RatingPool(models.Model):
    """The columns that say which games a rating is made from.

    They are those of one rule system with so many players, or any number of them (OVERALL); and those that
    ended in one `month` ("2026-11", by UTC), or ever ("").
    """

    system = models.CharField(max_length=20)
    players = models.PositiveSmallIntegerField(default=OVERALL)
    month = models.CharField(max_length=7, blank=True, default="")

    class Meta:
        abstract = True


class Rating(RatingPool):
    """What is believed of how well a member plays, and how sure that is; made from so many games.

    `standing` is what leaderboards are ordered by; those with too little known are not `ranked`.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ratings", db_index=False
    )
    mu = models.FloatField()
    sigma = models.FloatField()
    games = models.PositiveIntegerField()
    wins = models.PositiveIntegerField(help_text="How often the member was first, alone or with others.")
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
    """What one game has made of the rating of one member in one pool: the history of that rating.

    `before` is what `mu` was; the numbers of games and wins have this one in them.
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
