"""The game and its managers."""

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

# Letters and digits that are not confused when an address is read out.
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_LENGTH = 10
_CODE_LENGTH = 16

MAX_NAME_LENGTH = 40

# Numbers of players of any rule system; each system accepts some of them.
SEATS = range(2, 7)

# The most rounds by which spectators may be behind the players.
MAX_ROUNDS_LATE = 2

# Seconds per move: the least of any game, and the most of a live one.
MIN_PACE = 30
MAX_LIVE_PACE = 120


def new_public_id() -> str:
    """Return a random name for a game's address that reveals nothing about the game."""
    return _letters(_ID_LENGTH)


def new_code() -> str:
    """Return a secret for an invite link."""
    return _letters(_CODE_LENGTH)


def _letters(length: int) -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(length))


class AllGamesManager(models.Manager["Game"]):
    """Games without their secrets: lists and pages never load the state or the seed with them.

    Includes deleted games and those of systems that may not be played here, so use it to preserve games, not
    to show or play them.
    """

    def get_queryset(self) -> models.QuerySet["Game"]:
        return super().get_queryset().defer("state", "seed")


class GameManager(AllGamesManager):
    """Games that are not deleted and whose system may be played here, without their secrets."""

    def get_queryset(self) -> models.QuerySet["Game"]:
        return _here(super().get_queryset())

    def shown_to(self, user: Any) -> models.QuerySet["Game"]:
        """Games whose pages the user may see.

        Practice tables and imported games are visible to their host alone.
        """
        return self.get_queryset().filter(Q(is_practice=False) | Q(host=user.pk, host__isnull=False))


class ModeratedGameManager(AllGamesManager):
    """The same games and deleted ones, without their secrets, for moderators."""

    def get_queryset(self) -> models.QuerySet["Game"]:
        return _playable(super().get_queryset())


class SecretGameManager(models.Manager["Game"]):
    """The same games as GameManager, with their secrets."""

    def get_queryset(self) -> models.QuerySet["Game"]:
        return _here(super().get_queryset())


def _here(games: models.QuerySet["Game"]) -> models.QuerySet["Game"]:
    return _playable(games).filter(deleted=None)


def _playable(games: models.QuerySet["Game"]) -> models.QuerySet["Game"]:
    out = withheld_systems()
    return games.exclude(system__in=out) if out else games


