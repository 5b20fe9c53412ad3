"""Notification preferences."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models.choice_field import ChoiceField
from games.models.endpoint import Channel
from games.models.game import Game
from games.models.notification import Kind


class GameNotificationLevel(models.Model):
    """A person's notification level for a game; without a row it is the default."""

    class Level(models.TextChoices):
        MUTE = "mute", _("Never")
        ALWAYS = "always", _("Always and right away, even while I have the game open")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="attentions")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="attentions")
    level = ChoiceField(max_length=10, choices=Level)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "game"], name="one_attention_a_game")]

    def __str__(self) -> str:
        return f"{self.user_id} of {self.game_id}: {self.level}"


class MutedKind(models.Model):
    """A kind of notification that one person does not want by one channel."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="muted_kinds")
    kind = ChoiceField(max_length=10, choices=Kind)
    # Processes of the release before this field write rows without it while a site is upgraded.
    channel = ChoiceField(max_length=10, choices=Channel, default=Channel.MAIL, db_default=Channel.MAIL.value)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "kind", "channel"], name="one_mute_a_kind_and_channel")
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.kind} by {self.channel}"


class UnsubscribedAddress(models.Model):
    """An address of no member that wants no mail from the site, or accepts none."""

    address = models.CharField(max_length=254)
    reason = models.CharField(max_length=300, blank=True)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("blocked address")
        verbose_name_plural = _("blocked addresses")
        constraints = [models.UniqueConstraint(Lower("address"), name="one_row_a_closed_address")]

    def __str__(self) -> str:
        return self.address
