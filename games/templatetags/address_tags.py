"""Template tag for addresses in the frame of all pages."""

from django import template

from games.web import addresses

register = template.Library()


@register.simple_tag
def address(name: str, *arguments: str | int) -> str:
    """The address of a page, as by `url`, but kept once it is known."""
    return addresses.address(name, *arguments)
