"""Abuse reports in the admin."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.moderation import staff_actions
from accounts.moderation.staff_actions import Action
from accounts.refusals import Refusal
from accounts.web.moderation.action_admin import ActionAdmin, ActionLink
from accounts.web.moderation.read_only_admin import ReadOnly
from games.models import AbuseReport, Game, ReplyTemplate
from games.models.playable_systems import withheld_systems
from games.moderation import report_claims, report_queue
from games.moderation.actions.game_actions import GAME_ACTIONS
from games.moderation.report_actions import REPORT_ACTIONS
from games.moderation.reported_actions import possible_actions, reported_actions
from games.web.text.game_titles import report_subject, title


@admin.register(AbuseReport)
class ReportAdmin(ReadOnly, ActionAdmin):
    """Abuse reports, without those about the reader."""

    acts = REPORT_ACTIONS
    change_list_template = "admin/reports.html"
    change_form_template = "admin/report.html"
    list_display = ["made", "what", "category", "claimed_by", "escalated_at", "settled", "outcome"]
    list_filter = ["about", "category", "outcome", "settled"]
    list_select_related = ["by", "person", "line", "game", "claimed_by"]
    ordering = ["-made"]
    # Not by reporter: only those who judge a report may know that.
    search_fields = ["person__username"]
    fields = ["escalated_at", "settled", "outcome", "answer"]

    @admin.display(description=_("subject"))
    def what(self, report: AbuseReport) -> str:
        return report_subject(report)

    def get_queryset(self, request: HttpRequest) -> QuerySet[AbuseReport]:
        """Return reports not about the reader; for managers of members only, the escalated ones."""
        found = super().get_queryset(request).exclude(person=request.user.pk)
        found = found.prefetch_related("game__seats__user")
        return found if _handles(request) else found.exclude(escalated_at=None)

    def has_view_permission(self, request: HttpRequest, obj: AbuseReport | None = None) -> bool:
        right = report_claims.MANAGE if obj is None or obj.escalated_at else report_claims.HANDLE
        return _handles(request) or request.user.has_perm(right)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        return [
            path("queue/", wrap(require_safe(self.queue_view)), name="games_abusereport_queue"),
            path("<int:key>/claim/", wrap(require_POST(self.claim_view)), name="games_abusereport_claim"),
            path(
                "<int:key>/release/", wrap(require_POST(self.release_view)), name="games_abusereport_release"
            ),
            *super().get_urls(),
        ]

    def queue_view(self, request: HttpRequest) -> HttpResponse:
        """Show the open reports, the oldest first, grouped by subject."""
        if not self.has_view_permission(request):
            raise Http404
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _now("Open reports"),
            "groups": [
                (group, report_subject(group.first)) for group in report_queue.queue(_person(request))
            ],
        }
        return TemplateResponse(request, "admin/report_queue.html", context)

    def claim_view(self, request: HttpRequest, key: int) -> HttpResponse:
        """Claim all open reports on the same subject; with an action, go on to its form."""
        report = self._asked_for(request, key)
        name, _mark, preset = request.POST.get("act", "").partition(":")
        action = self.find_action(name, report) if name else None
        if name and action is None:
            raise Http404
        try:
            report_claims.claim(report, _person(request))
        except Refusal as refused:
            messages.error(request, refused.message)
            return redirect("admin:games_abusereport_change", report.pk)
        if action is None:
            return redirect("admin:games_abusereport_change", report.pk)
        asked = f"?{urlencode({'preset': preset})}" if preset else ""
        return redirect(f"{self.act_url(report, action)}{asked}")

    def release_view(self, request: HttpRequest, key: int) -> HttpResponse:
        """Release the claimed reports."""
        report = self._asked_for(request, key)
        try:
            report_claims.release(report, _person(request))
        except Refusal as refused:
            messages.error(request, refused.message)
        return redirect("admin:games_abusereport_queue")

    def _asked_for(self, request: HttpRequest, key: int) -> AbuseReport:
        report = self.get_queryset(request).filter(pk=key).first()
        if report is None or not self.has_view_permission(request, report):
            raise Http404
        return report

    def target_name(self, target: AbuseReport) -> str:
        return report_subject(target)

    def find_action(self, name: str, target: AbuseReport) -> Action | None:
        """Return an action on the report, or on what it is about, which settles it."""
        return self.acts.get(name) or reported_actions(target).get(name)

    def offers(self, request: HttpRequest, target: AbuseReport) -> list[ActionLink]:
        """The actions on the report that this member of staff can begin; beginning one claims the report."""
        by = _person(request)
        return [
            self.action_link(action, target, None)
            for action in self.acts.values()
            if _may_begin(target, by)
            and staff_actions.has_permission(action, by)
            and not (action.against and action.against(target))
        ]

    def deeds(self, request: HttpRequest, target: AbuseReport) -> list[tuple[Any, list[ActionLink]]]:
        """The same for actions on the game and on the person, under their headings."""
        by = _person(request)
        possible = possible_actions(target, by) if _may_begin(target, by) else []
        links = [self.action_link(action, target, None) for action in possible]
        in_game = [link for link in links if link.action.name in GAME_ACTIONS]
        on_person = [link for link in links if link not in in_game]
        groups = ((_now("With the game"), in_game), (_now("With the person"), on_person))
        return [(heading, found) for heading, found in groups if found]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Render the report with its context: messages around it, the person, and earlier reports."""
        if report := kwargs.get("obj"):
            context |= _judged_by(report, _person(request))
            context["deeds"] = self.deeds(request, report)
        return super().render_change_form(request, context, *args, **kwargs)


