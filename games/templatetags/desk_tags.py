"""The desk on the index page of the admin."""

from typing import Any

from django import template
from django.template import Context

from games.web.moderation.desk_page import desk_sections, may_use

register = template.Library()


@register.inclusion_tag("admin/_desk_counts.html", takes_context=True)
def desk_counts(context: Context) -> dict[str, Any]:
    """The counts of what waits on the user's desk; None for users without one."""
    user = context["request"].user
    return {"piles": desk_sections(user) if may_use(user) else None}