class Game(models.Model):
    """A game of a rule system: open while it waits for players, then running, finally finished.

    `state` and `seed` are secret; other code gets observations. The columns below them repeat what finds and
    sorts games, so that only the boards of a list need the engine.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        RUNNING = "running", _("in progress")
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
        """The hours in which clocks stand still, in the time zone of the player to move."""

        NONE = "", _("never")
        NIGHTS = "nights", _("at night")
        WEEKENDS = "weekends", _("at weekends")
        BOTH = "both", _("at night and at weekends")

    class OnTimeout(models.TextChoices):
        """The effect of a timeout on a seat whose grace is used up."""

        DECIDE = "decide", _("a computer player makes that one move")
        TAKE = "take", _("a computer player takes over the seat")
        VOTE = "vote", _("the other players vote")

    class TeamChat(models.TextChoices):
        """The times at which partners can write to each other."""

        OFF = "", _("off")
        BETWEEN = "between", _("between turns")
        ALWAYS = "always", _("always")

    class Ending(models.TextChoices):
        """The way in which a finished game ended."""

        RULES = "", _("the rules")
        STANDINGS = "standings", _("the players, with the current standings")
        NONE = "none", _("the players, without a result")
        CONCEDED = "conceded", _("concessions")
        UNRATED = "unrated", _("the last person left, with the current standings, unrated")

    public_id = models.CharField(max_length=_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    system = models.CharField(max_length=20)
    preset = models.CharField(max_length=30)
    options = models.JSONField(default=dict)
    host = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="hosted_games")
    status = ChoiceField(max_length=10, choices=Status, default=Status.OPEN)

    # The host's choices for the time before the start, and for the clock after it.
    visibility = ChoiceField(max_length=10, choices=Visibility, default=Visibility.PUBLIC)
    invite_code = models.CharField(max_length=_CODE_LENGTH, unique=True, default=new_code, editable=False)
    start = ChoiceField(max_length=10, choices=Start, default=Start.HOST)
    min_players = models.PositiveSmallIntegerField(
        default=2, help_text="The number of players who must join before the host can start."
    )
    max_players = models.PositiveSmallIntegerField(default=6, help_text="The number of seats.")
    fill_level = models.CharField(
        max_length=20, blank=True, help_text="The level of computer players in open seats."
    )
    seconds_per_move = models.PositiveIntegerField(
        null=True, blank=True, help_text="Seconds per move. With a time bank, what each move adds to it."
    )
    time_bank = models.PositiveIntegerField(
        null=True, blank=True, help_text="Seconds each seat starts with, if the game has time banks."
    )
    time_bank_cap = models.PositiveIntegerField(
        null=True, blank=True, help_text="The most seconds a time bank can hold."
    )
    clock_pauses = ChoiceField(max_length=10, choices=ClockPauses, blank=True, default=ClockPauses.NONE)
    on_timeout = ChoiceField(max_length=10, choices=OnTimeout, default=OnTimeout.DECIDE)
    min_on_time_percent = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text=("The lowest punctuality, in per cent, with which a player can join."),
    )
    rated = models.BooleanField(default=False)
    bots_allowed = models.BooleanField(
        default=False, help_text=("Members’ bots can join without an invitation.")
    )
    is_practice = models.BooleanField(
        default=False, editable=False, help_text="Everyone plays on one device, the host’s."
    )
    imported = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text=("When its host imported it from a file, to study it."),
    )
    skip_forced_moves = models.BooleanField(
        default=True, help_text="Moves with only one choice are made automatically."
    )
    team_chat = ChoiceField(
        max_length=10,
        choices=TeamChat,
        blank=True,
        default=TeamChat.OFF,
        db_default=TeamChat.OFF.value,
        help_text="When partners can write to each other.",
    )
    spectator_delay = models.PositiveSmallIntegerField(
        default=0,
        db_default=0,
        help_text="Rounds by which spectators see the game late; 0 for no delay.",
    )
    takebacks_allowed = models.BooleanField(
        default=True, help_text="Players can take back moves of their own turn."
    )
    rematch_of = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="again", editable=False
    )

    # Null until the deal.
    seed = models.BinaryField(max_length=32, null=True)
    seed_hash = models.CharField(max_length=64, blank=True)
    state = models.JSONField(null=True)

    seats_taken = models.PositiveSmallIntegerField(default=1, help_text="The number of taken seats.")
    version = models.PositiveIntegerField(default=0)
    seat_to_move = models.PositiveSmallIntegerField(null=True, blank=True)
    decision_kind = models.CharField(max_length=20, blank=True)
    # The person in the seat to move; null when a bot decides.
    waiting_for = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    deadline = models.DateTimeField(
        null=True, blank=True, help_text=("When the player to move runs out of time.")
    )
    time_left = models.DurationField(
        null=True, blank=True, help_text=("The time the player to move has left while the clock is paused.")
    )
    clock_zone = models.CharField(
        max_length=64,
        blank=True,
        editable=False,
        help_text="The time zone whose nights and weekends pause the clock of the player to move.",
    )
    bot_due_at = models.DateTimeField(
        null=True, blank=True, help_text=("When the computer player should have moved.")
    )
    # A secret of the player to move: it tells that there is an order or a plan.
    answer_due_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text=("When the player’s standing order or plan makes the move."),
    )
    paused = models.DateTimeField(null=True, blank=True, help_text="When the game was paused.")

    # Moderators' decisions. A game that is held or deleted is also paused until it is over.
    held_at = models.DateTimeField(null=True, blank=True, help_text="When a moderator paused it.")
    deleted = models.DateTimeField(
        null=True, blank=True, help_text="When it was hidden from everyone but staff."
    )
    unlisted = models.DateTimeField(
        null=True, blank=True, help_text="When a moderator removed the public game from the lists."
    )
    chat_locked_at = models.DateTimeField(null=True, blank=True, help_text="When its chat was locked.")
    ended_by_moderator = models.BooleanField(
        default=False, editable=False, help_text="A moderator ended it, or closed it before it started."
    )

    opened = models.DateTimeField(default=timezone.now)
    ready_by = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When the ready check before the start ends."
    )
    close_warning_at = models.DateTimeField(
        null=True, blank=True, help_text="When the host was warned that it would close."
    )
    started = models.DateTimeField(null=True, blank=True)
    last_change_at = models.DateTimeField(
        "moved", default=timezone.now, help_text="When something last happened."
    )
    finished = models.DateTimeField(null=True, blank=True)
    ending = ChoiceField(max_length=10, choices=Ending, blank=True, default=Ending.RULES)

    # Set on copies for spectators of games with a delay; see `games.play.spectator_position`.
    rounds_late = 0
    # The version that `games.play.game_lock` has read.
    locked_at_version: int | None = None

    objects = GameManager()
    with_secrets = SecretGameManager()
    moderated = ModeratedGameManager()
    all_games = AllGamesManager()

    class Meta:
        # Relations must also find games that are deleted or whose system may not be played here.
        base_manager_name = "all_games"
        default_manager_name = "objects"
        permissions = [("moderate_game", _("Can moderate games"))]
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
                condition=Q(seconds_per_move__isnull=True) | Q(seconds_per_move__gte=MIN_PACE),
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
            # So code that keeps practice tables private, unrated and uncounted covers imported games, too.
            models.CheckConstraint(
                condition=Q(imported__isnull=True) | Q(is_practice=True, status="finished"),
                name="game_imported_is_practice",
            ),
            models.CheckConstraint(
                condition=Q(rated=False) | Q(team_chat=""), name="game_rated_without_team_chat"
            ),
            models.CheckConstraint(
                condition=Q(spectator_delay=0) | Q(spectator_delay__lte=MAX_ROUNDS_LATE, is_practice=False),
                name="game_spectator_delay_fits",
            ),
            models.CheckConstraint(
                condition=Q(paused__isnull=True) | Q(status__in=["open", "running"]),
                name="game_paused_until_it_is_over",
            ),
            models.CheckConstraint(
                condition=Q(held_at__isnull=True) | Q(paused__isnull=False), name="game_held_while_paused"
            ),
            models.CheckConstraint(
                condition=Q(ready_by__isnull=True) | Q(status="open"), name="game_ready_check_before_start"
            ),
            models.CheckConstraint(
                condition=Q(unlisted__isnull=True) | Q(visibility="unlisted"),
                name="game_unlisted_is_unlisted",
            ),
        ]
        indexes = [
            models.Index(fields=["bot_due_at"], condition=Q(bot_due_at__isnull=False), name="game_due"),
            models.Index(
                fields=["answer_due_at"],
                condition=Q(answer_due_at__isnull=False),
                name="game_answer_due",
            ),
            models.Index(fields=["deadline"], condition=Q(deadline__isnull=False), name="game_deadline"),
            models.Index(
                fields=["deadline"],
                condition=Q(deadline__isnull=False, seconds_per_move__lte=MAX_LIVE_PACE),
                name="game_live_deadline",
            ),
            models.Index(fields=["ready_by"], condition=Q(ready_by__isnull=False), name="game_ready_check"),
            # Impossible states, indexed so that the site health check finds them at once.
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
                fields=["id"],
                condition=Q(status="running", seconds_per_move__lte=MAX_LIVE_PACE),
                name="game_live",
            ),
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

    def save(self, *args: Any, **kwargs: Any) -> None:
        self._refuse_if_late()
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("game", args=[self.public_id])

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        self._refuse_if_late()
        return super().delete(*args, **kwargs)

    def refresh_from_db(self, *args: Any, **kwargs: Any) -> None:
        self._refuse_if_late()
        super().refresh_from_db(*args, **kwargs)

    def _refuse_if_late(self) -> None:
        if self.rounds_late:
            raise TypeError("A game as spectators see it late cannot be saved, deleted or read again.")

    @property
    def rule_system(self) -> ModuleType:
        """The module of the game's rules."""
        return SYSTEMS[self.system]

    @cached_property
    def rules(self) -> Any:
        """The options of this game as an object of its rule system."""
        return self.rule_system.from_options(self.options)

    @cached_property
    def teams(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each team, empty if everybody plays alone; before the deal, their numbers."""
        found: tuple[tuple[int, ...], ...] = self.rule_system.teams(self.rules, self.max_players)
        return found

    @property
    def is_by_preset(self) -> bool:
        """Return whether all rule options are those of the preset."""
        usual = self.rule_system.PRESETS.get(self.preset)
        return usual is not None and self.options == self.rule_system.to_options(usual)

    @property
    def plays_preset(self) -> bool:
        """Return whether all rule options but the teams are those of the preset."""
        usual = self.rule_system.PRESETS.get(self.preset)
        alone = {name: value for name, value in self.options.items() if name != "teams"}
        return usual is not None and alone == self.rule_system.to_options(usual)

    @property
    def is_live(self) -> bool:
        """Return whether everybody sits at the table at the same time, with seconds for a move."""
        return self.seconds_per_move is not None and self.seconds_per_move <= MAX_LIVE_PACE

    @property
    def is_open(self) -> bool:
        """Return whether the game waits for players."""
        return self.status == self.Status.OPEN

    @property
    def is_running(self) -> bool:
        return self.status == self.Status.RUNNING

    @property
    def is_finished(self) -> bool:
        """Return whether the game was played to its end."""
        return self.status == self.Status.FINISHED

    @property
    def is_dealt(self) -> bool:
        """Return whether the game was dealt, so that it has a table."""
        return self.is_running or self.is_finished

    @property
    def free_seats(self) -> int:
        """The number of free seats."""
        return self.max_players - self.seats_taken
