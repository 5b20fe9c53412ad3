"""The state of all outgoing mail, for doctor, desk and metrics."""

from dataclasses import dataclass
from datetime import datetime

from accounts.mail import mail_server
from accounts.mail.account_outbox import account_mail_health
from accounts.mail.outbox import OutboxHealth
from games.notifications.outbox.outbox_rows import notification_health


@dataclass(frozen=True)
class MailHealth:
    """Both outboxes, and since when the mail server is away, if it is."""

    notifications: OutboxHealth
    account_mails: OutboxHealth
    server_away_since: datetime | None

    @property
    def waiting(self) -> int:
        return self.notifications.waiting + self.account_mails.waiting

    @property
    def given_up(self) -> int:
        return self.notifications.given_up + self.account_mails.given_up

    @property
    def last_given_up(self) -> datetime | None:
        found = (self.notifications.last_given_up, self.account_mails.last_given_up)
        return max((settled for settled in found if settled is not None), default=None)

    @property
    def oldest_due(self) -> datetime | None:
        """The time when the oldest of all mails was first due, however often it was put off."""
        found = (self.notifications.oldest_due, self.account_mails.oldest_due)
        return min((due for due in found if due is not None), default=None)


def mail_health(now: datetime) -> MailHealth:
    """Measure both outboxes and ask for the mail server."""
    return MailHealth(notification_health(now), account_mail_health(now), mail_server.away_since(now))
