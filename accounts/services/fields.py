"""What is asked before staff does something, and what the answers mean."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from accounts.models import User

from .refusals import WrongInput

Text = str | Promise
Choice = tuple[str, Text]

TEXT_LENGTH = 1000
LARGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class Field:
    """One thing to fill in.

    A moment is a day and a time, in the time zone of whoever fills it in; dates and moments lie ahead.
    `choices` belong to the kind "choice": pairs of a value and its label, or a function that returns them for
    a target. `least` and `most` are the bounds of a number; `most` is also how long a text may be.
    """

    name: str
    label: Text
    kind: Literal["text", "number", "choice", "date", "moment", "member"]
    choices: Sequence[Choice] | Callable[[Any], Sequence[Choice]] | None = None
    required: bool = True
    help: Text = ""
    least: int = 0
    most: int | None = None

    def choices_for(self, target: Any) -> list[Choice]:
        """The pairs that may be chosen from for this target."""
        found = self.choices(target) if callable(self.choices) else self.choices or ()
        return [(str(value), label) for value, label in found]

    def read(self, given: Any, target: Any) -> Any:
        """What was given, as what it stands for by the field's kind; None for nothing.

        What stands for itself already passes. Raises WrongInput.
        """
        if given is None or (isinstance(given, str) and not given.strip()):
            if self.required:
                raise WrongInput(_("Fill in “{field}”.").format(field=self.label), self.name)
            return None
        if not isinstance(given, User | date):
            given = str(given).strip()
        return _READERS[self.kind](self, given, target)


def read_all(
    fields: Sequence[Field], values: Mapping[str, Any], target: Any, wrong: Sequence[WrongInput] = ()
) -> dict[str, Any]:
    """What was given for each field, as what it stands for.

    Raises WrongInput with all that is wrong, `wrong` after it.
    """
    unknown = sorted(set(values) - {field.name for field in fields})
    if unknown:
        raise WrongInput(_("There is no field “{field}” here.").format(field=unknown[0]), unknown[0])
    read, faults = {}, []
    for field in fields:
        try:
            read[field.name] = field.read(values.get(field.name), target)
        except WrongInput as fault:
            faults.append(fault)
    if found := [*faults, *wrong]:
        raise WrongInput(found[0].sentence, found[0].field, found[1:])
    return read


def _text(field: Field, given: Any, target: Any) -> str:
    most = field.most or TEXT_LENGTH
    if len(text := str(given)) > most:
        sentence = _("“{field}” has at most {n} characters.").format(field=field.label, n=most)
        raise WrongInput(sentence, field.name)
    return text


def _number(field: Field, given: Any, target: Any) -> int:
    text, most = str(given), field.most or LARGEST
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10 and field.least <= int(text) <= most):
        sentence = _("“{field}” is a whole number from {least} to {most}.")
        raise WrongInput(sentence.format(field=field.label, least=field.least, most=most), field.name)
    return int(text)


def _choice(field: Field, given: Any, target: Any) -> str:
    choices = field.choices_for(target)
    if str(given) not in {value for value, _label in choices}:
        offered = ", ".join(value for value, _label in choices) or _("nothing, just now")
        sentence = _("“{field}” cannot be that. To choose from: {choices}.")
        raise WrongInput(sentence.format(field=field.label, choices=offered), field.name)
    return str(given)


def _date(field: Field, given: Any, target: Any) -> date:
    try:
        day = given if isinstance(given, date) else parse_date(given)
    except ValueError:  # the 31st of June
        day = None
    if day is None or day <= timezone.localdate():
        sentence = _("“{field}” is a day to come, written like 2031-05-17.")
        raise WrongInput(sentence.format(field=field.label), field.name)
    return day


def _moment(field: Field, given: Any, target: Any) -> datetime:
    try:
        moment = given if isinstance(given, datetime) else parse_datetime(str(given))
        if moment is not None and timezone.is_naive(moment):
            moment = timezone.make_aware(moment)
    except (ValueError, OverflowError):
        moment = None
    if moment is None or moment <= timezone.now():
        sentence = _("“{field}” is a day and a time to come, written like 2031-05-17 18:30.")
        raise WrongInput(sentence.format(field=field.label), field.name)
    return moment


def _member(field: Field, given: Any, target: Any) -> User:
    if isinstance(given, User):
        return given
    found = User.objects.filter(username__iexact=given, is_active=True).first()
    if found is None:
        sentence = _("“{field}”: nobody here is called {name}.")
        raise WrongInput(sentence.format(field=field.label, name=given), field.name)
    return found


_READERS: dict[str, Callable[[Field, Any, Any], Any]] = {
    "text": _text,
    "number": _number,
    "choice": _choice,
    "date": _date,
    "moment": _moment,
    "member": _member,
}
