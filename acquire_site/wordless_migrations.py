"""Migrations hold tables, not wording: a new label or help text needs none."""

from typing import Any, Final

from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.state import ModelState, ProjectState
from django.db.models import Field

WORDING_OF_MODELS: Final = frozenset({"verbose_name", "verbose_name_plural"})


class WordlessAutodetector(MigrationAutodetector):
    """Finds what changed between two states of the models, apart from their wording."""

    def __init__(self, from_state: ProjectState, to_state: ProjectState, *args: Any) -> None:
        super().__init__(without_wording(from_state), without_wording(to_state), *args)


def without_wording(state: ProjectState) -> ProjectState:
    """Return a copy of `state` whose models, fields and constraints have no labels and no messages."""
    wordless = state.clone()
    for model in wordless.models.values():
        _remove_wording(model)
    return wordless


def _remove_wording(model: ModelState) -> None:
    model.options = {name: value for name, value in model.options.items() if name not in WORDING_OF_MODELS}
    # A permission is told apart by its code.
    if "permissions" in model.options:
        model.options["permissions"] = [(code, code) for code, _ in model.options["permissions"]]
    model.options["constraints"] = [_without_message(one) for one in model.options["constraints"]]
    model.fields = {name: _without_label(field) for name, field in model.fields.items()}


def _without_message(constraint: Any) -> Any:
    copy = constraint.clone()
    copy.violation_error_message = copy.default_violation_error_message
    return copy


def _without_label(field: "Field[Any, Any]") -> "Field[Any, Any]":
    copy: Any = field.clone()
    copy._verbose_name = None
    copy.help_text = ""
    copy._error_messages = None
    copy._validators = []  # they judge what is typed in, in words, and change no table
    return copy
