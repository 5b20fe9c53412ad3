"""The page of a member's sanctions and appeals."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Appeal, Sanction, User
from accounts.models.sanction import APPEAL_LENGTH
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
    messages.success(request, _("Thank you. You can play on."))
    return redirect("standing")


@require_POST
@login_required
def answer(request: HttpRequest, key: int) -> HttpResponse:
    """Submit an appeal."""
    text = request.POST.get("text", "")
    if not ratelimit.consume(request, action="appeal"):
        return page(request, {key: (text, _("You have written a lot today. Go on tomorrow."))}, status=429)
    try:
        if sanctions.appeal(_member(request), key, text) is None:
            raise Http404
    except AppealRejected as error:
        return page(request, {key: (text, str(error.message))}, status=error.status)
    messages.success(request, _("Those who look after the site will read it."))
    return redirect("standing")


def page(
    request: HttpRequest, problems: dict[int, tuple[str, str]] | None = None, status: int = 200
) -> HttpResponse:
    """Render the page; `problems` holds rejected texts and the reasons, by sanction."""
    rows = Sanction.objects.filter(member=request.user.pk).prefetch_related("appeals")
    refused = problems or {}
    entries = [_entry(row, *refused.get(row.pk, ("", ""))) for row in rows]
    context: dict[str, Any] = {
        "now": [entry for entry in entries if entry.ended is None],
        "before": [entry for entry in entries if entry.ended is not None],
        "most": APPEAL_LENGTH,
    }
    return render(request, "accounts/sanctions.html", context, status=status)


def _member(request: HttpRequest) -> User:
    """The logged-in user; the views require one."""
    assert isinstance(request.user, User)
    return request.user


def _entry(row: Sanction, words: str, problem: str) -> Entry:
    appeals = list(row.appeals.all())
    return Entry(
        row,
        _title(row),
        _meaning(row),
        row.ended,
        appeals,
        may_read=row.kind == Kind.WARNING and row.ended is None,
        may_answer=can_appeal(row, appeals),
        words=words,
        problem=problem,
    )


def _title(row: Sanction) -> str:
    return {
        Kind.WARNING: _("A warning"),
        Kind.MUTE: _("You may not talk"),
        Kind.SUSPENSION: _("You may not play"),
        Kind.BAN: _("You may not play here any more"),
    }[Kind(row.kind)]


def _meaning(row: Sanction) -> str:
    return {
        Kind.WARNING: _("Read it before you play on. Your clocks go on meanwhile."),
        Kind.MUTE: _("You say nothing at tables. You play on as before, and your notes are yours."),
        Kind.SUSPENSION: _(
            "You do not play, join, open games, talk or invite. The clocks of your games go on: when your"
            " time is over, what the table has chosen for that happens."
        ),
        Kind.BAN: _("Computers have taken your seats, and your open games went on without you."),
    }[Kind(row.kind)]
