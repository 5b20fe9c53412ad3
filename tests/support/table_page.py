"""The page of a new game against one bot."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.support import wording
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page


PHONE = {"width": 360, "height": 740}


@pytest.fixture
def context(
    browser: "Browser", played_site: PlayedSite, request: pytest.FixtureRequest
) -> "Iterator[BrowserContext]":
    options: dict[str, Any] = getattr(request, "param", {"viewport": PHONE})
    context = browser.new_context(base_url=played_site.url, **options)
    context.set_default_timeout(20_000)
    yield context
    context.close()


@pytest.fixture
def page(context: "BrowserContext") -> "Iterator[Page]":
    """The page of a guest's new game against one easy bot, on the guest's turn; scripts may not fail."""
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: said.type == "error" and faults.append(said.text))
    page.goto("/")
    page.locator("summary", has_text=wording.RULES_AND_COMPUTERS).click()
    page.locator("[name=opponents]").select_option("1")
    page.locator("select[name=level]").select_option(index=0)
    page.locator("#play-acquire button[type=submit]").first.click()
    page.wait_for_url(re.compile(r"/games/\w+/"))
    wait_for_my_turn(page)
    yield page
    assert faults == []


def wait_for_my_turn(page: "Page") -> None:
    """Wait until I am asked for a decision, without scripts by loading the page again.

    A page that waits for its own next question to the server, half a minute, has lost a hint.
    """
    for _ in range(150):
        if page.locator("form#decision").count():
            return
        page.wait_for_timeout(100)
        if page.locator("html.js").count() == 0:
            page.reload()
    pytest.fail(f"It did not become my turn: {page.locator('#headline').inner_text()}")


def button(page: "Page") -> "Locator":
    return page.locator("[data-go]")


def show_panel(page: "Page", panel: str) -> None:
    """Choose the tab of this panel, such as "log"; without scripts all panels are shown anyway."""
    tab = page.locator(f"[data-panel={panel}]:visible")
    if tab.count():
        tab.click()
