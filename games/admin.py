"""Games in the admin: what is public, to read. The state, the seed and the log are not for editing."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games import services
from games.models import ClosedAddress, Delivery, Endpoint, Game, Notification, Report, Seat
from games.models.systems import withheld
from games.queries.notices import without
from games.views.naming import withheld_names


class ReadOnly:
    """Nothing is added, changed or removed here: a game changes through its one door."""

    def has_add_permission(self, *args: Any) -> bool:
        return False

    def has_change_permission(self, *args: Any) -> bool:
        return False

    def has_delete_permission(self, *args: Any) -> bool:
        return False


class SeatInline(ReadOnly, admin.TabularInline):
    model = Seat
    fields = ["number", "user", "computer", "nickname"]


@admin.register(Game)
class GameAdmin(ReadOnly, admin.ModelAdmin):
    list_display = [
        "public_id",
        "name",
        "system",
        "preset",
        "status",
        "version",
        "host",
        "started",
        "moved",
        "due",
    ]
    list_filter = ["system", "preset", "status", "visibility", "practice"]
    list_select_related = ["host"]
    ordering = ["-pk"]
    search_fields = ["public_id", "name", "host__username"]
    exclude = ["state", "seed", "invite_code"]
    inlines = [SeatInline]

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Only the columns of the filters: by others one could ask for the state and the seed, bit by bit."""
        return lookup.split("__")[0] in self.list_filter

    def view_on_site(self, game: Game) -> str:
        return game.get_absolute_url()

    def get_queryset(self, request: HttpRequest) -> Any:
        return Game.objects.order_by(*self.ordering)


class OwnColumnsOnly(admin.ModelAdmin):
    """Lists are filtered by their own columns: by those of a game one could ask for its secrets."""

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        return lookup.split("__")[0] in self.list_filter


@admin.register(Notification)
class NotificationAdmin(ReadOnly, OwnColumnsOnly):
    """What people are told; what was given up can be sent once more."""

    list_display = [
        "made",
        "user",
        "kind",
        "game",
        "version",
        "endpoint",
        "state",
        "due",
        "attempts",
        "outcome",
    ]
    list_filter = ["state", "kind", "digest"]
    list_select_related = ["user", "game", "endpoint"]
    ordering = ["-made"]
    search_fields = ["user__username", "game__public_id", "message_id"]
    actions = ["send_once_more"]

    def get_queryset(self, request: HttpRequest) -> Any:
        """Less the news of games that are not shown."""
        return super().get_queryset(request).exclude(game__system__in=withheld())

    def has_resend_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_notification")

    @admin.action(description=_("Send once more what was given up"), permissions=["resend"])
    def send_once_more(self, request: HttpRequest, chosen: QuerySet[Notification]) -> None:
        again = chosen.filter(state=Notification.State.GIVEN_UP)
        number = again.update(
            state=Notification.State.WAITING, due=timezone.now(), attempts=0, settled=None, outcome=""
        )
        self.message_user(request, _("{n} will be sent if they are still true.").format(n=number))


@admin.register(Delivery)
class DeliveryAdmin(ReadOnly, OwnColumnsOnly):
    """Every attempt to hand something over."""

    list_display = ["at", "user", "address", "endpoint", "subject", "outcome", "detail", "trial"]
    list_filter = ["outcome", "trial"]
    list_select_related = ["user", "endpoint"]
    ordering = ["-at"]
    search_fields = ["user__username", "address", "message_id"]

    def get_queryset(self, request: HttpRequest) -> Any:
        """Less what names a game that is not shown."""
        return without(super().get_queryset(request), withheld_names())


@admin.register(Endpoint)
class EndpointAdmin(ReadOnly, OwnColumnsOnly):
    """Where people are told besides mail. The addresses are secrets of their owners."""

    list_display = ["made", "user", "kind", "name", "failures", "stopped", "trouble"]
    list_filter = ["kind"]
    list_select_related = ["user"]
    fields = ["user", "kind", "name", "made", "failures", "stopped", "trouble"]
    search_fields = ["user__username"]


@admin.register(Report)
class ReportAdmin(ReadOnly, OwnColumnsOnly):
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


@admin.register(ClosedAddress)
class ClosedAddressAdmin(OwnColumnsOnly):
    """Addresses of nobody on the site that want no mail; removing one opens it again."""

    list_display = ["address", "reason", "since"]
    search_fields = ["address"]

    def has_change_permission(self, *args: Any) -> bool:
        return False
