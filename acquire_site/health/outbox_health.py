"""Mail and messages: what waits, what was given up, and since when the mail server is away."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily, Metric

from games.moderation.site_health import SILENT, UNSENT, HealthProblem, ago
from games.notifications.outbox.mail_health import MailHealth, mail_health

# A full mailbox costs one member a few mails; more, and lately, is the site's fault.
GIVEN_UP_LATELY = timedelta(days=1)
MAX_GIVEN_UP = 3


def health_problems(now: datetime) -> Iterator[HealthProblem]:
    health = mail_health(now)
    away = health.server_away_since
    if away is not None and away < now - UNSENT:
        yield HealthProblem(
            "mail",
            f"The mail server has accepted nothing since its first failure {ago(now, away)}. Waiting"
            f" messages: {health.waiting}. See what it answers: manage.py sendtestemail {_own_address()}",
        )
    elif health.oldest_due is not None and health.oldest_due < now - UNSENT:
        yield HealthProblem(
            "outbox",
            f"A message that was due {ago(now, health.oldest_due)} was not sent. Waiting messages:"
            f" {health.waiting}. The admin says why under “Notifications” and “Account mails”. If nothing was"
            " tried, no worker is running: systemctl restart acquire (docker compose restart worker)",
        )
    elif health.oldest_due is not None and health.oldest_due > now + SILENT:
        ahead = int((health.oldest_due - now).total_seconds())
        yield HealthProblem(
            "clock",
            f"A message that waits was first due {ahead} seconds in the future. The clock of this machine or"
            " of a worker’s is or was wrong. Compare both: date -u",
        )
    if health.given_up > MAX_GIVEN_UP and _is_recent(health, now):
        yield HealthProblem(
            "given-up",
            f"{health.given_up} emails were given up in the last 7 days, most recently"
            f" {ago(now, health.last_given_up)}. In the admin you can see why and send them again.",
        )


def metrics() -> Iterator[Metric]:
    now = timezone.now()
    health = mail_health(now)
    away = health.server_away_since
    yield GaugeMetricFamily(
        "acquire_mail_server_away_seconds",
        "Since when the mail server takes no mail",
        value=(now - away).total_seconds() if away else 0.0,
    )
    names = ["outbox"]
    waiting = GaugeMetricFamily("acquire_outbox_waiting", "Messages that are due or put off", labels=names)
    age = GaugeMetricFamily(
        "acquire_outbox_age_seconds", "Since the oldest of them was first due", labels=names
    )
    given_up = GaugeMetricFamily("acquire_outbox_given_up", "Mails given up within a week", labels=names)
    for name, outbox in (("games", health.notifications), ("accounts", health.account_mails)):
        waiting.add_metric([name], outbox.waiting)
        age.add_metric([name], outbox.age_seconds(now))
        given_up.add_metric([name], outbox.given_up)
    yield from (waiting, age, given_up)


def _is_recent(health: MailHealth, now: datetime) -> bool:
    return health.last_given_up is not None and health.last_given_up > now - GIVEN_UP_LATELY


def _own_address() -> str:
    return settings.CONTACT_EMAIL or "you@example.org"
