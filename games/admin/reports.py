"""What members report, in the admin."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.acting import ActingAdmin
from games import services
from games.models import Report

from .reading import OwnColumnsOnly, ReadOnly


@admin.register(Report)
class ReportAdmin(ReadOnly, ActingAdmin, OwnColumnsOnly):
    """Lines of the talk that somebody reported: take them away, or let them stay."""

    list_display = ["made", "said_by", "said", "channel", "by", "reason", "game", "settled", "outcome"]
    list_filter = ["outcome", "settled"]
    list_select_related = ["by", "line__user", "line__game"]
    ordering = ["-made"]
    search_fields = ["by__username", "line__user__username"]
    actions = ["take_away", "let_stay"]

    @admin.display(description=_("said by"))
    def said_by(self, report: Report) -> str:
        return str(report.line.user)

    @admin.display(description=_("what was said"))
    def said(self, report: Report) -> str:
        return report.line.text

    @admin.display(description=_("read by"))
    def channel(self, report: Report) -> str:
        return report.line.get_channel_display()

    @admin.display(description=_("game"))
    def game(self, report: Report) -> str:
        return report.line.game.public_id

    def has_settle_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_report")

    @admin.action(description=_("Take the lines away: nobody reads them any more"), permissions=["settle"])
    def take_away(self, request: HttpRequest, chosen: QuerySet[Report]) -> None:
        self._settle(request, chosen, remove=True)

    @admin.action(description=_("Let the lines stay"), permissions=["settle"])
    def let_stay(self, request: HttpRequest, chosen: QuerySet[Report]) -> None:
        self._settle(request, chosen, remove=False)

    def _settle(self, request: HttpRequest, chosen: QuerySet[Report], *, remove: bool) -> None:
        open_ones = list(chosen.filter(settled=None))
        for report in open_ones:
            services.settle(report, remove=remove)
        self.message_user(request, _("{n} settled.").format(n=len(open_ones)))
