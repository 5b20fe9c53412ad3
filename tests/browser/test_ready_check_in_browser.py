"""A live game starts for all browsers when its last player is ready."""

from collections.abc import Callable

from tests.browser.test_sounds_in_browser import COUNT_NOTES, ask_for_sounds
from tests.support import wording
from tests.support.browser_person import Player
from tests.support.open_tables import fits


def test_players_are_asked_and_start_together(player: Callable[..., Player]) -> None:
    host, second, third = player("rea"), player("reb"), player("rec")
    address = host.open_game(speed="fast", most="3", least="3", start="full", name="Quick one")
    host.page.context.add_init_script(COUNT_NOTES)
    ask_for_sounds(host.page)
    host.page.locator("h1").click()
    for one in (second, third):
        one.page.goto(address)
        one.press("Join game")
    question = host.page.get_by_role("heading", name=wording.ARE_YOU_READY)
    question.wait_for()
    host.page.wait_for_function("notes > 0 && document.title.startsWith('●')")
    host.page.locator("[data-ready-ends]", has_text=":").wait_for()
    third.page.get_by_text("Waiting for").wait_for()
    for one in (host, third):
        fits(one.page)
    for one in (host, second):
        one.press(wording.I_AM_READY)
    for one in (host, second, third):
        one.page.locator("#table").wait_for()
        assert not one.faults
