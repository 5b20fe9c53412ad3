"""What a program shows instead of a password."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

NAME_LENGTH = 40


class Tokens(models.QuerySet["ApiToken"]):
    def valid(self) -> "Tokens":
        """Those that open something now: neither revoked nor over."""
        return self.filter(Q(until=None) | Q(until__gt=timezone.now()), revoked=None)


class ApiToken(models.Model):
    """By this text a program speaks for an account; only a hash of it is kept, and it was shown once.

    `hash` is the SHA-256 of the text, in hex. The text holds 32 random bytes, so that nobody can try them all
    and the hash needs neither salt nor time. See accounts.api_access.api_tokens.
    """

    class Scope(models.TextChoices):
        READ = "read", _("read")
        PLAY = "play", _("play")

    member = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens", verbose_name=_("account")
    )
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    hash = models.CharField(max_length=64, unique=True, editable=False)
    scope = models.CharField(_("may"), max_length=4, choices=Scope)
    made = models.DateTimeField(_("made"), default=timezone.now)
    used = models.DateField(
        _("last used"), null=True, editable=False, help_text=_("The day, and no more is kept of it.")
    )
    until = models.DateTimeField(_("until"), null=True, blank=True, help_text=_("Empty without an end."))
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
        """Whether it opens nothing any more."""
        return self.revoked is not None or (self.until is not None and self.until <= timezone.now())
