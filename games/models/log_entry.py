"""Log entries of games."""

import json
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from accounts.models.choice_field import ChoiceField
from games.engine.rules.rule_systems import SYSTEMS
from games.models.game import Game

# Limit of a reason that players read.
MAX_REASON_LENGTH = 200


class LogEntry(models.Model):
    """An entry of a game's log, numbered from 1. Entries are added and never changed.

    A move has the notation of the rule system and the public events that it caused. A ruling is a decision
    about the game from outside the rules ("computer takes 2").
    """

    class Kind(models.TextChoices):
        MOVE = "move", _("move")
        RULING = "ruling", _("ruling")

    class Author(models.TextChoices):
        PERSON = "person", _("a person")
        COMPUTER = "computer", _("a computer player")
        HOUSE = "house", _("the site")
        MODERATOR = "moderator", _("a moderator")

    class Origin(models.TextChoices):
        """The way a move was made without asking its player; blank if the player was asked."""

        ORDER = "order", _("a standing order")
        PLAN = "plan", _("a planned turn")
        FORCED_MOVE = "forced", _("only one move was possible")

    # The constraint below begins with the game, so its index serves this column, too.
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="moves", db_index=False)
    number = models.PositiveIntegerField()
    kind = ChoiceField(max_length=10, choices=Kind, default=Kind.MOVE)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    text = models.CharField(max_length=200)
    events = models.JSONField(default=list)
    author = ChoiceField(max_length=10, choices=Author)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    # Standing orders and plans are secrets of their owner until the game is over.
    # Which moderator it was is only in the audit, for the staff.
    origin = ChoiceField(max_length=10, choices=Origin, blank=True, editable=False)
    reason = models.CharField(
        max_length=MAX_REASON_LENGTH,
        blank=True,
        help_text="The moderator’s reason, shown to the players.",
    )
    created_at = models.DateTimeField()
    time_left = models.DurationField(
        null=True, blank=True, editable=False, help_text="The time left when the move was made."
    )

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="one_entry_a_number")]
        indexes = [
            models.Index(
                fields=["user", "created_at"], condition=Q(user__isnull=False), name="move_of_person"
            )
        ]

    def __str__(self) -> str:
        return f"{self.number}. {self.text}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the entry; refuse to change an existing one."""
        if not self._state.adding:
            raise TypeError("An entry of the log is never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("An entry of the log is never removed.")

    @property
    def is_forced(self) -> bool:
        """Return whether the site made the move because there was nothing to decide."""
        return self.origin == self.Origin.FORCED_MOVE

    @cached_property
    def decoded_events(self) -> tuple[Any, ...]:
        """The events as objects of the rule system, quickly if the query has `events_text` for `events`."""
        if "events_text" in self.__dict__:
            return decode_events(self.game.system, self.__dict__["events_text"])
        return tuple(self.game.rule_system.event_from_json(event) for event in self.events)


# The table of a game shows up to sixty entries, the same ones to all its readers, move after move.
@lru_cache(maxsize=8192)
def decode_events(system: str, text: str) -> tuple[Any, ...]:
    """The events of a log entry as objects of the rule system; nobody can change them."""
    return tuple(map(SYSTEMS[system].event_from_json, json.loads(text)))
