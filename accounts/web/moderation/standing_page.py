"""The page of a member's sanctions and appeals."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.mail.staff_letters import format_end
from accounts.membership.kept_form import take_back
from accounts.models import Appeal, Sanction, User
from accounts.models.sanction import MAX_APPEAL_LENGTH
from accounts.moderation import sanctions
from accounts.moderation.sanctions import can_appeal
from accounts.refusals import AppealRejected

Kind = Sanction.Kind


@dataclass(frozen=True, slots=True)
class Entry:
    """A sanction on the page: its title, its effect and the possible responses."""

    row: Sanction
    title: str
    meaning: str
    ended: datetime | None
    appeals: list[Appeal]
    may_read: bool
    may_answer: bool
    words: str
    problem: str


@require_safe
@never_cache
@login_required
def standing(request: HttpRequest) -> HttpResponse:
    """The page of all past and current sanctions of the member."""
    return page(request)


@require_POST
@login_required
def read(request: HttpRequest, key: int) -> HttpResponse:
    """Mark a warning as read, so that the member may play on."""
    if not sanctions.read_warning(_member(request), key):
        raise Http404
    messages.success(request, _("Thank you. You can continue playing."))
    return redirect("standing")


@require_POST
@login_required
def answer(request: HttpRequest, key: int) -> HttpResponse:
    """Submit an appeal."""
    text = request.POST.get("text", "")
    if not ratelimit.consume(request, action="appeal"):
        return page(
            request, {key: (text, _("You have sent too many appeals today. Try again tomorrow."))}, status=429
        )
    try:
        if sanctions.appeal(_member(request), key, text) is None:
            raise Http404
    except AppealRejected as error:
        return page(request, {key: (text, str(error.message))}, status=error.status)
    messages.success(request, _("The moderators will read your appeal."))
    return redirect("standing")


def page(
    request: HttpRequest, problems: dict[int, tuple[str, str]] | None = None, status: int = 200
) -> HttpResponse:
    """Render the page; `problems` holds rejected texts and the reasons, by sanction."""
    member = _member(request)
    rows = Sanction.objects.filter(member=member).prefetch_related("appeals")
    refused = problems or {}
    entries = [_entry(request, row, *refused.get(row.pk, ("", ""))) for row in rows]
    context: dict[str, Any] = {
        "now": [entry for entry in entries if entry.ended is None],
        "before": [entry for entry in entries if entry.ended is not None],
        "most": MAX_APPEAL_LENGTH,
        "end": format_end(member.suspended_until) if member.is_suspended else "",
    }
    return render(request, "accounts/sanctions.html", context, status=status)


def _taken_back(request: HttpRequest, row: Sanction) -> str:
    """The appeal that its writer has gone back to without sending it, or ""."""
    return take_back(request, reverse("standing-answer", args=[row.pk])).get("text", "")


def _member(request: HttpRequest) -> User:
    """The logged-in user; the views require one."""
    assert isinstance(request.user, User)
    return request.user


def _entry(request: HttpRequest, row: Sanction, words: str, problem: str) -> Entry:
    appeals = list(row.appeals.all())
    may_answer = can_appeal(row, appeals)
    return Entry(
        row,
        _title(row),
        _meaning(row),
        row.ended,
        appeals,
        may_read=row.kind == Kind.WARNING and row.ended is None,
        may_answer=may_answer,
        words=words or (_taken_back(request, row) if may_answer else ""),
        problem=problem,
    )


def _title(row: Sanction) -> str:
    return {
        Kind.WARNING: _("A warning"),
        Kind.MUTE: _("You are muted"),
        Kind.SUSPENSION: _("You are suspended"),
        Kind.BAN: _("You are banned"),
    }[Kind(row.kind)]


def _meaning(row: Sanction) -> str:
    return {
        Kind.WARNING: _("Read this to continue playing. Your clocks keep running in the meantime."),
        Kind.MUTE: _("You cannot write in chats. You can still play and keep private notes."),
        Kind.SUSPENSION: _(
            "You cannot play, join or create games, chat or invite. The clocks in your games keep "
            "running. If you run out of time, the game’s own rule applies."
        ),
        Kind.BAN: _("Computer players have taken over your seats. Your open games continue without you."),
    }[Kind(row.kind)]
