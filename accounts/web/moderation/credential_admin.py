"""Second factors, sessions, addresses and groups in the admin, without their secrets."""

from allauth.account import admin as account_admin  # noqa: F401 - registers its own page, which is replaced here
from allauth.account.models import EmailAddress
from allauth.mfa import admin as mfa_admin  # noqa: F401 - likewise
from allauth.mfa.models import Authenticator
from allauth.usersessions import admin as session_admin  # noqa: F401 - likewise
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth import admin as auth_admin
from django.contrib.auth.models import Group

from accounts.web.moderation.read_only_admin import ReadOnly

for _replaced in (Authenticator, EmailAddress, UserSession, Group):
    admin.site.unregister(_replaced)


@admin.register(Authenticator)
class AuthenticatorAdmin(ReadOnly, admin.ModelAdmin):
    """Second factors; a staff action removes those of a member who lost them."""

    list_display = ["user", "type", "created_at", "last_used_at"]
    list_filter = ["type"]
    list_select_related = ["user"]
    fields = ["user", "type", "created_at", "last_used_at"]
    search_fields = ["user__username"]


@admin.register(EmailAddress)
class EmailAddressAdmin(ReadOnly, admin.ModelAdmin):
    """Addresses of members; a staff action confirms one."""

    list_display = ["email", "user", "primary", "verified"]
    list_filter = ["primary", "verified"]
    list_select_related = ["user"]
    fields = ["email", "user", "primary", "verified"]
    search_fields = ["email", "user__username"]


@admin.register(UserSession)
class UserSessionAdmin(ReadOnly, admin.ModelAdmin):
    """Sessions of members; a staff action ends those of a member."""

    list_display = ["user", "created_at", "last_seen_at", "ip", "user_agent"]
    list_select_related = ["user"]
    fields = ["user", "created_at", "last_seen_at", "ip", "user_agent"]
    search_fields = ["user__username", "ip"]


@admin.register(Group)
class GroupAdmin(auth_admin.GroupAdmin):
    fields = ["name", "permissions"]
