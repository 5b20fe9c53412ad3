"""Addresses of the site, from addresses.txt and the admin, and its routes."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.contrib import admin
from django.db.models import Model
from django.urls import URLResolver, get_resolver, resolve

from tests.safety.populated_site import World

FILE = Path(__file__).with_name("addresses.txt")

# Admin pages of each model: method, rest of the path, form.
_OF_A_MODEL = (
    ("GET", "?q=x&o=1&p=1", ""),
    ("POST", "", "action=delete_selected&_selected_action={key}&select_across=0"),
    ("GET", "add/", ""),
    ("POST", "add/", "name=x"),
    ("GET", "{key}/", ""),
    ("GET", "{key}/history/", ""),
    ("GET", "{key}/change/", ""),
    ("POST", "{key}/change/", "name=x"),
    ("GET", "{key}/delete/", ""),
    ("POST", "{key}/delete/", "post=yes"),
)


@dataclass(frozen=True)
class Address:
    """An expected request: method, path with query, and form fields."""

    method: str
    path: str
    form: str = ""

    @property
    def route(self) -> str:
        """Pattern of the URLconf that serves the path, whose words must have been replaced."""
        return resolve(self.path.partition("?")[0]).route

    def in_(self, world: World) -> "Address":
        """Replace the words by the values of this site."""
        return Address(self.method, world.says(self.path), world.says(self.form))


def every() -> list[Address]:
    """All addresses, with words in braces."""
    return [*_written(), *_of_models()]


def routes() -> set[str]:
    """Patterns of all routes of the site."""
    return set(_walk(get_resolver()))


def _written() -> Iterator[Address]:
    for line in FILE.read_text().splitlines():
        if line and not line.startswith("#"):
            method, path, *form = line.split(maxsplit=2)
            yield Address(method, path, *form)


def _of_models() -> Iterator[Address]:
    for model in admin.site._registry:
        app, name = model._meta.app_label, model._meta.model_name
        key = f"{{{app}_{name}}}"
        for method, rest, form in (*_OF_A_MODEL, *_of_actions(model)):
            path = f"/admin/{app}/{name}/{rest.replace('{key}', key)}"
            yield Address(method, path, form.replace("{key}", key))


def _of_actions(model: type[Model]) -> Iterator[tuple[str, str, str]]:
    """The page of each action of a model, and of one unknown action."""
    acts = getattr(admin.site._registry[model], "acts", None)
    if acts is not None:
        for action in (*acts, "nothing"):
            yield "GET", f"{{key}}/act/{action}/", ""
            yield "POST", f"{{key}}/act/{action}/", "reason=They asked."


def _walk(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        # As `resolve` joins them.
        own = str(pattern.pattern)
        route = before + own.removeprefix("^") if before else own
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern, route)
        else:
            yield route
