"""Claiming, releasing, settling and escalating abuse reports; reports of one subject go together."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.refusals import ActionNotAllowed, Refusal
from games.models import AbuseReport, ChatMessage
from games.models.abuse_report import ReportOutcome
from games.moderation.actions import action_lock, chat_actions
from games.notifications import notify
from games.play.game_lock import lock_paused_game

# A claim that has not led to a result by then was abandoned.
CLAIM_LASTS = timedelta(minutes=30)

MANAGE, HANDLE = "accounts.manage_member", "games.handle_report"


def claimed_until(report: AbuseReport) -> datetime | None:
    """Return when the current claim of the report ends; None without one."""
    if report.claimed is None or report.claimed_by_id is None or report.settled:
        return None
    until = report.claimed + CLAIM_LASTS
    return until if until > timezone.now() else None


def may_handle(report: AbuseReport, by: User) -> bool:
    """Return whether this person may handle the report: an escalated one needs a member manager."""
    return by.is_active and by.is_staff and by.has_perm(MANAGE if report.escalated_at else HANDLE)


def claim_bar(report: AbuseReport, by: User) -> str | None:
    """Return why this person may not handle the report, in a sentence, or None."""
    if report.person_id == by.pk:
        return _("This report is about you. Leave it to another moderator.")
    if AbuseReport.objects.filter(subject=report.subject, settled=None, by=by).exists():
        return _("You made this report yourself. Leave it to another moderator.")
    sentence = action_lock.moderator_bar(report.game, by) if report.game else None
    return None if sentence is None else str(sentence)


def has_claimed(report: AbuseReport, by: User) -> bool:
    """Return whether this person has claimed the report and the claim has not expired."""
    since = timezone.now() - CLAIM_LASTS
    return AbuseReport.objects.filter(pk=report.pk, settled=None, claimed_by=by, claimed__gt=since).exists()


@transaction.atomic
def claim(report: AbuseReport, by: User) -> list[AbuseReport]:
    """Claim all open reports of the subject and return them; claiming again renews the claim.

    Raises ActionNotAllowed, and Refusal if it is settled or claimed by another person.
    """
    found = _lock(report)
    if not may_handle(found[0], by):
        raise ActionNotAllowed(_not_yours(found[0]))
    if sentence := claim_bar(found[0], by):
        raise ActionNotAllowed(sentence)
    _check_free(found, by)
    _write(found, claimed_by=by, claimed=timezone.now())
    return found


@transaction.atomic
def release(report: AbuseReport, by: User) -> None:
    """Release one's own claim. Raises Refusal if the report is settled."""
    mine = [row for row in _lock(report) if row.claimed_by_id == by.pk]
    _write(mine, claimed_by=None, claimed=None)


@transaction.atomic
def settle(report: AbuseReport, *, by: User | None, outcome: str, answer: str = "") -> dict[str, Any]:
    """Settle the claimed reports and tell the reporters; return facts for the audit.

    REMOVED removes a reported message. Reports that arrived after the claim stay open: nobody has read them
    yet. `by` is None for the server's shell, which claims nothing. Raises Refusal.
    """
    found = lock_claimed(report, by)
    if outcome == ReportOutcome.REMOVED:
        assert found[0].line_id is not None
        _remove_line(found[0].line_id)
    _write(found, settled=timezone.now(), outcome=outcome, answer=answer)
    for row in found:
        notify.notify_reporter(row)
    return {"reports": len(found), "about": found[0].about, "outcome": outcome}


@transaction.atomic
def escalate(report: AbuseReport, *, by: User | None) -> dict[str, Any]:
    """Escalate the report to member managers; it stays open and unclaimed."""
    found = lock_claimed(report, by)
    _write(found, escalated_at=timezone.now(), claimed_by=None, claimed=None)
    return {"reports": len(found), "about": found[0].about}


def _remove_line(line_id: int) -> None:
    """Remove a message in the same way as the staff action on its game."""
    line = ChatMessage.objects.get(pk=line_id)
    game = lock_paused_game(line.game_id)
    line.refresh_from_db(fields=["removed"])
    chat_actions.remove_message(game, line)


def _lock(report: AbuseReport) -> list[AbuseReport]:
    """Lock the open reports of the subject, the oldest first; the first has the claim."""
    rows = AbuseReport.objects.filter(subject=report.subject, settled=None).order_by("pk")
    found = list(rows.select_for_update(of=("self",)).select_related("claimed_by"))
    if not found:
        raise Refusal(_("This report is already closed."))
    return found


def lock_claimed(report: AbuseReport, by: User | None) -> list[AbuseReport]:
    """Lock the reports of the subject that this person has claimed. Raises Refusal."""
    found = _lock(report)
    _check_free(found, by)
    if by is None:
        return found
    mine = [row for row in found if row.claimed_by_id == by.pk and claimed_until(row)]
    if not mine:
        raise Refusal(
            _("Choose “Handle this report” first, so that nobody else works on it at the same time.")
        )
    return mine


def _check_free(found: list[AbuseReport], by: User | None) -> None:
    for row in found:
        if not (by and row.claimed_by_id == by.pk) and (until := claimed_until(row)):
            time = timezone.localtime(until).strftime("%H:%M")
            sentence = _("{name} is handling this report, until {time} at the latest.")
            raise Refusal(sentence.format(name=row.claimed_by, time=time))


def _write(found: list[AbuseReport], **columns: Any) -> None:
    for row in found:
        for name, value in columns.items():
            setattr(row, name, value)
    AbuseReport.objects.bulk_update(found, list(columns))


def _not_yours(report: AbuseReport) -> str:
    if report.escalated_at:
        return _("This report was passed to the member managers.")
    return _("You do not have permission to do this. Ask another member of staff.")
