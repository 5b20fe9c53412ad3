"""Second factors, sessions and groups in the admin: who has which; never what they hold."""

from typing import Any

from allauth.mfa import admin as mfa_admin  # noqa: F401 - registers its own page, which is replaced here
from allauth.mfa.models import Authenticator
from allauth.usersessions import admin as session_admin  # noqa: F401 - likewise
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth import admin as auth_admin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest

for _replaced in (Authenticator, UserSession, Group):
    admin.site.unregister(_replaced)


class _SeenAndDeleted(admin.ModelAdmin):
    """Rows that only their owner makes and that staff can take away."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Authenticator)
class AuthenticatorAdmin(_SeenAndDeleted):
    """Second factors. A member who lost one can log in with the password once it is deleted here."""

    list_display = ["user", "type", "created_at", "last_used_at"]
    list_filter = ["type"]
    list_select_related = ["user"]
    fields = ["user", "type", "created_at", "last_used_at"]
    search_fields = ["user__username"]


@admin.register(UserSession)
class UserSessionAdmin(_SeenAndDeleted):
    """Sessions of members. Deleting one logs that browser out."""

    list_display = ["user", "created_at", "last_seen_at", "ip", "user_agent"]
    list_select_related = ["user"]
    fields = ["user", "created_at", "last_seen_at", "ip", "user_agent"]
    search_fields = ["user__username", "ip"]

    def delete_model(self, request: HttpRequest, obj: UserSession) -> None:
        obj.end()

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[UserSession]) -> None:
        for session in queryset:
            session.end()


@admin.register(Group)
class GroupAdmin(auth_admin.GroupAdmin):
    fields = ["name", "permissions"]
