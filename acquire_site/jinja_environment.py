"""Environment of the Jinja2 templates: the filters, functions and tests they know."""

from datetime import date
from typing import Any

from django.http import HttpRequest
from django.template.backends.utils import csrf_input
from django.template.defaultfilters import date as date_filter
from django.utils.functional import SimpleLazyObject
from django.utils.safestring import SafeString
from django.utils.timezone import template_localtime  # type: ignore[attr-defined]
from django.utils.translation import gettext, ngettext, pgettext
from jinja2 import Environment, StrictUndefined, Undefined
from markupsafe import escape

from games.templatetags.clock_tags import left
from games.web.addresses import address
from games.web.presenters import table_markup
from games.web.presenters.presenter_registry import OPTIONAL_NAMES


def environment(**options: Any) -> Environment:
    """Return the environment; a name that no template may leave out is an error where it is missing."""
    strict = {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    options = {name: option for name, option in options.items() if name != "autoescape"}
    made = Environment(autoescape=True, **{**options, **strict})
    made.filters |= {"date": _date, "left": left}
    made.tests["none"] = _is_none
    made.globals |= {
        **dict.fromkeys(OPTIONAL_NAMES),
        "_": _text,
        "ngettext": _texts,
        "pgettext": _text_in_context,
        "held": table_markup.held,
        "held_by_others": table_markup.held_by_others,
        "moment": table_markup.moment,
        "options": table_markup.options,
        "squares": table_markup.squares,
        "url": address,
    }
    return made


def csrf_once(request: HttpRequest) -> dict[str, object]:
    """Provide `csrf_input` with the same mask for all forms of a part; Django's is masked anew for each."""
    return {"csrf_input": SimpleLazyObject(lambda: csrf_input(request))}


def _text(text: str, /, **facts: Any) -> SafeString:
    """The translated text, which is the site's own, with its facts, which are escaped."""
    return SafeString(gettext(text) % {name: escape(fact) for name, fact in facts.items()})


def _text_in_context(context: str, text: str, /, **facts: Any) -> SafeString:
    """The same for a text that is translated in several ways, told apart by `context`."""
    return SafeString(pgettext(context, text) % {name: escape(fact) for name, fact in facts.items()})


def _texts(one: str, many: str, number: int, /, **facts: Any) -> SafeString:
    """The translated text for this number, which is its `num`, with its facts, which are escaped."""
    escaped = {name: escape(fact) for name, fact in facts.items()}
    return SafeString(ngettext(one, many, number) % {"num": number, **escaped})


def _date(day: date, style: str) -> str:
    """Format a date, or a time in the reader's time zone, as Django's filter does."""
    return date_filter(template_localtime(day), style)


def _is_none(value: Any) -> bool:
    # To Jinja2 an undefined value is not None. To a template that asks, it must not look like something.
    if isinstance(value, Undefined):
        str(value)  # raises UndefinedError
    return value is None
