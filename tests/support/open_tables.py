"""Pages of one game for each of its players."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from axe_playwright_python.base import AXE_SCRIPT

from tests.support.page_checks import MISFITS, SERIOUS

if TYPE_CHECKING:
    from playwright.sync_api import Page


PHONE = {"width": 360, "height": 740}


@dataclass(frozen=True)
class Game:
    """A game of two: seat 0 places a tile next, and seat 1 holds 5A, which would found a chain."""

    address: str
    sessions: list[str]


Opener = Callable[..., "Page"]


def wait_for_version(page: "Page", version: int) -> None:
    page.locator(f"[data-version='{version}']").wait_for()


def fits(page: "Page") -> None:
    """Check that nothing is too wide or out of sight, and that everybody can use the form."""
    page.evaluate(AXE_SCRIPT)
    assert page.evaluate(MISFITS) == []
    assert page.evaluate(SERIOUS) == []
