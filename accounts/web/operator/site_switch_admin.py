"""The site switches in the admin, turned by staff actions."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import SiteSwitch
from accounts.moderation.switch_actions import SWITCH_ACTIONS
from accounts.web.moderation.action_admin import ActionAdmin


@admin.register(SiteSwitch)
class SwitchAdmin(ActionAdmin):
    list_display = ["kind", "on", "since", "until", "text"]
    fields = ["kind", "on", "since", "until", "text"]
    readonly_fields = ["on"]
    actions = None
    acts = SWITCH_ACTIONS

    @admin.display(description=_("on"), boolean=True)
    def on(self, switch: SiteSwitch) -> bool:
        return switch.is_on()

    def has_add_permission(self, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: SiteSwitch | None = None) -> bool:
        return False

    def has_delete_permission(self, *args: Any) -> bool:
        return False
