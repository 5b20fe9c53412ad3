"""Mail: since when the server is away, what waits, and what was given up."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from django.conf import settings
from prometheus_client.core import GaugeMetricFamily, Metric

from accounts.mail import mail_server
from accounts.mail.account_outbox import account_mail_health
from accounts.mail.outbox import OutboxHealth
from games.moderation.site_health import UNSENT, HealthProblem, ago
from games.notifications.outbox.outbox_rows import notification_health

# A full mailbox costs one member a message or two; more than that, and lately, is the site's fault.
GIVEN_UP_LATELY = timedelta(days=1)
MAX_GIVEN_UP = 2

OUTBOXES: dict[str, Callable[[datetime], OutboxHealth]] = {
    "games": notification_health,
    "accounts": account_mail_health,
}


def health_problems(now: datetime) -> Iterator[HealthProblem]:
    """Problems of the mail server and of mail about accounts; `site_health` tells of the games' outbox."""
    found = {name: measure(now) for name, measure in OUTBOXES.items()}
    away = mail_server.away_since(now)
    if away is not None and away < now - UNSENT:
        waiting = sum(health.waiting for health in found.values())
        yield HealthProblem(
            "mail",
            f"The mail server has taken no mail since it was first away, {ago(now, away)}; {waiting} messages"
            f" wait. Is it the one of EMAIL_URL, and does it answer? manage.py sendtestemail {_reader()}",
        )
    oldest = found["accounts"].oldest_due
    if oldest is not None and oldest < now - UNSENT:
        yield HealthProblem(
            "outbox",
            f"Mail about accounts, such as password resets, was due {ago(now, oldest)} and was not sent. Are workers running?"
            " systemctl restart acquire",
        )
    for name, health in found.items():
        lately = health.last_given_up is not None and health.last_given_up > now - GIVEN_UP_LATELY
        if lately and health.given_up > MAX_GIVEN_UP:
            yield HealthProblem(
                "given-up",
                f"{health.given_up} messages of the {name} were given up within a week, the last"
                f" {ago(now, health.last_given_up)}. The admin says why under “Deliveries”, and sends them again.",
            )


def metrics(now: datetime) -> Iterator[Metric]:
    away = mail_server.away_since(now)
    yield GaugeMetricFamily(
        "acquire_mail_server_away_seconds",
        "Since when the mail server takes no mail",
        value=(now - away).total_seconds() if away else 0.0,
    )
    names = ["outbox"]
    waiting = GaugeMetricFamily("acquire_mail_waiting", "Messages that are due or were put off", labels=names)
    age = GaugeMetricFamily("acquire_mail_age_seconds", "Since when the oldest was first due", labels=names)
    given_up = GaugeMetricFamily("acquire_mail_given_up", "Messages given up within a week", labels=names)
    for name, measure in OUTBOXES.items():
        health = measure(now)
        waiting.add_metric([name], health.waiting)
        age.add_metric([name], health.age_seconds(now))
        given_up.add_metric([name], health.given_up)
    yield from (waiting, age, given_up)


def _reader() -> str:
    return settings.CONTACT_EMAIL or "you@example.org"
