"""The settings page: choices of notifications that are saved as they are pressed."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.support import wording
from tests.support.browser_person import Player

if TYPE_CHECKING:
    from playwright.sync_api import Route

BOX = "#kind-decision-browser"
TOAST = "#choice-saved .toast"


@pytest.fixture
def member(player: Callable[..., Player]) -> Player:
    member = player("ann", viewport={"width": 360, "height": 740})
    member.page.goto("/settings/")
    return member


def test_choice_is_saved_at_once_and_undone(member: Player) -> None:
    page = member.page
    cell = page.locator("td", has=page.locator(BOX))
    box = cell.bounding_box()
    assert box is not None and min(box["width"], box["height"]) >= 44
    # The corner of the cell, not the box itself.
    cell.click(position={"x": 3, "y": 3})
    page.locator(TOAST, has_text="Saved.").wait_for()
    page.reload()
    assert not page.locator(BOX).is_checked()
    page.locator(BOX).check()
    page.locator(TOAST).get_by_role("button", name="Undo").click()
    page.locator(TOAST, has_text=wording.CHANGE_UNDONE).wait_for()
    assert not page.locator(BOX).is_checked()
    page.reload()
    assert not page.locator(BOX).is_checked()


def test_choice_that_cannot_be_saved_goes_back(member: Player) -> None:
    page = member.page
    page.route("**/notices/kinds/", lambda route: route.abort())
    page.locator(BOX).click()
    page.locator("#trouble").wait_for()
    assert page.locator(BOX).is_checked()


def test_list_and_box_are_saved_at_once_and_undone(member: Player) -> None:
    page = member.page
    theme, confirm = page.locator("main [name=theme]"), page.locator("[name=confirm_sending]")
    assert page.get_by_role("button", name="Save").count() == 0
    theme.select_option("dark")
    page.locator(TOAST, has_text="Saved.").wait_for()
    assert page.locator("html[data-theme=dark]").count() == 1
    assert page.locator(".bottom [data-setting=theme]").input_value() == "dark"
    page.reload()
    assert theme.input_value() == "dark"
    theme.select_option("light")
    page.locator(TOAST).get_by_role("button", name="Undo").click()
    page.locator(TOAST, has_text=wording.CHANGE_UNDONE).wait_for()
    assert theme.input_value() == "dark"
    page.locator("html[data-theme=dark]").wait_for()
    confirm.check()
    page.locator(TOAST, has_text="Saved.").wait_for()
    page.reload()
    assert (theme.input_value(), confirm.is_checked()) == ("dark", True)


def test_list_that_cannot_be_saved_goes_back(member: Player) -> None:
    page = member.page
    theme = page.locator("main [name=theme]")
    page.route("**/settings/choices/", lambda route: route.abort())
    theme.select_option("dark")
    page.locator("#trouble").wait_for()
    assert theme.input_value() == "system"
    assert page.locator("html[data-theme]").count() == 0


def test_later_choice_survives_the_failure_of_an_earlier_one(member: Player) -> None:
    page = member.page
    theme = page.locator("main select[name=theme]")
    held: list[Route] = []
    page.route("**/settings/choices/", lambda route: held.append(route), times=1)
    with page.expect_request("**/settings/choices/"):
        theme.select_option("dark")
    theme.select_option("light")
    held[0].abort()
    page.locator(TOAST, has_text="Saved.").wait_for()
    assert theme.input_value() == "light"
    page.reload()
    assert theme.input_value() == "light"


def test_level_of_a_game_is_saved_at_once_and_undone(member: Player) -> None:
    page = member.page
    address = member.open_game(most="2")
    level, saved = page.get_by_label("Notifications for this game"), page.locator(TOAST, has_text="Saved.")
    assert page.get_by_role("button", name="Save").count() == 0
    level.select_option("mute")
    saved.wait_for()
    page.goto(address)
    assert level.input_value() == "mute"
    level.select_option("always")
    saved.get_by_role("button", name="Undo").click()
    page.locator(TOAST, has_text=wording.CHANGE_UNDONE).wait_for()
    assert level.input_value() == "mute"
    page.reload()
    assert level.input_value() == "mute"


def test_level_of_a_game_is_saved_by_a_button_without_javascript(player: Callable[..., Player]) -> None:
    member = player("cai", java_script_enabled=False)
    address = member.open_game(most="2")
    level = member.page.get_by_label("Notifications for this game")
    level.select_option("mute")
    member.press("Save choice")
    member.page.goto(address)
    assert level.input_value() == "mute"


def test_word_about_what_was_saved_leaves_unless_it_is_used(member: Player) -> None:
    page = member.page
    page.clock.install()
    page.locator(BOX).uncheck()
    toast = page.locator(TOAST)
    toast.wait_for()
    animation = "toast => toast.getAnimations()[0].effect.getComputedTiming().delay"
    assert toast.evaluate(animation) == 6000
    toast.get_by_role("button").focus()
    assert toast.evaluate("toast => toast.getAnimations()[0].playState") == "paused"
    toast.evaluate("toast => { document.activeElement.blur(); toast.getAnimations()[0].finish(); }")
    toast.wait_for(state="hidden")


def test_settings_are_saved_by_one_button_without_javascript(player: Callable[..., Player]) -> None:
    member = player("ben", java_script_enabled=False)
    page = member.page
    page.goto("/settings/")
    page.locator(BOX).uncheck()
    page.locator("#kind-finished-mail").uncheck()
    page.locator("main [name=theme]").select_option("dark")
    page.locator("[name=confirm_placing]").check()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved.").wait_for()
    assert page.locator("html[data-theme=dark]").count() == 1
    assert page.locator("[name=confirm_placing]").is_checked()
    assert not page.locator(BOX).is_checked() and not page.locator("#kind-finished-mail").is_checked()
    assert page.locator("#kind-finished-browser").is_checked()


def test_links_lead_to_the_parts_of_the_page(member: Player) -> None:
    page = member.page
    links = page.locator(".page-links a")
    for link in links.all():
        part = page.locator(link.get_attribute("href") or "")
        link.click()
        box = part.bounding_box()
        assert box is not None and box["y"] < 740
    assert links.count() == 6
    page.set_viewport_size({"width": 1440, "height": 900})
    page.locator(".page-links").get_by_text("Your data").click()
    side, data = page.locator(".page-links").bounding_box(), page.locator("#data").bounding_box()
    assert side is not None and data is not None
    assert 0 <= side["y"] < 200 and side["x"] + side["width"] < data["x"]


def test_sharing_insights_is_saved_at_once_and_undone(member: Player) -> None:
    page = member.page
    page.goto("/insights/")
    box, saved = page.locator("#public"), page.locator(TOAST)
    assert page.get_by_role("button", name="Save").count() == 0
    box.check()
    saved.get_by_text("Everyone can see your insights.").wait_for()
    assert page.get_by_role("link", name="See your public page").count() == 1
    # Above the dock, where it can be pressed.
    saved.get_by_role("button", name="Undo").click()
    page.locator(TOAST, has_text=wording.CHANGE_UNDONE).wait_for()
    assert not box.is_checked()
    page.reload()
    assert not box.is_checked()
