"""Buttons that send, and wake only a moment after a change that their player did not make."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def wait_until_armed(page: "Page") -> None:
    """Wait until a press is taken; without scripts it always is."""
    page.locator("#table:not(.waking)").wait_for(state="attached")


def press_until(button: "Locator", has_worked: Callable[[], bool]) -> None:
    """Press a button that only asks for a second press, until it does: news may have put it to sleep."""
    while not has_worked():
        press(button)


def press(button: "Locator") -> None:
    """Press a button that sends as soon as it is armed."""
    wait_until_armed(button.page)
    button.click()
