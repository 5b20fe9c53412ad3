"""Buttons that send, and wake only a moment after a change that their player did not make."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def wait_until_armed(page: "Page") -> None:
    """Wait until a press is taken; without scripts it always is."""
    page.locator("#table:not(.waking)").wait_for(state="attached")


def press(button: "Locator") -> None:
    """Press a button that sends as soon as it is armed."""
    wait_until_armed(button.page)
    button.click()
