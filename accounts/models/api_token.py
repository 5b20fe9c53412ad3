"""API tokens."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models.choice_field import ChoiceField

MAX_NAME_LENGTH = 40


class Tokens(models.QuerySet["ApiToken"]):
    def valid(self) -> "Tokens":
        """Tokens that are neither revoked nor expired."""
        return self.filter(Q(until=None) | Q(until__gt=timezone.now()), revoked=None)


class ApiToken(models.Model):
    """A token that lets a program act for an account; only its hash is stored.

    `hash` is the SHA-256 of the text, in hex. The text holds 32 random bytes, too many to guess, so the hash
    needs neither salt nor stretching. See accounts.api_access.api_tokens.
    """

    class Scope(models.TextChoices):
        READ = "read", pgettext_lazy("token", "read")
        PLAY = "play", pgettext_lazy("token", "play")

    member = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens", verbose_name=_("account")
    )
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    hash = models.CharField(max_length=64, unique=True, editable=False)
    scope = ChoiceField(_("scope"), max_length=4, choices=Scope)
    made = models.DateTimeField(_("created"), default=timezone.now)
    used = models.DateField(_("last used"), null=True, editable=False, help_text=_("Only the day is kept."))
    until = models.DateTimeField(
        _("until"), null=True, blank=True, help_text=_("Empty if there is no end date.")
    )
    revoked = models.DateTimeField(_("revoked"), null=True, editable=False)

    objects = Tokens.as_manager()

    class Meta:
        verbose_name = _("token")
        verbose_name_plural = _("tokens")
        default_permissions = ()
        ordering = ["-made", "-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_over(self) -> bool:
        """Return whether the token is revoked or expired."""
        return self.revoked is not None or (self.until is not None and self.until <= timezone.now())
