"""Endpoints of notifications."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models.choice_field import ChoiceField


class Channel(models.TextChoices):
    """The ways by which members are notified."""

    MAIL = "mail", _("Email")
    BROWSER = "browser", _("Browser")
    WEBHOOK = "webhook", _("Webhook")


class Endpoint(models.Model):
    """A web address that receives notifications of one person: a browser's push service or a webhook."""

    class Kind(models.TextChoices):
        PUSH = "push", _("Browser")
        DISCORD = "discord", _("Discord")
        SLACK = "slack", _("Slack")
        JSON = "json", _("Any software, as JSON")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="endpoints")
    kind = ChoiceField(max_length=10, choices=Kind)
    name = models.CharField(max_length=60, blank=True)
    url = models.CharField(max_length=1000)
    # Keys of a browser, for the encryption of messages.
    public = models.CharField(max_length=120, blank=True, editable=False)
    auth = models.CharField(max_length=40, blank=True, editable=False)

    made = models.DateTimeField(default=timezone.now)
    failures = models.PositiveSmallIntegerField(
        default=0, help_text="Failed attempts since the last success."
    )
    stopped = models.DateTimeField(null=True, blank=True, help_text="When we stopped trying.")
    trouble = models.CharField(max_length=300, blank=True, help_text="The last error.")

    class Meta:
        verbose_name = _("endpoint")
        verbose_name_plural = _("endpoints")
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["user", "url"], name="one_endpoint_an_address")]

    def __str__(self) -> str:
        return self.name or self.get_kind_display()

    @property
    def channel(self) -> Channel:
        return Channel.BROWSER if self.kind == Endpoint.Kind.PUSH else Channel.WEBHOOK
