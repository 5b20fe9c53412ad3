"""Switches of the site, for the operator."""

from datetime import datetime

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models.choice_field import ChoiceField


class SiteSwitch(models.Model):
    """A switch of the site, created with the database; on from `since` to `until` or without an end."""

    class Kind(models.TextChoices):
        NOTICE = "notice", _("notice on all pages")
        REGISTRATION = "registration", _("sign-up closed")
        GAMES = "games", _("new games closed")
        READING = "reading", _("read-only")
        PROGRAMS = "programs", _("bots and API closed")

    kind = ChoiceField(_("switch"), max_length=20, choices=Kind, unique=True, editable=False)
    since = models.DateTimeField(_("on since"), null=True, editable=False)
    until = models.DateTimeField(_("on until"), null=True, editable=False)
    text = models.CharField(_("message for everyone"), max_length=300, blank=True, editable=False)

    class Meta:
        verbose_name = _("switch")
        verbose_name_plural = _("switches")
        default_permissions = ("view",)
        permissions = [("turn_switch", _("Can turn site switches on and off"))]
        ordering = ["pk"]

    def __str__(self) -> str:
        return str(self.get_kind_display())

    def is_on(self, now: datetime | None = None) -> bool:
        """Return whether the switch is on at that moment, by default now."""
        now = now or timezone.now()
        return self.since is not None and self.since <= now and (self.until is None or now < self.until)
