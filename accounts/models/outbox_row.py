"""The base of all outboxes: one row for each message that is to be sent."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models.choice_field import ChoiceField


class OutboxRow(models.Model):
    """A message that waits until it is sent, dropped or given up.

    The row waits until `due`. A sender claims it by postponing `due`, so that after a crash it is due again.
    `first_due` is when it should have been sent first: set by the first claim and kept however often the row
    is put off, so that its age is how long somebody has waited.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting to be sent")
        SENT = "sent", _("sent")
        DROPPED = "dropped", _("no longer needed")
        GIVEN_UP = "given up", _("failed for good")

    made = models.DateTimeField(default=timezone.now)
    due = models.DateTimeField()
    first_due = models.DateTimeField(null=True, blank=True, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    message_id = models.CharField(max_length=200, blank=True)

    state = ChoiceField(max_length=10, choices=State, default=State.WAITING)
    settled = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=300, blank=True)

    class Meta:
        abstract = True
