"""Loads before a web process takes requests, so that its first pages are as fast as the others."""

import gc

from django.template import engines
from django.urls import get_resolver
from jinja2 import Environment

# Pages leave few cycles behind, so garbage collection may come seldom: it takes a tenth of the time of a page
# with Python's own thresholds.
GC_THRESHOLDS = (50_000, 20, 20)


def warm_up() -> None:
    """Import all views, compile the templates of tables, and keep them out of garbage collection."""
    get_resolver().url_patterns  # noqa: B018 # imports them
    tables: Environment = engines["jinja2"].env  # type: ignore[attr-defined]
    for name in tables.list_templates(extensions=["html"]):
        tables.get_template(name)
    engines["django"].get_template("base.html")
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
