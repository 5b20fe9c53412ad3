"""A game as the record keeps it."""

import secrets
from types import ModuleType
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from games.rules import SYSTEMS

# Letters that are not mistaken for each other when an address is read out.
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_LENGTH = 10
_CODE_LENGTH = 16

NAME_LENGTH = 40

# How many may sit at a table of any rule system; each system says which of these it takes.
SEATS = range(2, 7)

SHORTEST_PACE = 60


def new_public_id() -> str:
    """A random name for a game's address; it tells nothing about the game."""
    return _letters(_ID_LENGTH)


def new_code() -> str:
    """A secret for a link: whoever has it was invited."""
    return _letters(_CODE_LENGTH)


def _letters(length: int) -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(length))


class GameManager(models.Manager["Game"]):
    """Games without their secrets: lists and pages never load the state or the seed."""

    def get_queryset(self) -> models.QuerySet["Game"]:
        return super().get_queryset().defer("state", "seed")


class Game(models.Model):
    """One game of a rule system: open while it waits for players, then dealt and running, at last over.

    `state` and `seed` are secret. They are read by the record layer alone, which gives out
    observations. The columns below them repeat what lists need, so that no list runs the engine.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("waiting for players")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        CLOSED = "closed", _("never started")

    class Visibility(models.TextChoices):
        PUBLIC = "public", _("public")
        UNLISTED = "unlisted", _("unlisted")
        INVITED = "invited", _("by invitation")

    class Start(models.TextChoices):
        HOST = "host", _("by the host")
        FULL = "full", _("when all seats are taken")

    public_id = models.CharField(max_length=_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    system = models.CharField(max_length=20)
    preset = models.CharField(max_length=30)
    options = models.JSONField(default=dict)
    host = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="hosted_games")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)

    # What the host chose for the time before the start, and for the pace after it.
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.PUBLIC)
    invite_code = models.CharField(max_length=_CODE_LENGTH, unique=True, default=new_code, editable=False)
    start = models.CharField(max_length=10, choices=Start, default=Start.HOST)
    least = models.PositiveSmallIntegerField(
        default=2, help_text="So many must sit down before the host may start."
    )
    most = models.PositiveSmallIntegerField(default=6, help_text="So many seats there are.")
    fill = models.CharField(max_length=20, blank=True, help_text="The level of computers on free seats.")
    pace = models.PositiveIntegerField(null=True, blank=True, help_text="Seconds for each decision.")
    rated = models.BooleanField(default=False)
    again_of = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="again", editable=False
    )

    # Missing until the deal.
    seed = models.BinaryField(max_length=32, null=True)
    commitment = models.CharField(max_length=64, blank=True)
    state = models.JSONField(null=True)

    taken = models.PositiveSmallIntegerField(default=1, help_text="How many seats are taken.")
    version = models.PositiveIntegerField(default=0)
    decider = models.PositiveSmallIntegerField(null=True, blank=True)
    decision = models.CharField(max_length=20, blank=True)
    # The person in the decider's seat; nobody when a computer decides.
    asked = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    deadline = models.DateTimeField(null=True, blank=True, help_text="When the time of `asked` is over.")
    due = models.DateTimeField(null=True, blank=True, help_text="When a computer should have moved.")
    opened = models.DateTimeField(default=timezone.now)
    warned = models.DateTimeField(null=True, blank=True, help_text="When the host was told of the closing.")
    started = models.DateTimeField(null=True, blank=True)
    moved = models.DateTimeField(default=timezone.now, help_text="When anything last happened.")
    finished = models.DateTimeField(null=True, blank=True)

    objects = GameManager()
    with_secrets = models.Manager["Game"]()

    class Meta:
        base_manager_name = "objects"
        default_manager_name = "objects"
        constraints = [
            models.CheckConstraint(
                condition=Q(least__gte=SEATS[0], least__lte=models.F("most"), most__lte=SEATS[-1]),
                name="game_seats_in_range",
            ),
            models.CheckConstraint(
                condition=Q(taken__lte=models.F("most")), name="game_no_more_taken_than_seats"
            ),
            models.CheckConstraint(
                condition=Q(
                    status__in=["open", "closed"],
                    state__isnull=True,
                    seed__isnull=True,
                    commitment="",
                    started__isnull=True,
                    decider__isnull=True,
                    asked__isnull=True,
                )
                | Q(
                    status__in=["running", "finished"],
                    state__isnull=False,
                    seed__isnull=False,
                    started__isnull=False,
                ),
                name="game_dealt_at_the_start",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["open", "running"], finished__isnull=True)
                | Q(status__in=["finished", "closed"], finished__isnull=False),
                name="game_over_when_finished",
            ),
            models.CheckConstraint(
                condition=Q(deadline__isnull=True) | Q(asked__isnull=False, pace__isnull=False),
                name="game_deadline_for_a_person",
            ),
            models.CheckConstraint(
                condition=Q(pace__isnull=True) | Q(pace__gte=SHORTEST_PACE), name="game_pace_is_long_enough"
            ),
        ]
        indexes = [
            models.Index(fields=["due"], condition=Q(due__isnull=False), name="game_due"),
            models.Index(fields=["deadline"], condition=Q(deadline__isnull=False), name="game_deadline"),
            models.Index(
                fields=["asked", "deadline", "moved"], condition=Q(asked__isnull=False), name="game_asked"
            ),
            models.Index(fields=["-opened", "-id"], condition=Q(status="open"), name="game_open"),
            models.Index(
                fields=["-moved", "-id"],
                condition=Q(status="running", visibility="public"),
                name="game_to_watch",
            ),
            models.Index(
                fields=["-finished", "-id"],
                condition=Q(status="finished", visibility="public"),
                name="game_to_look_back_at",
            ),
        ]

    def __str__(self) -> str:
        return self.public_id

    def get_absolute_url(self) -> str:
        return reverse("game", args=[self.public_id])

    @property
    def rule_system(self) -> ModuleType:
        """The package of rules that this game is played by."""
        return SYSTEMS[self.system]

    @cached_property
    def rules(self) -> Any:
        """The options of this game as its rule system holds them."""
        return self.rule_system.from_options(self.options)

    @property
    def is_open(self) -> bool:
        """Whether it waits for players."""
        return self.status == self.Status.OPEN

    @property
    def is_running(self) -> bool:
        return self.status == self.Status.RUNNING

    @property
    def is_finished(self) -> bool:
        """Whether it was played to its end."""
        return self.status == self.Status.FINISHED

    @property
    def is_dealt(self) -> bool:
        """Whether there is a table to look at."""
        return self.is_running or self.is_finished

    @property
    def free(self) -> int:
        """How many seats nobody has taken."""
        return self.most - self.taken
