"""Cases of notifications that were not sent or were given up."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Min, Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.models import Notification
from games.models.playable_systems import withheld_systems
from games.moderation import site_health
from games.moderation.desk.desk_case import MOST, DeskCase, DeskTopic

# Older ones no longer matter to anybody.
GIVEN_UP_FOR = timedelta(days=7)


def undelivered(now: datetime, reader: User) -> list[DeskCase]:
    """A case for each person with notifications given up lately, and one if the outbox grows."""
    given_up = Q(state=Notification.State.GIVEN_UP, settled__gt=now - GIVEN_UP_FOR)
    # A row that was put off has waited since it was due for the first time.
    first = Coalesce("first_due", "due")
    waiting = Q(state=Notification.State.WAITING, first__lt=now - site_health.UNSENT)
    rows = (
        Notification.objects.alias(first=first)
        .filter(given_up | waiting)
        .exclude(game__system__in=withheld_systems())
    )
    by_person = rows.order_by().values("state", "user", "user__username")
    told = by_person.annotate(number=Count("pk"), given_up_since=Min("settled"), due_since=Min(first))
    found: list[dict[str, Any]] = [dict(row) for row in told]
    cases = [_given_up(row) for row in found if row["state"] == Notification.State.GIVEN_UP]
    late = [row for row in found if row["state"] == Notification.State.WAITING]
    return [*([_growing(late)] if late else []), *cases][:MOST]


def _given_up(row: dict[str, Any]) -> DeskCase:
    sentence = ngettext(
        "{n} notification for {name} failed for good.",
        "{n} notifications for {name} failed for good.",
        row["number"],
    ).format(n=row["number"], name=row["user__username"] or _("an invited address"))
    return DeskCase(
        DeskTopic.UNSENT,
        sentence,
        row["given_up_since"],
        "games.notification",
        search={"state__exact": Notification.State.GIVEN_UP.value, "q": row["user__username"] or ""},
    )


def _growing(rows: list[dict[str, Any]]) -> DeskCase:
    number = sum(row["number"] for row in rows)
    sentence = ngettext(
        "{n} notification is overdue. Check that the workers are running.",
        "{n} notifications are overdue. Check that the workers are running.",
        number,
    ).format(n=number)
    since = min(row["due_since"] for row in rows)
    return DeskCase(
        DeskTopic.UNSENT,
        sentence,
        since,
        "games.notification",
        search={"state__exact": Notification.State.WAITING.value},
    )
