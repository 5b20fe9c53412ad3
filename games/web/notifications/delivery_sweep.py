"""The sweeper's search for due notifications and account mails."""

from datetime import datetime, timedelta

from django.utils import timezone

from accounts.mail import account_outbox
from games.notifications.outbox import outbox_rows
from games.realtime import worker_queue
from games.web.notifications.delivery import deliver

# Rows due for longer than this are not being sent by any worker.
NEGLECTED = timedelta(seconds=30)

# The sweeper has other work, so it sends no longer than this per round.
SECONDS = 5.0

# Longer than from one round to the next: what will be due by then is sent when it is due, not a round later.
AHEAD = timedelta(seconds=15)

# Rows that will be due within this time of each other are sent together.
TOGETHER = timedelta(seconds=1)


def deliver_due() -> None:
    """Ask a worker to send what is due; send it here when the broker or the workers are down.

    Also ask for what will be due before the next round, at its time.
    """
    now = timezone.now()
    found = (account_outbox.oldest_due(now), outbox_rows.oldest_due(now))
    since = min((due for due in found if due is not None), default=None)
    if since is not None and (not worker_queue.request_delivery() or since < now - NEGLECTED):
        deliver(SECONDS)
    for due in _times_ahead(now):
        if not worker_queue.request_delivery(due):
            return


def _times_ahead(now: datetime) -> list[datetime]:
    """The times at which rows will be due before the next round, few of them however many rows there are."""
    times: list[datetime] = []
    for due in outbox_rows.dues(now, now + AHEAD):
        if not times or due > times[-1]:
            times.append(due + TOGETHER)
    return times
