"""Which suite a test belongs to, and which modules can have tests of a suite."""

import functools
from pathlib import Path

import pytest
from django.conf import settings

SAFETY = Path(settings.BASE_DIR) / "tests" / "safety"

# Fixtures that open a browser, or start a whole site in processes of its own.
WHOLE_SITE = {"browser", "played_site"}

# A module without any of these words has no test of the suite.
WORDS = {"sqlite": {"both_databases"}, "e2e": {*WHOLE_SITE, "mark.site"}}


def own_suite(item: pytest.Item) -> str:
    """Return the one suite that a test belongs to: test, e2e, safety or proof."""
    if item.get_closest_marker("proof"):
        return "proof"
    if item.get_closest_marker("site") or WHOLE_SITE & set(getattr(item, "fixturenames", ())):
        return "e2e"
    return "safety" if SAFETY in item.path.parents else "test"


def is_in_suite(item: pytest.Item, suite: str | None) -> bool:
    """Return whether a test belongs to a suite; without a suite, every test does except long runs."""
    if suite == "sqlite":
        return bool(item.get_closest_marker("both_databases")) and own_suite(item) in ("test", "safety")
    if suite == "proof" and has_examples(item):
        return True
    return own_suite(item) == suite if suite else own_suite(item) != "proof"


def has_examples(item: pytest.Item) -> bool:
    """Return whether Hypothesis makes the examples of a test; `make proof` tries more of them."""
    return bool(getattr(getattr(item, "obj", None), "is_hypothesis_test", False))


@functools.cache
def may_have_tests(module: Path, suite: str | None) -> bool:
    """Return whether a module may have tests of a suite, judged by its place and its text alone."""
    if suite == "safety":
        return SAFETY in module.parents
    if suite not in WORDS:
        return True
    text = module.read_text()
    return any(word in text for word in WORDS[suite])


def skipping_suite(item: pytest.Item) -> str | None:
    """Return the suite to which a test belongs although it skips the module, or None."""
    suites = [suite for suite in WORDS if is_in_suite(item, suite) and not may_have_tests(item.path, suite)]
    return suites[0] if suites else None
