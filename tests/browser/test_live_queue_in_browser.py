"""Three browsers find each other in the queue, and start after the ready check."""

from collections.abc import Callable

from tests.support import wording
from tests.support.browser_person import Player
from tests.support.open_tables import fits


def test_three_find_each_other_and_start(player: Callable[..., Player]) -> None:
    people = [player(name) for name in ("qua", "que", "qui")]
    for one in people:
        one.page.goto("/live/")
        fits(one.page)
        one.page.locator("[name=least]").select_option("3")
        one.page.locator("[name=most]").select_option("3")
        one.press("Look for a game")
    for one in people:
        one.page.get_by_role("heading", name=wording.ARE_YOU_READY).wait_for()
    fits(people[0].page)
    for one in people:
        one.press(wording.I_AM_READY)
    for one in people:
        one.page.locator("#table").wait_for()
        assert not one.faults


def test_page_tells_of_others_by_itself_and_lets_go(player: Callable[..., Player]) -> None:
    first, second = player("qub"), player("quc")
    for one in (first, second):
        one.page.goto("/live/")
        one.page.get_by_label("For an evening").check()
        one.press("Look for a game")
    first.page.get_by_text("1 other player is waiting").wait_for()
    fits(first.page)
    second.press("Stop looking")
    first.page.get_by_text("Nobody else is waiting").wait_for()
