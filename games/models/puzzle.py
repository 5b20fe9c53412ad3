"""Puzzles and their answers."""

from types import ModuleType
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.engine.rules.rule_systems import SYSTEMS
from games.models.game import Game

# The strength of a puzzle that nobody has answered; that of a new member in `games.ratings.skill_model`.
NEW_MU = 25.0
NEW_SIGMA = 25.0 / 3


class PuzzleSource(models.Model):
    """A finished game whose decisions are searched for puzzles, once.

    It is a public `game`, or one that bots have played for this purpose, of which only `record` is stored:
    the name of its preset, the number of `seats`, the `seed` in hexadecimal and all `moves`. `tried`
    decisions have been searched so far; `done` when the search is over.
    """

    game = models.OneToOneField(
        Game, on_delete=models.CASCADE, null=True, blank=True, related_name="puzzle_source"
    )
    record = models.JSONField(null=True, blank=True)
    system = models.CharField(max_length=20)
    tried = models.PositiveIntegerField(default=0)
    done = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(game__isnull=True, record__isnull=False)
                | Q(game__isnull=False, record__isnull=True),
                name="puzzle_source_is_one_game",
            )
        ]
        indexes = [models.Index(fields=["id"], condition=Q(done=None), name="puzzle_source_open")]

    def __str__(self) -> str:
        return f"source of puzzles {self.pk}"

    @property
    def rule_system(self) -> ModuleType:
        return SYSTEMS[self.system]

    @property
    def rules(self) -> Any:
        """The options of its game as an object of the rule system."""
        if self.game is not None:
            return self.game.rules
        return self.rule_system.PRESETS[(self.record or {})["preset"]]


class Puzzle(models.Model):
    """A decision with one clearly best answer.

    `number` is the place of its answer in the log of the source's game, `kind` the kind of the decision.
    `estimates` are the judge's, the best one first: notation, chance to win, lead, tries (see `Estimate`).
    `day` is the day on which it is shown, null once it is withdrawn. `theme` is that of the rule system, ""
    before it is known. `mu` and `sigma` are its difficulty as a strength (see `Rating`), after the answers of
    `solvers` members.
    """

    source = models.OneToOneField(PuzzleSource, on_delete=models.CASCADE, related_name="puzzle")
    number = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    seats = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=20)
    best = models.CharField(max_length=200)
    estimates = models.JSONField()
    found = models.DateTimeField(default=timezone.now)
    day = models.DateField(null=True, blank=True, unique=True)
    theme = models.CharField(max_length=20, blank=True, default="", db_default="")
    mu = models.FloatField(default=NEW_MU, db_default=NEW_MU)
    sigma = models.FloatField(default=NEW_SIGMA, db_default=NEW_SIGMA)
    solvers = models.PositiveIntegerField(default=0, db_default=0)

    def __str__(self) -> str:
        # Without the answer: this may appear in the server's log.
        return f"puzzle of {self.day}" if self.day else f"puzzle {self.pk}"


class PuzzleAnswer(models.Model):
    """The first answer of a member to a puzzle; later ones are not stored.

    `day` is the day for which it counts, null for an answer to the puzzle of another day. `streak` is the
    number of days in a row with right answers, this one included; 0 for a wrong answer and for one that does
    not count.
    """

    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="answers")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzle_answers"
    )
    move = models.CharField(max_length=200)
    right = models.BooleanField()
    day = models.DateField(null=True, blank=True)
    streak = models.PositiveIntegerField(default=0)
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["puzzle", "user"], name="one_answer_to_a_puzzle"),
            models.UniqueConstraint(fields=["user", "day"], name="one_counted_answer_a_day"),
        ]

    def __str__(self) -> str:
        return f"answer of {self.user_id} to puzzle {self.puzzle_id}"
