"""The audit in the admin: read, search and export; nobody changes it."""

import csv
from collections.abc import Iterable, Iterator
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.models import AuditEntry, User

# Prefixes that spreadsheets take for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")

COLUMNS = ("made", "by", "action", "game", "member", "reason", "details")


class AuditList(ChangeList):
    """A page of the list that loads the names of the members in the details."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.result_list = with_names(self.result_list)


@admin.register(AuditEntry)
class AuditAdmin(admin.ModelAdmin):
    list_display = ["made", "by_name", "action", "game", "about", "reason", "facts"]
    list_filter = ["action", "made"]
    list_per_page = 50
    search_fields = ["by_name", "action", "game", "reason", "member__username"]
    fields = ["made", "by_name", "action", "game", "about", "reason", "facts"]
    readonly_fields = ["about", "facts"]
    actions = None
    change_list_template = "admin/audit.html"

    def has_view_permission(self, request: HttpRequest, obj: AuditEntry | None = None) -> bool:
        return request.user.is_active and request.user.is_staff

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: AuditEntry | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: AuditEntry | None = None) -> bool:
        return False

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return AuditList

    @admin.display(description=_("member"), ordering="member__username")
    def about(self, entry: AuditEntry) -> str:
        """The member's current name; empty if the account is deleted."""
        return name_of(entry)

    @admin.display(description=_("details"))
    def facts(self, entry: AuditEntry) -> str:
        return told(entry)

    # -- As a file -------------------------------------------------------------------------------------

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(require_safe(self.export))
        return [path("export/", view, name="accounts_auditentry_export"), *super().get_urls()]

    def export(self, request: HttpRequest) -> HttpResponse:
        """Export all pages of the list as CSV."""
        found = self.get_changelist_instance(request).get_queryset(request)
        day = timezone.localdate().isoformat()
        disposition = f'attachment; filename="audit-{day}.csv"'
        answer = HttpResponse(
            content_type="text/csv; charset=utf-8", headers={"Content-Disposition": disposition}
        )
        csv.writer(answer).writerows(table(found))
        return answer


def table(entries: Iterable[AuditEntry]) -> Iterator[list[str]]:
    """The entries as rows of text with a header row, safe for spreadsheets."""
    yield list(COLUMNS)
    for entry in with_names(entries):
        made = timezone.localtime(entry.made).isoformat(timespec="seconds")
        row = [made, entry.by_name, entry.action, entry.game, name_of(entry), entry.reason, told(entry)]
        yield [harmless(cell) for cell in row]


def harmless(cell: str) -> str:
    """Return the text, quoted if a spreadsheet would take it for a formula."""
    return f"'{cell}" if cell.lstrip(" ").startswith(_FORMULA) else cell


def name_of(entry: AuditEntry) -> str:
    """The name of the member that the entry is about, or ""."""
    return "" if entry.member_id is None else _known(entry).get(entry.member_id, "")


def told(entry: AuditEntry) -> str:
    """The details on one line, with current names."""
    names = _known(entry)
    return "; ".join(f"{name}: {_word(value, names)}" for name, value in entry.details.items())


def with_names(entries: Iterable[AuditEntry]) -> list[AuditEntry]:
    """The entries with the names that they need, loaded in one query."""
    found = list(entries)
    names = _names(found)
    for entry in found:
        entry.__dict__["names"] = names
    return found


def _known(entry: AuditEntry) -> dict[int, str]:
    names: dict[int, str] | None = entry.__dict__.get("names")
    return _names([entry]) if names is None else names


def _names(entries: Iterable[AuditEntry]) -> dict[int, str]:
    keys = {key for entry in entries for key in _members(entry)}
    return dict(User.objects.filter(pk__in=keys).values_list("pk", "username")) if keys else {}


def _members(entry: AuditEntry) -> Iterator[int]:
    if entry.member_id is not None:
        yield entry.member_id
    for value in entry.details.values():
        if _is_member(value):
            yield value["member"]


def _word(value: Any, names: dict[int, str]) -> str:
    return names.get(value["member"], "") if _is_member(value) else str(value)


def _is_member(value: Any) -> bool:
    return isinstance(value, dict) and set(value) == {"member"}
