"""All lessons at a desk, by keyboard alone."""

from typing import TYPE_CHECKING

import pytest

from tests.support import wording
from tests.support.page_checks import DESK
from tests.support.played_lessons import STEPS, faults_of, tab_to, type_answer
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def focus(page: "Page") -> str:
    return str(page.evaluate("document.activeElement.id"))


@pytest.mark.proof
def test_visitor_plays_all_lessons_by_keyboard(browser: "Browser", played_site: PlayedSite) -> None:
    context = browser.new_context(base_url=played_site.url, viewport=DESK)  # type: ignore[arg-type]
    context.set_default_timeout(20_000)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto("/learn/")
    tab_to(page, "main a.button")
    page.keyboard.press("Enter")
    for address, answer in STEPS:
        page.wait_for_url(f"**{address}")
        assert faults_of(page) == [], address
        type_answer(page, answer)
        page.locator(".coach", has_text="Correct.").wait_for()
        assert faults_of(page) == [], f"solved {address}"
        # The reader hears why, and one Tab later is at the button.
        assert focus(page) == "headline"
        assert "Correct." in page.locator("#announce").inner_text()
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.matches('.decision-bar .button')")
        if address != STEPS[-1][0]:
            page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.wait_for_url("**/games/*/")
    assert faults == []
    context.close()


def test_square_is_chosen_with_arrow_keys(browser: "Browser", played_site: PlayedSite) -> None:
    context = browser.new_context(base_url=played_site.url, viewport=DESK)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto("/learn/tiles/1/")
    tab_to(page, ".board .square")
    assert page.evaluate("document.activeElement.dataset.choose") == "2B"
    page.keyboard.press("Enter")
    assert page.locator("#tile-2B").is_checked()
    for key in ("ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.dataset.choose") == "2B"
    context.close()


def test_focus_returns_to_the_title_with_a_hint(browser: "Browser", played_site: PlayedSite) -> None:
    context = browser.new_context(base_url=played_site.url, viewport=DESK)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto("/learn/tiles/1/")
    type_answer(page, "place 9D")
    page.get_by_role("alert").filter(has_text=wording.TILE_HAS_A_NEIGHBOUR).wait_for()
    page.wait_for_function("document.activeElement.id === 'headline'")
    assert wording.TILE_HAS_A_NEIGHBOUR in page.locator("#announce").inner_text()
    context.close()
