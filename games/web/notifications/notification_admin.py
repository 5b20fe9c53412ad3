"""Admin pages of notifications, delivery attempts and endpoints."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.web.moderation.read_only_admin import ReadOnly
from games.models import DeliveryAttempt, Endpoint, Notification, UnsubscribedAddress
from games.models.playable_systems import withheld_systems
from games.notifications.delivery_history import without
from games.notifications.outbox import outbox_rows
from games.web.text.game_titles import withheld_names


@admin.register(Notification)
class NotificationAdmin(ReadOnly, admin.ModelAdmin):
    """Notifications; those given up can be sent again."""

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
    fields = [
        *("made", "user", "kind", "game", "version", "endpoint", "state", "due", "attempts", "outcome"),
        *("digest", "message_id", "settled"),
    ]
    actions = ["send_once_more"]

    def get_queryset(self, request: HttpRequest) -> Any:
        """Leave out notifications of withheld games."""
        return super().get_queryset(request).exclude(game__system__in=withheld_systems())

    def has_resend_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_notification")

    @admin.action(description=_("Resend failed notifications"), permissions=["resend"])
    def send_once_more(self, request: HttpRequest, chosen: QuerySet[Notification]) -> None:
        again = chosen.filter(state=Notification.State.GIVEN_UP)
        number = again.update(**outbox_rows.resend_columns())
        sentence = ngettext(
            "We will resend {n} notification if it still applies.",
            "We will resend {n} notifications if they still apply.",
            number,
        )
        self.message_user(request, sentence.format(n=number))


@admin.register(DeliveryAttempt)
class DeliveryAdmin(ReadOnly, admin.ModelAdmin):
    """All delivery attempts."""

    list_display = ["at", "user", "address", "endpoint", "subject", "outcome", "detail", "trial"]
    list_filter = ["outcome", "trial"]
    list_select_related = ["user", "endpoint"]
    ordering = ["-at"]
    search_fields = ["user__username", "address", "message_id"]
    fields = [
        *("at", "user", "address", "endpoint", "subject", "outcome", "detail", "trial", "message_id"),
    ]

    def get_queryset(self, request: HttpRequest) -> Any:
        """Leave out deliveries whose subject names a withheld game."""
        return without(super().get_queryset(request), withheld_names())


@admin.register(Endpoint)
class EndpointAdmin(ReadOnly, admin.ModelAdmin):
    """Endpoints. Their URLs are secrets of their owners and are not shown."""

    list_display = ["made", "user", "kind", "name", "failures", "stopped", "trouble"]
    list_filter = ["kind"]
    list_select_related = ["user"]
    fields = ["user", "kind", "name", "made", "failures", "stopped", "trouble"]
    search_fields = ["user__username"]


@admin.register(UnsubscribedAddress)
class ClosedAddressAdmin(admin.ModelAdmin):
    """Unsubscribed addresses of people who are no members; deleting one allows mail again."""

    list_display = ["address", "reason", "since"]
    fields = ["address", "reason", "since"]
    search_fields = ["address"]

    def has_change_permission(self, *args: Any) -> bool:
        return False
