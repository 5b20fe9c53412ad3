"""Access traces: browsers and networks that an account is used from."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models.choice_field import ChoiceField


class AccessTrace(models.Model):
    """A browser or network that an account was used from, as a keyed hash.

    Accounts used from the same browser have the same `mark`, which does not reveal the browser
    (accounts.moderation.linked_accounts). No page shows it. Deleted thirty days after `last`.
    """

    class Kind(models.TextChoices):
        BROWSER = "browser", _("browser")
        NETWORK = "network", _("network")

    member = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="traces")
    kind = ChoiceField(max_length=7, choices=Kind)
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
