"""The sweeper's part: finds what is due to be told, whoever forgot it."""

from datetime import timedelta

from django.utils import timezone

from games.notifications.outbox import outbox_rows
from games.realtime import worker_queue
from games.web.notifications.delivery import deliver

# What is due for so long no worker will send.
NEGLECTED = timedelta(seconds=30)

# The sweeper has other work, so a round sends no longer than this; the rest is due in the next one.
SECONDS = 5.0


def deliver_due() -> None:
    """Ask a worker to send what is due; send it here when the broker is away or the workers let it lie."""
    now = timezone.now()
    since = outbox_rows.oldest_due(now)
    if since is None:
        return
    if not worker_queue.request_delivery() or since < now - NEGLECTED:
        deliver(SECONDS)
