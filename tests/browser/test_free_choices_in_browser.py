"""Nothing that gives something away is chosen beforehand, primary, or where a thumb has just tapped."""

from typing import Any

import pytest

from tests.browser.turn_positions import game_at
from tests.support import wording
from tests.support.armed_buttons import press
from tests.support.open_tables import Opener, fits, wait_for_version
from tests.support.page_checks import DESK, PHONE
from tests.support.played_site import PlayedSite

CONFIRM_THE_END = f"Confirm: {wording.BUY_NOTHING_AND_END[0].lower()}{wording.BUY_NOTHING_AND_END[1:]}"


@pytest.fixture(params=["with scripts", "without"])
def options(request: pytest.FixtureRequest) -> dict[str, Any]:
    return {"java_script_enabled": request.param == "with scripts"}


def test_purchase_begins_with_nothing_chosen(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "buy", "free"), 0)
    go, nothing = page.locator("[data-go]"), page.locator("[data-nothing]")
    assert (go.inner_text(), go.is_disabled()) == (wording.CHOOSE_SHARES, True)
    assert (nothing.inner_text(), nothing.is_enabled()) == (wording.BUY_NOTHING, True)
    left, right = nothing.bounding_box(), go.bounding_box()
    assert left and right and left["x"] + left["width"] <= right["x"]
    fits(page)
    page.locator("[data-step='1']").first.click()
    assert go.inner_text().startswith("Buy 1 Continental")
    page.locator("[data-step='-1']").first.click()
    assert go.is_disabled(), "buying nothing is a choice of its own"
    page.locator("#number-continental").press("Enter")
    press(nothing)
    wait_for_version(page, 1)
    assert "bought no shares" in page.locator(".log").inner_text()


def test_end_without_a_purchase_is_named_on_the_quiet_button(
    open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, "end", "free"), 0)
    page.locator("#end").check()
    assert page.locator("[data-nothing]").inner_text() == wording.BUY_NOTHING_AND_END
    assert page.locator("[data-go]").is_disabled()
    press(page.locator("[data-nothing]"))
    assert page.locator("[data-nothing]").inner_text() == CONFIRM_THE_END
    press(page.locator("[data-nothing]"))
    page.locator(".podium").first.wait_for()


def test_end_without_a_purchase_is_asked_for_again_after_another_choice(
    open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, "end", "again"), 0)
    nothing = page.locator("[data-nothing]")
    page.locator("#end").check()
    press(nothing)
    page.locator("#stock-tower .chain").click()
    assert nothing.inner_text() == wording.BUY_NOTHING_AND_END
    press(nothing)
    assert nothing.inner_text() == CONFIRM_THE_END
    page.locator("#end").uncheck()
    press(nothing)
    wait_for_version(page, 1)
    assert page.locator(".podium").count() == 0, "a turn that does not end the game is sent at once"


@pytest.mark.parametrize("step", ["broke", "stuck"])
def test_no_button_is_primary_if_each_gives_something_away(
    step: str, open_table: Opener, played_site: PlayedSite, options: dict[str, Any]
) -> None:
    name = "quiet" if options["java_script_enabled"] else "plainly"
    page = open_table(game_at(played_site, step, name), 0, **options)
    assert page.locator("#decision .button:visible").count() == {"broke": 1, "stuck": 2}[step]
    assert page.locator("#decision .button:not(.quiet)").count() == 0
    if step == "stuck":
        # With scripts, too.
        assert "Tiles you show leave the game." in page.locator("#decision [data-note]").inner_text()


def test_end_is_declared_without_the_money_for_a_share(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "broke", "end"), 0)
    nothing = page.locator("[data-nothing]")
    assert nothing.inner_text() == wording.BUY_NOTHING
    fits(page)
    page.locator("#end").check()
    assert nothing.inner_text() == wording.BUY_NOTHING_AND_END
    press(nothing)
    press(nothing)
    page.locator(".podium").first.wait_for()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_buying_nothing_lies_nowhere_near_the_button_just_pressed(
    size: dict[str, int], open_table: Opener, played_site: PlayedSite
) -> None:
    name = "near" if size == PHONE else "near-desk"
    for step, tile in (("calm", "5I"), ("found", "9G")):
        page = open_table(game_at(played_site, step, name), 0)
        page.set_viewport_size(size)  # type: ignore[arg-type]
        go, nothing = page.locator("[data-go]"), page.locator("[data-nothing]")
        page.locator("label.tile", has_text=tile).click()
        pressed = []
        while not nothing.count():
            pressed.append(go.bounding_box())
            press(go)
            wait_for_version(page, len(pressed))
            if page.locator(".choices").count():
                page.locator(".choices label").first.click()
        harmful = nothing.bounding_box()
        assert harmful and pressed
        for box in pressed:
            assert box and not overlap(box, harmful), step


def overlap(one: Any, other: Any) -> bool:
    return all(
        one[edge] < other[edge] + other[length] and other[edge] < one[edge] + one[length]
        for edge, length in (("x", "width"), ("y", "height"))
    )


def test_plain_purchase_without_a_choice_is_refused_and_kept(
    open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, "end", "plain"), 0, java_script_enabled=False)
    page.locator("#end").check()
    page.locator("[data-go]").click()
    page.get_by_text(wording.NO_SHARES_CHOSEN).wait_for()
    assert page.locator("#end").is_checked()
    page.locator("[data-nothing]").click()
    page.get_by_role("heading", name=CONFIRM_THE_END).wait_for()
    page.get_by_role("button", name="Confirm").click()
    page.locator(".podium").first.wait_for()


def test_shares_of_a_defunct_chain_wait_for_a_choice(
    open_table: Opener, played_site: PlayedSite, options: dict[str, Any]
) -> None:
    scripts = options["java_script_enabled"]
    page = open_table(game_at(played_site, "shares", "free" if scripts else "plain"), 0, **options)
    go = page.locator("[data-go]")
    assert page.locator("[name=move]:checked").count() == 0
    if scripts:
        assert (go.inner_text(), go.is_disabled()) == ("Sell, trade or hold?", True)
        fits(page)
    ways = [text.split("\n") for text in page.locator("label.way").all_inner_texts()]
    assert [way[0] for way in ways] == ["Sell all 2", "Trade all 2", "Hold all 2", "Choose how many"]
    assert not page.locator("#number-sell").is_visible()
    page.locator("label:has(#way-mix)").click()
    if scripts:
        assert go.is_disabled()
        page.locator("[data-for=number-sell][data-step='1']").click()
        assert go.inner_text() == "Sell 1 for $200"
        fits(page)
    page.locator("label:has(#way-trade)").click()
    if scripts:
        assert go.inner_text() == "Trade 2 for 1 Tower"
    press(go)
    wait_for_version(page, 2)
    assert "traded 2" in page.locator(".log").inner_text()


def test_advice_about_a_single_share_fills_the_form(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "share", "advised"), 0)
    go = page.locator("[data-go]")
    # Advice is given only in games against computer players: its button is put here by hand.
    key = page.locator("label.way input").first.get_attribute("data-key")
    page.evaluate(
        """key => {
          const button = document.createElement("button");
          button.dataset.fill = key;
          button.textContent = "Use this move";
          document.querySelector(".deck").append(button);
        }""",
        key,
    )
    page.get_by_role("button", name=wording.USE_THIS_MOVE).click()
    assert page.locator("label.way input").first.is_checked()
    assert go.is_enabled()
    assert go.inner_text().startswith("Sell 1")
