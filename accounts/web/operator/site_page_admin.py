"""The operator's pages in the admin."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse

from accounts.models import SitePage
from accounts.operator import site_pages


@admin.register(SitePage)
class PageAdmin(admin.ModelAdmin):
    """Pages by the operator, prefilled with the built-in text.

    Deleting one restores the built-in page.
    """

    list_display = ["title", "slug", "changed"]
    fields = ["slug", "title", "text", "changed"]

    def get_readonly_fields(self, request: HttpRequest, obj: SitePage | None = None) -> list[str]:
        return ["slug", "changed"] if obj else ["changed"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return whether a page is still built-in."""
        return super().has_add_permission(request) and bool(_unwritten())

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        asked, left = request.GET.get("slug"), _unwritten()
        slug = asked if asked in left else left[0]
        return {"slug": slug, **site_pages.words(slug)}

    def view_on_site(self, page: SitePage) -> str:
        return reverse("page", args=[page.slug])


def _unwritten() -> list[str]:
    """The slugs of pages that are still built-in."""
    written = set(SitePage.objects.values_list("slug", flat=True))
    return [slug for slug in SitePage.Slug.values if slug not in written]
