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

from accounts.models.choice_field import ChoiceField
from games.engine.rules.rule_systems import SYSTEMS
from games.models.playable_systems import withheld_systems

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


class AllGamesManager(models.Manager["Game"]):
    """Games without their secrets: lists and pages never load the state or the seed.

    Those of systems that may not be played here, and deleted ones, are among them, so this is for what keeps
    games, not for what shows them or plays on.
    """

    def get_queryset(self) -> models.QuerySet["Game"]:
        return super().get_queryset().defer("state", "seed")


class GameManager(AllGamesManager):
    """Games of the systems that may be played here and were not deleted, without their secrets."""

    def get_queryset(self) -> models.QuerySet["Game"]:
        return _here(super().get_queryset())

    def shown_to(self, user: Any) -> models.QuerySet["Game"]:
        """Those whose pages the user may ask for.

        A practice table and an imported game, which is one too, are there for their host alone.
        """
        return self.get_queryset().filter(Q(is_practice=False) | Q(host=user.pk, host__isnull=False))


class ModeratedGameManager(AllGamesManager):
    """Those games and the deleted ones, without their secrets: what moderators look after."""

    def get_queryset(self) -> models.QuerySet["Game"]:
        return _playable(super().get_queryset())


class SecretGameManager(models.Manager["Game"]):
    """The same games, with their secrets."""

    def get_queryset(self) -> models.QuerySet["Game"]:
        return _here(super().get_queryset())


def _here(games: models.QuerySet["Game"]) -> models.QuerySet["Game"]:
    return _playable(games).filter(deleted=None)


