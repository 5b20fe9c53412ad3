"""People and the operator's pages in the admin."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts import pages
from accounts.models import Page, User


@admin.register(User)
class UserAdmin(DjangoUserAdmin):
    list_display = ["username", "email", "is_guest", "is_staff", "is_active", "last_seen", "date_joined"]
    list_filter = ["is_guest", "is_staff", "is_active", "last_seen"]
    list_per_page = 50
    search_fields = ["username", "email"]
    ordering = ["username"]
    readonly_fields = ["last_seen", "last_login", "date_joined", "terms_accepted", "leaving"]
    fieldsets = [
        (None, {"fields": ["username", "password", "email", "is_guest"]}),
        (_("Rights"), {"fields": ["is_active", "is_staff", "is_superuser", "groups", "user_permissions"]}),
        (_("Mail"), {"fields": ["mail_stopped", "time_zone"]}),
        (_("Dates"), {"fields": ["last_seen", "last_login", "date_joined", "terms_accepted", "leaving"]}),
    ]


@admin.register(Page)
class PageAdmin(admin.ModelAdmin):
    """The three pages that the operator writes. One that is deleted goes back to what came with the site."""

    list_display = ["title", "slug", "changed"]
    readonly_fields = ["slug", "changed"]
    fields = ["slug", "title", "text", "changed"]

    def has_add_permission(self, *args: Any) -> bool:
        return False

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        # So that there is something to change.
        for slug in Page.Slug:
            Page.objects.get_or_create(slug=slug, defaults=pages.words(slug))
        return super().changelist_view(request, extra_context)

    def view_on_site(self, page: Page) -> str:
        return reverse("page", args=[page.slug])
