"""A web process is warm before it takes requests."""

import gc
import sys
from collections.abc import Iterator

import pytest
from django.template import engines

from acquire_site.warm_up import GC_THRESHOLDS, warm_up


@pytest.fixture(autouse=True)
def collector_as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*thresholds)


def test_templates_of_tables_are_compiled_before_the_first_page() -> None:
    cache = engines["jinja2"].env.cache  # type: ignore[attr-defined]
    cache.clear()
    warm_up()
    assert any("acquire/_table.html" in name for _, name in cache)


def test_views_are_imported_before_the_first_page() -> None:
    warm_up()
    assert "games.web.play.table_views" in sys.modules


def test_garbage_is_collected_seldom_and_loaded_modules_are_left_out() -> None:
    warm_up()
    assert gc.get_threshold() == GC_THRESHOLDS
    assert gc.get_freeze_count() > 0
