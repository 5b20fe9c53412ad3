"""The desk on the first page of the admin."""

from typing import Any

from django import template
from django.template import Context

from games.admin.desk import may_use, piles

register = template.Library()


@register.inclusion_tag("admin/_desk_counts.html", takes_context=True)
def desk_counts(context: Context) -> dict[str, Any]:
    """How much of what is on the desk of whoever looks; nothing for who has none."""
    user = context["request"].user
    return {"piles": piles(user) if may_use(user) else None}
