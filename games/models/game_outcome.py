"""Outcomes of finished games in columns, so that lists and sums need not read positions."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models.game import Game


class GameOutcome(models.Model):
    """The outcome of a finished game that is not a practice table.

    `due` is since when it waits to be read, or read again because a moderator has changed whether it counts.
    `places` are the rated players as pairs of the key of a member or the level of a bot and a rank, by seat;
    null if the game is not rated. `losses` says why members rank below those who stayed, by their keys as
    text. `teams` are the seats of each team, empty if everybody played alone. `counted_totals` is what the
    game has added to the totals, so that it can be subtracted again; null if nothing.
    """

    game = models.OneToOneField(Game, primary_key=True, on_delete=models.CASCADE, related_name="outcome")
    system = models.CharField(max_length=20)
    players = models.PositiveSmallIntegerField()
    finished = models.DateTimeField()
    due = models.DateTimeField(null=True, blank=True)
    places = models.JSONField(null=True)
    losses = models.JSONField(default=dict, db_default={})
    teams = models.JSONField(default=list, db_default=[])
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
    """A person's result in a finished game that is not deleted, for the seat held at the end."""

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
    """A record candidate from a public game that ended by the rules.

    Of all candidates of one kind for a preset and a number of players the one with the highest `score` is the
    record, the first one in a tie. `user` is its owner, null for a record of the table.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="feats")
    system = models.CharField(max_length=20)
    preset = models.CharField(max_length=30)
    players = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=20)
    score = models.IntegerField(help_text="The value to compare. Negative if less is better.")
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
    """Numbers of public games with an opening, and of wins with it, among games that ended by the rules.

    `kind` is "seat", where `key` is the number of the seat, "first", where it is the rule system's name of
    the opening, or "level", where it is that of a bot. A shared win is divided among the winners: `wins` are
    in sixtieths, which any number of players can share.
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
