"""Bot accounts of members."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

MAX_DESCRIPTION_LENGTH = 500


class BotAccount(models.Model):
    """The owner and the description of a bot account; the account itself is a `User`.

    The row is deleted with the account; the user's `is_bot_account` stays, for its games.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="program"
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="programs", verbose_name=_("owner")
    )
    description = models.CharField(_("description"), max_length=MAX_DESCRIPTION_LENGTH, blank=True)
    address = models.URLField(_("web page"), max_length=200, blank=True)
    made = models.DateTimeField(_("created"), default=timezone.now)

    class Meta:
        verbose_name = _("bot")
        verbose_name_plural = _("bots")
        default_permissions = ()
        ordering = ["made", "pk"]

    def __str__(self) -> str:
        return str(self.user)
