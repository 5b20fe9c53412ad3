"""Chat messages and muted members."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models.choice_field import ChoiceField
from games.models.game import Game

MAX_MESSAGE_LENGTH = 500


class ChatMessage(models.Model):
    """A message in the chat of a game. The keys of a game's messages are in the order of the messages.

    The text is never changed; a moderator or the author may remove the message. Then only moderators read it.
    Each team has a channel of its own.
    """

    class Channel(models.TextChoices):
        PLAYERS = "players", _("players")
        SPECTATORS = "watchers", _("spectators")
        TEAM_1 = "team 1", _("team 1")
        TEAM_2 = "team 2", _("team 2")
        TEAM_3 = "team 3", _("team 3")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="lines")
    channel = ChoiceField(max_length=10, choices=Channel)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="lines")
    text = models.CharField(max_length=MAX_MESSAGE_LENGTH)
    made = models.DateTimeField(default=timezone.now)
    removed = models.DateTimeField(null=True, blank=True, help_text="When it was removed.")
    removed_by_author = models.BooleanField(
        default=False, db_default=False, help_text="Removed by its author, not by a moderator."
    )

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        ordering = ["pk"]
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="line_with_words")]
        indexes = [models.Index(fields=["game", "channel", "id"], name="line_of_channel")]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.game_id}"


class MutedMember(models.Model):
    """A member whose messages a user does not want to read, at any table."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="muted_people")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "person"], name="one_mute_a_person"),
            models.CheckConstraint(condition=~Q(user=F("person")), name="nobody_mutes_themselves"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.person_id}"
