"""Choices that were not sent survive news of others."""

from typing import TYPE_CHECKING

import pytest

from tests.browser.turn_positions import game_at
from tests.support import wording
from tests.support.armed_buttons import wait_until_armed
from tests.support.open_tables import Opener, wait_for_version
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Page

SLOWLY = "document.documentElement.style.setProperty('--d-4', '5s')"
REPLACE_ANSWERS = """() => {
  const form = document.getElementById("decision");
  const answers = JSON.parse(form.dataset.choices);
  for (const answer of Object.values(answers)) answer.label = `${answer.label}?`;
  form.dataset.choices = JSON.stringify(answers);
}"""


def propose_the_end(page: "Page", version: int) -> None:
    """Propose the end from this page: an entry of the log that leaves the decision as it is."""
    page.goto(f"{page.url}ending/")
    page.get_by_role("link", name=wording.PROPOSE_NO_RESULT).click()
    page.get_by_role("button", name="Send proposal").click()
    page.locator(f"[data-version='{version}']").wait_for(state="attached")


@pytest.mark.parametrize(
    ("step", "control", "words"),
    [
        ("calm", "label.tile:has(#tile-5I)", "Place 5I"),
        ("buy", "#stock-tower .chain", "Buy 3 Tower for $1,500"),
        ("shares", "label.way.sell", "Sell 2 for $400"),
    ],
)
def test_choice_survives_the_news_and_its_button_sleeps_again(
    step: str, control: str, words: str, open_table: Opener, played_site: PlayedSite
) -> None:
    game = game_at(played_site, step, "draft")
    mine, other = open_table(game, 0), open_table(game, 1)
    version = int(mine.locator("[data-version]").get_attribute("data-version") or "")
    go = mine.locator("[data-go]")
    mine.locator(control).click()
    assert go.inner_text() == words
    wait_until_armed(mine)
    mine.evaluate(SLOWLY)
    propose_the_end(other, version + 1)
    wait_for_version(mine, version + 1)
    assert mine.locator("#table.waking").count() == 1
    assert go.inner_text() == words
    wait_until_armed(mine)
    go.click()
    wait_for_version(mine, version + 2)


def test_shares_of_a_mixed_answer_survive_the_news(open_table: Opener, played_site: PlayedSite) -> None:
    game = game_at(played_site, "shares", "mixed")
    mine, other = open_table(game, 0), open_table(game, 1)
    mine.locator("label:has(#way-mix)").click()
    mine.locator("[data-for=number-sell][data-step='1']").click()
    propose_the_end(other, 2)
    wait_for_version(mine, 2)
    assert mine.locator("#way-mix").is_checked()
    assert mine.locator("#number-sell").input_value() == "1"
    assert mine.locator("[data-go]").inner_text() == "Sell 1 for $200"


def test_choice_that_is_offered_no_more_is_dropped(open_table: Opener, played_site: PlayedSite) -> None:
    game = game_at(played_site, "calm", "dropped")
    mine, other = open_table(game, 0), open_table(game, 1)
    mine.locator("label.tile", has_text="5I").click()
    mine.evaluate(REPLACE_ANSWERS)
    # The script has read the answers of this form already: it reads them afresh from another element.
    mine.evaluate(
        "form => form.replaceWith(form.cloneNode(true))", mine.locator("#decision").element_handle()
    )
    propose_the_end(other, 1)
    wait_for_version(mine, 1)
    assert mine.locator("[name=tile]:checked").count() == 0
    assert mine.locator("[data-go]").is_disabled()