@admin.register(ReplyTemplate)
class ReportAnswerAdmin(admin.ModelAdmin):
    """Reply templates, written by those who handle reports."""

    list_display = ["name", "text"]
    fields = ["name", "text"]
    search_fields = ["name", "text"]

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _handles(request) or super().has_view_permission(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _handles(request) or super().has_change_permission(request, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return _handles(request) or super().has_add_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _handles(request) or super().has_delete_permission(request, obj)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return _handles(request) or super().has_module_permission(request)


def _handles(request: HttpRequest) -> bool:
    return request.user.has_perm(report_claims.HANDLE)


def _person(request: HttpRequest) -> User:
    assert not isinstance(request.user, AnonymousUser)  # ensured by admin_view
    return request.user


def _may_begin(report: AbuseReport, by: User) -> bool:
    """Return whether this person can act on the report, and nobody else is at it."""
    if report.settled or report_claims.claim_bar(report, by) or not report_claims.may_handle(report, by):
        return False
    return report_claims.claimed_until(report) is None or report.claimed_by_id == by.pk


def _judged_by(report: AbuseReport, by: User) -> dict[str, Any]:
    """The context of a report; for staff barred from it, only the reason and no messages."""
    barred = report_claims.claim_bar(report, by)
    same = report_queue.same_subject(report)
    game = report.game if report.game and report.game.system not in withheld_systems() else None
    facts = {
        "what": report_subject(report),
        "barred": barred,
        "same": same,
        "held_until": report_claims.claimed_until(report),
        "is_mine": report.claimed_by_id == by.pk and report_claims.claimed_until(report) is not None,
        "game": game,
        "game_title": title(game) if game else "",
        "game_url": _game_url(game) if game and by.has_perm("games.view_game") else "",
    }
    if barred:
        return facts
    person = report.person
    return {
        **facts,
        "lines": report_queue.lines_around(report.line) if report.line else [],
        "person": person,
        "person_url": _person_url(person) if person and by.has_perm("accounts.view_user") else "",
        "earlier": [(row, report_subject(row)) for row in report_queue.reports_about(person, same)]
        if person
        else [],
        "sanctions": person.sanctions.order_by("-made") if person else [],
    }


def _game_url(game: Game) -> str:
    return reverse("admin:games_game_change", args=[game.pk])


def _person_url(person: User) -> str:
    return reverse("admin:accounts_user_change", args=[person.pk])
