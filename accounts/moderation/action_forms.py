"""Base form of staff actions, and the form fields that they use."""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.db.models.fields import BLANK_CHOICE_DASH
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.models.sanction import MAX_REASON_LENGTH

MAX_TEXT_LENGTH: Final = 1000
MAX_NUMBER: Final = 1_000_000

# Fields that every action has: commands have no options for them, the audit no details.
_SHARED_FIELDS: Final = ("reason", "seen")


class TextField(forms.CharField):
    """A line of text, None when empty."""

    def __init__(self, *, label: Any, max_length: int = MAX_TEXT_LENGTH, **kwargs: Any) -> None:
        too_long = format_lazy(_("“{field}” can have at most {n} characters."), field=label, n=max_length)
        messages = {"required": _missing(label), "max_length": too_long}
        super().__init__(
            label=label, max_length=max_length, empty_value=None, error_messages=messages, **kwargs
        )

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**_required(self), "maxlength": self.max_length, "class": "vTextField"}


class NumberField(forms.IntegerField):
    """A whole number, written in plain digits."""

    def __init__(self, *, label: Any, min_value: int = 0, max_value: int = MAX_NUMBER, **kwargs: Any) -> None:
        invalid = format_lazy(
            _("“{field}” must be a whole number from {least} to {most}."),
            field=label,
            least=min_value,
            most=max_value,
        )
        messages = dict.fromkeys(("invalid", "min_value", "max_value"), invalid)
        messages["required"] = _missing(label)
        super().__init__(
            label=label, min_value=min_value, max_value=max_value, error_messages=messages, **kwargs
        )

    def to_python(self, value: Any) -> int | None:
        text = str("" if value is None else value).strip()
        if text and not re.fullmatch("-?[0-9]{1,9}", text):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(text)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        limit = {} if self.max_value == MAX_NUMBER else {"max": self.max_value}
        return {**_required(self), **limit, "min": self.min_value, "class": "vIntegerField"}


class ChoiceField(forms.ChoiceField):
    """A choice among several, None when nothing is chosen; its error lists the choices."""

    def __init__(self, *, label: Any, **kwargs: Any) -> None:
        super().__init__(label=label, error_messages={"required": _missing(label)}, **kwargs)

    def to_python(self, value: Any) -> str | None:
        return super().to_python(value).strip() or None

    def validate(self, value: Any) -> None:
        if value and not self.valid_value(value):
            choices: Any = self.choices
            offered = ", ".join(str(key) for key, _label in choices if key)
            sentence = gettext("“{field}” does not have a valid value. Choose from: {choices}.").format(
                field=self.label, choices=offered or gettext("none right now")
            )
            raise ValidationError(sentence, code="invalid_choice")
        super().validate(value)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return _required(self)


class MomentField(forms.DateTimeField):
    """A day and time in the future, in the current time zone."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"})

    def __init__(self, *, label: Any, help_text: Any = "", **kwargs: Any) -> None:
        invalid = format_lazy(
            _("“{field}” must be a future date and time, for example 2031-05-17 18:30."), field=label
        )
        messages = {"required": _missing(label), "invalid": invalid}
        super().__init__(
            label=label, help_text=help_text or _lazy_clock_help(), error_messages=messages, **kwargs
        )

    def to_python(self, value: Any) -> datetime | None:
        if not str(value or "").strip():
            return None
        try:
            moment = value if isinstance(value, datetime) else parse_datetime(str(value).strip())
            if moment is not None and timezone.is_naive(moment):
                moment = timezone.make_aware(moment)
        except (ValueError, OverflowError):
            moment = None
        if moment is None or moment <= timezone.now():
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return moment

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return _required(self)


class MemberField(forms.CharField):
    """A member, given by name in any case."""

    def __init__(self, *, label: Any, **kwargs: Any) -> None:
        super().__init__(
            label=label, empty_value=None, error_messages={"required": _missing(label)}, **kwargs
        )

    def clean(self, value: Any) -> User | None:
        if isinstance(value, User):
            return value
        name = super().clean(value)
        if name is None:
            return None
        member = User.objects.filter(username__iexact=name, is_active=True).first()
        if member is None:
            sentence = gettext("No member is called {name}. Correct “{field}”.")
            raise ValidationError(sentence.format(field=self.label, name=name), code="unknown")
        return member

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**_required(self), "class": "vTextField", "spellcheck": "false"}


class VersionField(forms.Field):
    """The version of the target that was shown: None if none was sent, -1 if it is not a number."""

    widget = forms.HiddenInput

    def __init__(self) -> None:
        super().__init__(required=False)

    def to_python(self, value: Any) -> int | None:
        if value is None:
            return None
        text = str(value)
        return int(text) if re.fullmatch("[0-9]{1,9}", text) else -1


class ActionForm(forms.Form):
    """The form of a staff action on a target: the reason, and the fields that a subclass adds."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=MAX_REASON_LENGTH,
        widget=forms.Textarea(
            attrs={"rows": 3, "required": True, "maxlength": MAX_REASON_LENGTH, "class": "vLargeTextField"}
        ),
        error_messages={
            "required": _("Enter a reason. It is recorded in the audit log."),
            "max_length": format_lazy(_("The reason can have at most {n} characters."), n=MAX_REASON_LENGTH),
        },
    )

    def __init__(self, *args: Any, target: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.target = target
        # The reason comes last on the page and among the errors.
        self.fields["reason"] = self.fields.pop("reason")

    def set_choices(self, name: str, choices: Iterable[tuple[str, Any]]) -> None:
        """Offer these choices in a field, below an empty one."""
        field = self.fields[name]
        assert isinstance(field, ChoiceField)
        field.choices = [*BLANK_CHOICE_DASH, *choices]

    @classmethod
    def own_fields(cls) -> dict[str, forms.Field]:
        """The fields of this action besides the shared ones, by name."""
        return {name: field for name, field in cls.base_fields.items() if name not in _SHARED_FIELDS}

    def own_values(self) -> dict[str, Any]:
        """The cleaned values of `own_fields`."""
        return {name: self.cleaned_data[name] for name in self.own_fields()}


def _missing(label: Any) -> Any:
    return format_lazy(_("Enter “{field}”."), field=label)


def _required(field: forms.Field) -> dict[str, Any]:
    return {"required": True} if field.required else {}


def _clock_help() -> str:
    return gettext("Times are in {zone}.").format(zone=timezone.get_current_timezone_name())


# The reader's time zone is known only when the page is rendered.
_lazy_clock_help = lazy(_clock_help, str)
