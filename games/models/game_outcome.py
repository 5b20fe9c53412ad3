"""What remains of a game that is over, in columns: no list and no sum has to look at its position."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models.game import Game


class GameOutcome(models.Model):
    """A game that is over, practice tables left out, and what it counts for.

    `due` says since when it waits to be read, or read again because a moderator has changed what it counts
    for. `places` are the players whom it is rated for, as pairs of the key of a member or the level of a
    computer and a rank, in the order of the seats; missing where the game is not rated. `told` is what it
    has added to the sums of everybody's games, so that it can be taken out again; missing where nothing.
    """

    game = models.OneToOneField(Game, primary_key=True, on_delete=models.CASCADE, related_name="outcome")
    system = models.CharField(max_length=20)
    players = models.PositiveSmallIntegerField()
    finished = models.DateTimeField()
    due = models.DateTimeField(null=True, blank=True)
    places = models.JSONField(null=True)
    counted_totals = models.JSONField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["due"], condition=Q(due__isnull=False), name="outcome_due"),
            models.Index(
                fields=["system", "finished", "game"],
                condition=Q(places__isnull=False),
                name="outcome_rated",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.places}"


class Result(models.Model):
    """How a game that was not deleted ended for the person who sat in one of its seats at the end."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="results")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="results", db_index=False
    )
    rank = models.PositiveSmallIntegerField()
    points = models.IntegerField()
    public = models.BooleanField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "game"], name="one_result_a_game")]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.game_id}: {self.rank}"


class Record(models.Model):
    """What was worth a record in a public game that the rules ended.

    Of all feats of one kind for a preset and a number of players the one with the most `merit` is the
    record; of equals the first. `user` is whose it was, nobody for what belongs to the table.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="feats")
    system = models.CharField(max_length=20)
    preset = models.CharField(max_length=30)
    players = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=20)
    score = models.IntegerField(help_text="What counts; negative where less is better.")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    finished = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "kind"], name="one_feat_of_a_kind")]
        indexes = [
            models.Index(
                F("system"),
                F("preset"),
                F("players"),
                F("kind"),
                F("score").desc(),
                F("finished"),
                F("game"),
                name="feat_best",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {abs(self.score)} in {self.game_id}"


class OpeningTally(models.Model):
    """How often something opened a public game that the rules ended, and how often its seat won.

    `kind` is "seat", where `key` is the number of the seat, "first", where it is what the rule system tells
    openings by, or "level", where it is that of a computer. Of a shared win everybody has a part: `wins`
    are in sixtieths, which any number of players can share.
    """

    system = models.CharField(max_length=20)
    preset = models.CharField(max_length=30)
    players = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10)
    key = models.CharField(max_length=30)
    games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "tallies"
        constraints = [
            models.UniqueConstraint(
                fields=["system", "preset", "players", "kind", "key"], name="one_tally_a_key"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}: {self.wins / 60:g} of {self.games}"