def _playable(games: models.QuerySet["Game"]) -> models.QuerySet["Game"]:
    out = withheld_systems()
    return games.exclude(system__in=out) if out else games


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

    class ClockPauses(models.TextChoices):
        """When clocks stand still, by the time of day where whoever is asked lives."""

        NONE = "", _("never")
        NIGHTS = "nights", _("at night")
        WEEKENDS = "weekends", _("on weekends")
        BOTH = "both", _("at night and on weekends")

    class OnTimeout(models.TextChoices):
        """What happens to a seat whose time is over, once its grace is used up."""

        DECIDE = "decide", _("a computer decides this once")
        TAKE = "take", _("a computer takes the seat")
        VOTE = "vote", _("the others vote")

    class Ending(models.TextChoices):
        """What ended a game that is over."""

        RULES = "", _("the rules")
        STANDINGS = "standings", _("the players, with the standings of that moment")
        NONE = "none", _("the players, without a result")
        CONCEDED = "conceded", _("concessions")

    public_id = models.CharField(max_length=_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    system = models.CharField(max_length=20)
    preset = models.CharField(max_length=30)
    options = models.JSONField(default=dict)
    host = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="hosted_games")
    status = ChoiceField(max_length=10, choices=Status, default=Status.OPEN)

    # What the host chose for the time before the start, and for the pace after it.
    visibility = ChoiceField(max_length=10, choices=Visibility, default=Visibility.PUBLIC)
    invite_code = models.CharField(max_length=_CODE_LENGTH, unique=True, default=new_code, editable=False)
    start = ChoiceField(max_length=10, choices=Start, default=Start.HOST)
    min_players = models.PositiveSmallIntegerField(
        default=2, help_text="So many must sit down before the host may start."
    )
    max_players = models.PositiveSmallIntegerField(default=6, help_text="So many seats there are.")
    fill_level = models.CharField(
        max_length=20, blank=True, help_text="The level of computers on free seats."
    )
    seconds_per_move = models.PositiveIntegerField(
        null=True, blank=True, help_text="Seconds for each decision; with a bank, what each brings into it."
    )
    time_bank = models.PositiveIntegerField(
        null=True, blank=True, help_text="Seconds that each seat begins with, if it has a store of time."
    )
    time_bank_cap = models.PositiveIntegerField(
        null=True, blank=True, help_text="No bank ever holds more seconds."
    )
    clock_pauses = ChoiceField(max_length=10, choices=ClockPauses, blank=True, default=ClockPauses.NONE)
    on_timeout = ChoiceField(max_length=10, choices=OnTimeout, default=OnTimeout.DECIDE)
    min_on_time_percent = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="So many per cent of a player's decisions came in time at least."
    )
    rated = models.BooleanField(default=False)
    bots_allowed = models.BooleanField(default=False, help_text="Programs of members may sit down unasked.")
    is_practice = models.BooleanField(
        default=False, editable=False, help_text="All its people play on one device, that of the host."
    )
    imported = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When it came from a file, for its host to study."
    )
    skip_forced_moves = models.BooleanField(
        default=True, help_text="Nobody is asked where there is nothing to decide."
    )
    takebacks_allowed = models.BooleanField(
        default=True, help_text="Steps of one's own turn may be taken back."
    )
    rematch_of = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="again", editable=False
    )

    # Missing until the deal.
    seed = models.BinaryField(max_length=32, null=True)
    seed_hash = models.CharField(max_length=64, blank=True)
    state = models.JSONField(null=True)

    seats_taken = models.PositiveSmallIntegerField(default=1, help_text="How many seats are taken.")
    version = models.PositiveIntegerField(default=0)
    seat_to_move = models.PositiveSmallIntegerField(null=True, blank=True)
    decision_kind = models.CharField(max_length=20, blank=True)
    # The person in the decider's seat; nobody when a computer decides.
    waiting_for = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    deadline = models.DateTimeField(null=True, blank=True, help_text="When the time of `asked` is over.")
    time_left = models.DurationField(
        null=True, blank=True, help_text="What is left to `asked` while the clock is stopped."
    )
    clock_zone = models.CharField(
        max_length=64,
        blank=True,
        editable=False,
        help_text="The time zone by whose nights and weekends the clock of `asked` counts.",
    )
    bot_due_at = models.DateTimeField(null=True, blank=True, help_text="When a computer should have moved.")
    paused = models.DateTimeField(null=True, blank=True, help_text="Since when nothing may happen.")

    # What moderators have decided. A game that is held or deleted is paused as well, until it is over.
    held_at = models.DateTimeField(null=True, blank=True, help_text="Since when a moderator keeps it paused.")
    deleted = models.DateTimeField(
        null=True, blank=True, help_text="Since when it is gone for all but staff."
    )
    unlisted = models.DateTimeField(
        null=True, blank=True, help_text="Since when a moderator keeps a public game out of the lists."
    )
    chat_locked_at = models.DateTimeField(null=True, blank=True, help_text="Since when its talk is locked.")
    ended_by_moderator = models.BooleanField(
        default=False, editable=False, help_text="A moderator ended it, or closed it before it began."
    )

    opened = models.DateTimeField(default=timezone.now)
    close_warning_at = models.DateTimeField(
        null=True, blank=True, help_text="When the host was told of the closing."
    )
    started = models.DateTimeField(null=True, blank=True)
    last_change_at = models.DateTimeField(
        "moved", default=timezone.now, help_text="When anything last happened."
    )
    finished = models.DateTimeField(null=True, blank=True)
    ending = ChoiceField(max_length=10, choices=Ending, blank=True, default=Ending.RULES)

    objects = GameManager()
    with_secrets = SecretGameManager()
    moderated = ModeratedGameManager()
    all_games = AllGamesManager()

    class Meta:
        # What belongs to a game finds it also when it is deleted, or while its system may not be played here.
        base_manager_name = "all_games"
        default_manager_name = "objects"
        permissions = [("moderate_game", _("May moderate games"))]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    min_players__gte=SEATS[0],
                    min_players__lte=models.F("max_players"),
                    max_players__lte=SEATS[-1],
                ),
                name="game_seats_in_range",
            ),
            models.CheckConstraint(
                condition=Q(seats_taken__lte=models.F("max_players")), name="game_no_more_taken_than_seats"
            ),
            models.CheckConstraint(
                condition=Q(
                    status__in=["open", "closed"],
                    state__isnull=True,
                    seed__isnull=True,
                    seed_hash="",
                    started__isnull=True,
                    seat_to_move__isnull=True,
                    waiting_for__isnull=True,
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
                condition=Q(ending="") | Q(status="finished"), name="game_ending_when_over"
            ),
            models.CheckConstraint(
                condition=Q(deadline__isnull=True)
                | Q(waiting_for__isnull=False, seconds_per_move__isnull=False),
                name="game_deadline_for_a_person",
            ),
            models.CheckConstraint(
                condition=Q(time_left__isnull=True)
                | Q(deadline__isnull=True, waiting_for__isnull=False, seconds_per_move__isnull=False),
                name="game_remaining_while_stopped",
            ),
            models.CheckConstraint(
                condition=Q(seconds_per_move__isnull=True) | Q(seconds_per_move__gte=SHORTEST_PACE),
                name="game_pace_is_long_enough",
            ),
            models.CheckConstraint(
                condition=Q(time_bank__isnull=True, time_bank_cap__isnull=True)
                | Q(seconds_per_move__isnull=False, time_bank__isnull=False, time_bank_cap__isnull=True)
                | Q(
                    seconds_per_move__isnull=False,
                    time_bank__isnull=False,
                    time_bank_cap__gte=models.F("time_bank"),
                ),
                name="game_bank_fits",
            ),
            models.CheckConstraint(
                condition=Q(is_practice=False)
                | Q(
                    visibility="invited", rated=False, seconds_per_move__isnull=True, waiting_for__isnull=True
                ),
                name="game_practice_is_for_nobody_else",
            ),
            # So all that keeps practice tables private, unrated and uncounted keeps these so as well.
            models.CheckConstraint(
                condition=Q(imported__isnull=True) | Q(is_practice=True, status="finished"),
                name="game_imported_is_practice",
            ),
            models.CheckConstraint(
                condition=Q(paused__isnull=True) | Q(status__in=["open", "running"]),
                name="game_paused_until_it_is_over",
            ),
            models.CheckConstraint(
                condition=Q(held_at__isnull=True) | Q(paused__isnull=False), name="game_held_while_paused"
            ),
            models.CheckConstraint(
                condition=Q(unlisted__isnull=True) | Q(visibility="unlisted"),
                name="game_unlisted_is_unlisted",
            ),
        ]
        indexes = [
            models.Index(fields=["bot_due_at"], condition=Q(bot_due_at__isnull=False), name="game_due"),
            models.Index(fields=["deadline"], condition=Q(deadline__isnull=False), name="game_deadline"),
            # What must not be, and is found at once where it is.
            models.Index(
                fields=["last_change_at"],
                condition=Q(status="running", seat_to_move__isnull=True),
                name="game_asks_nobody",
            ),
            models.Index(
                fields=["last_change_at"],
                condition=Q(
                    status="running", waiting_for__isnull=True, bot_due_at__isnull=True, is_practice=False
                ),
                name="game_waits_for_nothing",
            ),
            models.Index(fields=["paused"], condition=Q(paused__isnull=False), name="game_paused"),
            models.Index(fields=["deleted"], condition=Q(deleted__isnull=False), name="game_deleted"),
            models.Index(
                fields=["waiting_for", "deadline", "last_change_at"],
                condition=Q(waiting_for__isnull=False),
                name="game_asked",
            ),
            models.Index(fields=["waiting_for"], condition=Q(time_left__isnull=False), name="game_stopped"),
            models.Index(fields=["id"], condition=Q(status="running"), name="game_running"),
            models.Index(
                fields=["host", "-finished", "-id"], condition=Q(is_practice=True), name="game_practice"
            ),
            models.Index(fields=["-opened", "-id"], condition=Q(status="open"), name="game_open"),
            models.Index(
                fields=["-last_change_at", "-id"],
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
    def is_by_preset(self) -> bool:
        """Whether no option of the rules differs from the preset."""
        usual = self.rule_system.PRESETS.get(self.preset)
        return usual is not None and self.options == self.rule_system.to_options(usual)

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
    def free_seats(self) -> int:
        """How many seats nobody has taken."""
        return self.max_players - self.seats_taken
