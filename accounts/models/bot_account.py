"""Programs of members that play by themselves."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

DESCRIPTION_LENGTH = 500


class BotAccount(models.Model):
    """Whose a program's account is, and what its owner says of it; the account itself is a `User`.

    The row goes with the account; the account's `is_bot_account` stays, for the games it stands in.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="program"
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="programs", verbose_name=_("owner")
    )
    description = models.CharField(_("what it does"), max_length=DESCRIPTION_LENGTH, blank=True)
    address = models.URLField(_("address of its page"), max_length=200, blank=True)
    made = models.DateTimeField(_("registered"), default=timezone.now)

    class Meta:
        verbose_name = _("program")
        verbose_name_plural = _("programs")
        default_permissions = ()
        ordering = ["made", "pk"]

    def __str__(self) -> str:
        return str(self.user)
