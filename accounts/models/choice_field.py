"""A choice field whose choices are left out of migrations."""

from typing import Any

from django.db import models


class ChoiceField(models.CharField):
    """A CharField that migrations see without its choices, so that rewording one needs no migration."""

    def deconstruct(self) -> Any:
        name, _path, args, options = super().deconstruct()
        options.pop("choices", None)
        return name, "django.db.models.CharField", args, options
