"""The sweeper's search for due notifications and account mails."""

from datetime import timedelta

from django.utils import timezone

from accounts.mail import account_outbox
from games.notifications.outbox import outbox_rows
from games.realtime import worker_queue
from games.web.notifications.delivery import deliver

# Rows due for longer than this are not being sent by any worker.
NEGLECTED = timedelta(seconds=30)

# The sweeper has other work, so it sends no longer than this per round.
SECONDS = 5.0


def deliver_due() -> None:
    """Ask a worker to send what is due; send it here when the broker or the workers are down."""
    now = timezone.now()
    found = (account_outbox.oldest_due(now), outbox_rows.oldest_due(now))
    since = min((due for due in found if due is not None), default=None)
    if since is None:
        return
    if not worker_queue.request_delivery() or since < now - NEGLECTED:
        deliver(SECONDS)
