"""From which browsers and networks an account is used, told apart without being known."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class AccessTrace(models.Model):
    """An account was used in a browser, or from a network, that another account may have used as well.

    `mark` is a keyed hash (accounts.moderation.linked_accounts): two accounts of one browser have the same,
    and nobody reads from it which browser that is. No page shows it. Gone thirty days after `last`.
    """

    class Kind(models.TextChoices):
        BROWSER = "browser", _("browser")
        NETWORK = "network", _("network")

    member = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="traces")
    kind = models.CharField(max_length=7, choices=Kind)
    mark = models.CharField(max_length=64)
    first = models.DateTimeField()
    last = models.DateTimeField()

    class Meta:
        verbose_name = _("trace")
        verbose_name_plural = _("traces")
        constraints = [models.UniqueConstraint(fields=["member", "kind", "mark"], name="one_trace_of_each")]
        indexes = [
            models.Index(fields=["kind", "mark"], name="trace_mark"),
            models.Index(fields=["last"], name="trace_last"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.member_id}"
