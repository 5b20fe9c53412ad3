"""Members and appeals in the admin."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.models import Appeal, User
from accounts.moderation.member_actions import MEMBER_ACTIONS
from accounts.moderation.member_file import member_file_sections
from accounts.web.moderation.action_admin import ActionAdmin
from accounts.web.moderation.read_only_admin import ReadOnly

MANAGE = "accounts.manage_member"

# Fields shown only to member managers and administrators.
_PRIVATE = {"email", "mail_stopped", "time_zone", "last_login"}


@admin.register(User)
class UserAdmin(ReadOnly, ActionAdmin):
    """Members in the admin. Whatever changes one is a staff action, also for superusers."""

    acts = MEMBER_ACTIONS
    change_form_template = "admin/member.html"
    list_display = ["username", "email", "is_guest", "is_staff", "is_active", "last_seen", "date_joined"]
    list_filter = ["is_guest", "is_staff", "is_active", "has_unread_warning", "last_seen"]
    list_per_page = 50
    search_fields = ["username", "email", "emailaddress__email"]
    ordering = ["username"]
    fieldsets = [
        (None, {"fields": ["username", "email", "is_guest"]}),
        (
            _("Permissions"),
            {
                "fields": ["is_active", "is_staff", "is_superuser", "groups", "user_permissions"],
                "classes": ["collapse"],
            },
        ),
        (_("Email"), {"fields": ["mail_stopped", "time_zone"]}),
        (
            _("Dates"),
            {"fields": ["last_seen", "last_login", "date_joined", "terms_accepted", "deletion_started_at"]},
        ),
    ]

    def has_view_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return request.user.has_perm("accounts.view_user") or request.user.has_perm(MANAGE)

    def get_list_display(self, request: HttpRequest) -> Any:
        return [name for name in self.list_display if _shows(request, name)]

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        return self.search_fields if request.user.has_perm(MANAGE) else ["username"]

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        """All fields for superusers, and the necessary ones for other staff."""
        found = super().get_fieldsets(request, obj)
        if request.user.is_superuser:
            return found
        hidden = {"groups", "user_permissions", "deletion_started_at"}
        shown = [
            (title, [name for name in part["fields"] if name not in hidden and _shows(request, name)])
            for title, part in found
        ]
        return [(title, {"fields": fields}) for title, fields in shown if fields]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Render the page of one member, with the member file for member managers."""
        member = kwargs.get("obj")
        if member and request.user.has_perm(MANAGE):
            context["chapters"] = member_file_sections(member)
        return super().render_change_form(request, context, *args, **kwargs)


class Waiting(admin.SimpleListFilter):
    """Filter for appeals with and without a reply."""

    title = _("reply")
    parameter_name = "reply"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("none", _("waiting for reply")), ("some", _("replied"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Appeal]) -> QuerySet[Appeal]:
        if self.value() not in ("none", "some"):
            return queryset
        return queryset.filter(replied__isnull=self.value() == "none")


@admin.register(Appeal)
class AppealAdmin(admin.ModelAdmin):
    """Appeals in the admin; the reply is an action on the member's page."""

    list_display = ["made", "member", "kind", "text", "replied", "reply"]
    list_filter = [Waiting, "sanction__kind"]
    list_select_related = ["sanction__member"]
    ordering = ["replied", "made"]
    search_fields = ["sanction__member__username"]
    fields = ["member", "kind", "text", "made", "reply", "replied", "replied_by"]

    @admin.display(description=_("member"))
    def member(self, appeal: Appeal) -> str:
        member = appeal.sanction.member
        return format_html(
            '<a href="{}">{}</a>', reverse("admin:accounts_user_change", args=[member.pk]), member
        )

    @admin.display(description=_("kind"))
    def kind(self, appeal: Appeal) -> str:
        return appeal.sanction.get_kind_display()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Appeal]:
        return super().get_queryset(request).select_related("sanction__member", "replied_by")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(MANAGE)

    def has_view_permission(self, request: HttpRequest, obj: Appeal | None = None) -> bool:
        return request.user.has_perm(MANAGE)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Appeal | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Appeal | None = None) -> bool:
        return False


def _shows(request: HttpRequest, name: Any) -> bool:
    return name not in _PRIVATE or request.user.has_perm(MANAGE)
