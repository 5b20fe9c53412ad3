"""The desk of the staff in the admin."""

from dataclasses import dataclass
from typing import Any, Final

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.moderation import report_claims
from games.moderation.desk.desk_case import MOST, DeskCase, DeskTopic
from games.moderation.desk.moderation_desk import desk

GAMES: Final = "games.moderate_game"

# The permissions of which any one suffices for a topic.
_RIGHTS: Final = {
    DeskTopic.STUCK: [GAMES],
    DeskTopic.FAILED: [GAMES],
    DeskTopic.OVERDUE: [GAMES],
    DeskTopic.SEAT: [GAMES],
    DeskTopic.HELD: [GAMES],
    DeskTopic.REPORT: [report_claims.HANDLE, report_claims.MANAGE],
    DeskTopic.APPEAL: [report_claims.MANAGE],
    DeskTopic.SIGN_UP: [report_claims.MANAGE],
    DeskTopic.UNSENT: ["games.view_notification"],
}


@dataclass(frozen=True, slots=True)
class DeskSection:
    """The cases of one topic; `number` has a plus if there are more."""

    concern: DeskTopic
    cases: list[tuple[DeskCase, str]]
    number: str


@never_cache
@require_safe
def desk_page(request: HttpRequest) -> HttpResponse:
    """Show the cases on the desk that the reader can settle."""
    if not may_use(request.user):
        raise PermissionDenied
    shown = desk_sections(request.user)
    context = {
        **admin.site.each_context(request),
        "title": _("Moderation queue"),
        "piles": [pile for pile in shown if pile.cases],
    }
    return render(request, "admin/desk.html", context)


def may_use(user: Any) -> bool:
    """Return whether the user is a member of staff with a desk."""
    return bool(user.is_active and user.is_staff and user.has_perm("accounts.use_desk"))


def desk_sections(user: Any) -> list[DeskSection]:
    """The sections of a user's desk, including empty ones."""
    mine = [concern for concern, rights in _RIGHTS.items() if any(map(user.has_perm, rights))]
    return [
        DeskSection(concern, [(case, _url(case)) for case in cases], _number(cases))
        for concern, cases in desk(timezone.now(), user, mine).items()
    ]


def _number(cases: list[DeskCase]) -> str:
    return f"{MOST}+" if len(cases) >= MOST else str(len(cases))


def _url(case: DeskCase) -> str:
    """Return the address of the admin page where a case is settled."""
    page = f"admin:{case.model.replace('.', '_')}"
    if case.key is not None:
        return reverse(f"{page}_change", args=[case.key])
    return f"{reverse(f'{page}_changelist')}?{urlencode(case.search)}"
