"""What members report, in the admin: the queue, and the page of a report with what one needs to judge it."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from accounts.acting import ActingAdmin, Offer
from accounts.models import User
from accounts.services import actions
from accounts.services.refusals import Refusal
from games.models import Game, Report, ReportAnswer
from games.models.systems import withheld
from games.queries import reports
from games.services import REPORT_ACTIONS, handling
from games.views.naming import reported, title

from .reading import OwnColumnsOnly, ReadOnly


@admin.register(Report)
class ReportAdmin(ReadOnly, ActingAdmin, OwnColumnsOnly):
    """Reports, those about oneself apart: nobody reads who complained of them."""

    acts = REPORT_ACTIONS
    change_list_template = "admin/reports.html"
    change_form_template = "admin/report.html"
    list_display = ["made", "what", "trouble", "claimed_by", "handed", "settled", "outcome"]
    list_filter = ["about", "trouble", "outcome", "settled"]
    list_select_related = ["by", "person", "line", "game", "claimed_by"]
    ordering = ["-made"]
    # Not by who reported: that is for those alone who may judge it.
    search_fields = ["person__username"]
    fields = ["handed", "settled", "outcome", "answer"]

    @admin.display(description=_("what"))
    def what(self, report: Report) -> str:
        return reported(report)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        """All that is not about oneself; for who manages members alone what was handed on to them."""
        found = super().get_queryset(request).exclude(person=request.user.pk)
        return found if _handles(request) else found.exclude(handed=None)

    def has_view_permission(self, request: HttpRequest, obj: Report | None = None) -> bool:
        right = handling.MANAGE if obj is None or obj.handed else handling.HANDLE
        return _handles(request) or request.user.has_perm(right)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        return [
            path("queue/", wrap(require_safe(self.queue_view)), name="games_report_queue"),
            path("<int:key>/claim/", wrap(require_POST(self.claim_view)), name="games_report_claim"),
            path("<int:key>/release/", wrap(require_POST(self.release_view)), name="games_report_release"),
            *super().get_urls(),
        ]

    def queue_view(self, request: HttpRequest) -> HttpResponse:
        """The open reports, the oldest first, those of one thing together."""
        if not self.has_view_permission(request):
            raise Http404
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _now("Open reports"),
            "groups": [(group, reported(group.first)) for group in reports.queue(_person(request))],
        }
        return TemplateResponse(request, "admin/report_queue.html", context)

    def claim_view(self, request: HttpRequest, key: int) -> HttpResponse:
        """Take the reports of one thing."""
        report = self._asked_for(request, key)
        try:
            handling.claim(report, _person(request))
        except Refusal as refused:
            messages.error(request, refused.message)
        return redirect("admin:games_report_change", report.pk)

    def release_view(self, request: HttpRequest, key: int) -> HttpResponse:
        """Leave them to others again."""
        report = self._asked_for(request, key)
        try:
            handling.release(report, _person(request))
        except Refusal as refused:
            messages.error(request, refused.message)
        return redirect("admin:games_report_queue")

    def _asked_for(self, request: HttpRequest, key: int) -> Report:
        report = self.get_queryset(request).filter(pk=key).first()
        if report is None or not self.has_view_permission(request, report):
            raise Http404
        return report

    def offers(self, request: HttpRequest, target: Report) -> list[Offer]:
        """What can be answered now, by who has taken the report."""
        by = _person(request)
        if not handling.has(target, by) or handling.bars(target, by):
            return []
        return [
            Offer(action, self.act_url(target, action), None)
            for action in self.acts.values()
            if actions.may(action, by) and not (action.against and action.against(target))
        ]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """The report with what was said around it, who is meant, and what was reported of them before."""
        if report := kwargs.get("obj"):
            context |= _judged_by(report, _person(request))
        return super().render_change_form(request, context, *args, **kwargs)


@admin.register(ReportAnswer)
class ReportAnswerAdmin(admin.ModelAdmin):
    """The words to answer with. Those who handle reports write them."""

    list_display = ["name", "text"]
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
    return request.user.has_perm(handling.HANDLE)


def _person(request: HttpRequest) -> User:
    assert not isinstance(request.user, AnonymousUser)  # admin_view has seen to it
    return request.user


def _judged_by(report: Report, by: User) -> dict[str, Any]:
    """What the page tells besides. Who has a part in it is told why, and nothing that was said."""
    barred = handling.bars(report, by)
    same = reports.together(report)
    game = report.game if report.game and report.game.system not in withheld() else None
    facts = {
        "what": reported(report),
        "barred": barred,
        "same": same,
        "held_until": handling.held_until(report),
        "is_mine": report.claimed_by_id == by.pk and handling.held_until(report) is not None,
        "game": game,
        "game_title": title(game) if game else "",
        "game_url": _game_url(game) if game and by.has_perm("games.view_game") else "",
    }
    if barred:
        return facts
    person = report.person
    return {
        **facts,
        "lines": reports.lines_around(report.line) if report.line else [],
        "person": person,
        "person_url": _person_url(person) if person and by.has_perm("accounts.view_user") else "",
        "earlier": [(row, reported(row)) for row in reports.reports_about(person, same)] if person else [],
        "sanctions": person.sanctions.order_by("-made") if person else [],
    }


def _game_url(game: Game) -> str:
    return reverse("admin:games_game_change", args=[game.pk])


def _person_url(person: User) -> str:
    return reverse("admin:accounts_user_change", args=[person.pk])
