"""The admin site, in which each model lists what its pages show and can be asked for."""

from typing import Any, cast

from django.contrib import admin
from django.contrib.admin.filters import FieldListFilter
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import get_fields_from_path
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import BadRequest, FieldDoesNotExist
from django.db import DataError, NotSupportedError
from django.http import HttpRequest
from django.shortcuts import redirect

# The parts of a date in the address of a list with a date hierarchy.
_DATE_PARTS = ("year", "month", "day")


class ListedOnly(admin.ModelAdmin):
    """A model admin that filters and shows only what it lists.

    Django lets staff filter a list by every column of its model, so that one answer at a time tells a session
    key or the bag of a game. Here only the parameters of the list's own filters are known; all others are a
    400. A page without `fields` or `fieldsets` shows the columns of its list instead of all columns.
    """

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Return whether a filter of this list has the parameter."""
        return lookup in self.known_lookups(request)

    def known_lookups(self, request: HttpRequest | None) -> set[str]:
        """The parameters of the list's filters."""
        filters = self.list_filter if request is None else self.get_list_filter(request)
        known: set[str] = set()
        for listed in filters:
            known |= self._parameters_of(listed, request)
        if self.date_hierarchy:
            known |= {f"{self.date_hierarchy}__{part}" for part in _DATE_PARTS}
        return known

    def _parameters_of(self, listed: Any, request: Any) -> set[str]:
        if isinstance(listed, type):
            return {cast(Any, listed).parameter_name}
        path, make = listed if isinstance(listed, list | tuple) else (listed, FieldListFilter.create)
        field = get_fields_from_path(self.model, path)[-1]
        drawn = make(field, request, {}, self.model, self, field_path=path)
        return {path, *(name for name in drawn.expected_parameters() if name)}

    def to_field_allowed(self, request: HttpRequest, to_field: str) -> bool:
        """Return whether rows can be looked for by the column: only by the primary key."""
        try:
            return bool(getattr(self.opts.get_field(to_field), "primary_key", False))
        except FieldDoesNotExist:
            return False

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """The columns of the page; by default those of the list."""
        if self.fields:
            return self.fields
        own = {field.name for field in self.opts.concrete_fields}
        return [name for name in self.get_list_display(request) if name in own]

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """Return the list that was asked for. Raises BadRequest for values that no filter understands."""
        try:
            return super().get_changelist_instance(request)
        except (IncorrectLookupParameters, NotSupportedError, DataError, OverflowError) as error:
            raise BadRequest("A filter of the list does not know this value.") from error


class GuardedAdminSite(admin.AdminSite):
    """An admin site on which every model admin is `ListedOnly`, also those of libraries.

    No list deletes several rows at once, because that asks for no reason.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.disable_action("delete_selected")

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Lead to the site's own page for a new password, which also sends a mail about it."""
        return redirect("account_change_password")

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Register the models with a guarded class of the same name."""
        super().register(model_or_iterable, guarded(admin_class or admin.ModelAdmin), **options)


def guarded(admin_class: type[admin.ModelAdmin]) -> type[admin.ModelAdmin]:
    """Return the class with `ListedOnly` before it, so that nothing in it widens what is listed."""
    names = {"__module__": admin_class.__module__, "__doc__": admin_class.__doc__}
    return cast(type[admin.ModelAdmin], type(admin_class.__name__, (ListedOnly, admin_class), names))
