"""Receivers of the signals of accounts."""

from datetime import datetime
from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.models import User
from accounts.signals import (
    collect_account_links,
    collect_common_tables,
    collect_member_file,
    collect_personal_data,
    deleting_expired,
    mail_waiting,
    member_banned,
    member_leaving,
    work_failed,
)
from games.lobby import departures
from games.moderation import member_games
from games.moderation.report_queue import reports_about
from games.notifications.delivery_history import my_notices
from games.play.bots import bot_failures
from games.privacy import retention
from games.processes import process_signs, task_failures
from games.realtime import worker_queue
from games.web.lessons.kept_progress import take_over_from_session
from games.web.moderation.member_games_panel import Lines, tables, tables_in_common
from games.web.settings.personal_data_files import everything_about
from games.web.text.game_titles import report_subject


@receiver(member_leaving, dispatch_uid="games.forget")
def forget_notices(user: User, **_: Any) -> None:
    retention.forget_user(user)


@receiver(member_leaving, dispatch_uid="games.leave_all_games")
def leave_all_games(user: User, **_: Any) -> None:
    departures.leave_all_games(user)


@receiver(member_banned, dispatch_uid="games.forfeit_all_seats")
def forfeit_all_seats(user: User, **_: Any) -> None:
    departures.forfeit_all_seats(user)


@receiver(work_failed, dispatch_uid="games.count_failure")
def count_failure(work: str, error: BaseException, **_: Any) -> None:
    task_failures.record(work, error)


@receiver(user_logged_in, dispatch_uid="games.take_over_lessons")
def take_over_lessons(request: Any, user: User, **_: Any) -> None:
    if hasattr(request, "session"):
        take_over_from_session(request.session, user)


@receiver(collect_personal_data, dispatch_uid="games.collect_my_data")
def collect_my_data(user: User, **_: Any) -> list[tuple[str, bytes]]:
    return [*my_notices(user), *everything_about(user)]


@receiver(mail_waiting, dispatch_uid="games.request_mail_delivery")
def request_mail_delivery(**_: Any) -> None:
    worker_queue.request_delivery()


@receiver(deleting_expired, dispatch_uid="games.tidy")
def tidy(now: datetime, **_: Any) -> dict[str, int]:
    return (
        retention.delete_expired(now)
        | bot_failures.delete_old_failures(now)
        | process_signs.delete_old_signs(now)
    )


@receiver(collect_member_file, dispatch_uid="games.describe_member")
def describe_member(user: User, **_: Any) -> list[tuple[str, list[tuple[str, str]]]]:
    return [*tables(user), *reports(user)]


@receiver(collect_account_links, dispatch_uid="games.collect_bonds")
def collect_bonds(user: User, **_: Any) -> list[tuple[int, str]]:
    return invitations(user)


@receiver(collect_common_tables, dispatch_uid="games.collect_common_tables")
def collect_tables(user: User, others: set[int], **_: Any) -> list[tuple[int, str, str]]:
    return tables_in_common(user, others)


def reports(user: User) -> list[tuple[str, Lines]]:
    """The abuse reports about the member and their outcomes, without their authors."""
    lines = [
        (
            f"{date_format(report.made, 'j F Y')}: {report_subject(report)}, {report.get_category_display()}"
            f" ({report.get_outcome_display() if report.settled else pgettext('report', 'open')})",
            reverse("admin:games_abusereport_change", args=[report.pk]) if report.escalated_at else "",
        )
        for report in reports_about(user)
    ]
    return [(_("Reports"), lines or [(_("None."), "")])]


def invitations(user: User) -> list[tuple[int, str]]:
    """The members who invited this one by mail, and those whom this one invited by mail."""
    asked = [(key, _("{name} invited this member by email.")) for key in member_games.inviters_of(user)]
    return asked + [(key, _("Invited {name} by email.")) for key in member_games.invited_by(user)]
