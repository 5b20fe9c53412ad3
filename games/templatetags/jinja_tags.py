"""Template tag for the parts of Django's pages that are Jinja2 templates."""

from typing import Any

from django import template
from django.template import Context, engines
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def jinja(context: Context, name: str, **more: Any) -> SafeString:
    """The Jinja2 template of this name, with the context of the page and `more`."""
    part = engines["jinja2"].get_template(name)
    names: dict[str, Any] = {**context.flatten(), **more}  # type: ignore[dict-item]
    # The token of the page, which has been masked already: a mask for each form takes half a millisecond.
    names["csrf_input"] = format_html(
        '<input type="hidden" name="csrfmiddlewaretoken" value="{}">', names.get("csrf_token", "")
    )
    return SafeString(part.render(names))
