"""The sweeper's search for due notifications."""

from datetime import timedelta

from django.utils import timezone

from games.notifications.outbox import outbox_rows
from games.realtime import worker_queue
from games.web.notifications.delivery import deliver

# Rows due for longer than this are not being sent by any worker.
NEGLECTED = timedelta(seconds=30)

# The sweeper has other work, so it sends no longer than this per round.
SECONDS = 5.0


def deliver_due() -> None:
    """Ask a worker to send due notifications; send them here when the broker or the workers are down."""
    now = timezone.now()
    since = outbox_rows.oldest_due(now)
    if since is None:
        return
    if not worker_queue.request_delivery() or since < now - NEGLECTED:
        deliver(SECONDS)
