"""On a phone headline, board and bar stay in place through all steps of a turn."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.turn_positions import game_at
from tests.support import wording
from tests.support.armed_buttons import press, wait_until_armed
from tests.support.browser_person import Player
from tests.support.open_tables import Opener, wait_for_version
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Page


def tops(page: "Page") -> list[float]:
    """The top edges of the board and of the bar."""
    boxes = [page.locator(part).bounding_box() for part in (".board", ".decision-bar")]
    return [box["y"] for box in boxes if box]


def hold(page: "Page", version: int) -> None:
    """Hold the shares of the defunct chain, as entry `version` of the log."""
    page.locator("label.way", has_text="Hold all").click()
    press(page.locator("[data-go]"))
    wait_for_version(page, version)


def test_board_and_bar_do_not_move_from_step_to_step(open_table: Opener, played_site: PlayedSite) -> None:
    game = game_at(played_site, "merge", "still")
    mine, bob, carol = (open_table(game, seat) for seat in range(3))
    at_first = tops(mine)
    found = {}
    mine.locator("label.tile", has_text="12H").click()
    found["tile chosen"] = tops(mine)
    mine.locator("label.tile", has_text="4A").click()
    press(mine.locator("[data-go]"))
    wait_for_version(mine, 1)
    found["shares"] = tops(mine)
    hold(mine, 2)
    found["wait"] = tops(mine)
    wait_for_version(bob, 2)
    hold(bob, 3)
    wait_for_version(carol, 3)
    hold(carol, 4)
    wait_for_version(mine, 4)
    found["buy"] = tops(mine)
    mine.locator("#stock-tower .chain").click()
    found["shares counted"] = tops(mine)
    mine.mouse.wheel(0, 300)
    mine.wait_for_timeout(300)
    assert mine.evaluate("scrollY") > 0
    scrolled = tops(mine)
    press(mine.locator("[data-go]"))
    wait_for_version(mine, 5)
    found["turn over"] = tops(mine)
    assert mine.locator(".progress").inner_text().startswith("Turn 2 · ")
    assert len(at_first) == 2
    assert found == dict.fromkeys(found, at_first)
    assert scrolled[0] == at_first[0]
    assert mine.evaluate("scrollY") == 0, "the deck begins at its beginning"


def test_board_on_a_desk_does_not_move_from_step_to_step(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "calm", "desk"), 0)
    page.set_viewport_size({"width": 1440, "height": 900})
    board = page.locator(".board")
    at_first = board.bounding_box()
    assert page.locator(".progress").inner_text().startswith("Turn 1 · ")
    page.locator("label.tile", has_text="5I").click()
    press(page.locator("[data-go]"))
    wait_for_version(page, 1)
    assert board.bounding_box() == at_first
    press(page.locator("[data-nothing]"))
    wait_for_version(page, 2)
    assert page.locator(".progress").inner_text().startswith("Turn 2 · ")
    assert board.bounding_box() == at_first


@pytest.mark.parametrize(("step", "tile"), [("found", "9G"), ("tie", "4A"), ("three", "6B")])
def test_board_and_bar_do_not_move_when_a_chain_is_asked_for(
    step: str, tile: str, open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, step, "chain"), 0)
    at_first = tops(page)
    page.locator("label.tile", has_text=tile).click()
    press(page.locator("[data-go]"))
    wait_for_version(page, 1)
    assert tops(page) == at_first
    box, bar = page.locator(".choices").bounding_box(), page.locator(".decision-bar").bounding_box()
    tabs = page.locator(".tabs.below").bounding_box()
    assert box and bar and tabs
    assert tabs["y"] + tabs["height"] <= box["y"]
    assert box["y"] + box["height"] <= bar["y"], "all chains are in sight"
    page.locator(".choices label").first.click()
    assert tops(page) == at_first
    press(page.locator("[data-go]"))
    wait_for_version(page, 2)
    assert tops(page) == at_first


@pytest.mark.parametrize("width", [360, 768])
def test_board_and_bar_do_not_move_for_bonuses_of_a_merger(
    width: int, open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, "merge", f"bonus{width}"), 0)
    page.set_viewport_size({"width": width, "height": 740})
    at_first = tops(page)
    # By script: a click of the test tool scrolls what it presses into view.
    page.locator("label.tile", has_text="4A").evaluate("tile => tile.click()")
    paid, bar = page.locator(".decision-bar .payouts:visible"), page.locator(".decision-bar").bounding_box()
    box = paid.bounding_box()
    assert box and bar and bar["y"] < box["y"] and box["y"] + box["height"] <= bar["y"] + bar["height"]
    assert "$" in paid.inner_text()
    assert tops(page) == at_first


def test_board_and_bar_do_not_move_when_the_end_is_declared(
    open_table: Opener, played_site: PlayedSite
) -> None:
    game = game_at(played_site, "end", "ends")
    page, calm = open_table(game, 0), open_table(game_at(played_site, "buy", "ends"), 0)
    at_first = tops(page)
    assert at_first == tops(calm), "as in a purchase that cannot end the game"
    box, bar = page.locator("#end").bounding_box(), page.locator(".decision-bar").bounding_box()
    assert box and bar and box["y"] + box["height"] <= bar["y"], "the box is in sight"
    page.locator("#end").check()
    assert tops(page) == at_first
    page.locator("#stock-american .chain").click()
    assert tops(page) == at_first


def test_board_and_bar_do_not_move_for_errors(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "merge", "error"), 0)
    at_first, problem = tops(page), page.locator(".decision-bar .problem:visible")

    def check() -> None:
        problem.wait_for()
        box, felt = problem.bounding_box(), page.locator(".felt").bounding_box()
        assert tops(page) == at_first
        assert box and felt and felt["y"] + felt["height"] <= box["y"]
        assert box["y"] + box["height"] <= at_first[1] + 1, "above the bar"

    page.locator("label.tile", has_text="12H").click()
    page.route("**/moves/**", lambda route: route.abort(), times=1)
    wait_until_armed(page)
    page.evaluate("document.querySelector('[data-go]').click()")  # a press that scrolls nothing
    check()
    # A tile that is not in the hand.
    page.evaluate("document.querySelector('input[value=\"12H\"]').value = '9I'")
    page.evaluate("document.querySelector('#decision').requestSubmit()")
    page.locator(".decision-bar .problem:visible", has_text="9I").wait_for()
    check()


def test_board_below_the_header_hides_what_scrolls(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "merge", "gap"), 0)
    page.evaluate("scrollTo(0, 40)")
    header, felt = page.locator(".top").bounding_box(), page.locator(".felt").bounding_box()
    assert header and felt and felt["y"] <= header["y"] + header["height"]


def test_bar_covers_no_row_of_the_board_at_the_end_of_the_page(
    open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, "alone", "foot"), 0)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    felt, bar = page.locator(".felt").bounding_box(), page.locator(".decision-bar").bounding_box()
    assert felt and bar and felt["y"] + felt["height"] <= bar["y"] + 1


def test_bar_of_a_phone_cuts_no_sentence(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "found", "words"), 0)
    note = page.locator(".decision-bar [data-note]")
    is_whole = "note => note.scrollHeight <= note.clientHeight"
    page.locator("label.tile", has_text="9G").click()
    assert note.evaluate(is_whole), note.inner_text()
    press(page.locator("[data-go]"))
    wait_for_version(page, 1)
    for choice in page.locator(".choices label").all():
        choice.click()
        assert "free share" in note.inner_text()
        assert note.evaluate(is_whole), note.inner_text()


def test_what_is_asked_begins_the_deck(open_table: Opener, played_site: PlayedSite) -> None:
    for step, part in (("merge", ".hand"), ("shares", ".asked"), ("buy", ".stocks")):
        page = open_table(game_at(played_site, step, "deck"), 0)
        page.get_by_role("button", name=wording.GOT_IT).click()
        page.locator(".coach-mark").wait_for(state="detached")
        board, first = page.locator(".felt").bounding_box(), page.locator(part).bounding_box()
        bar = page.locator(".decision-bar").bounding_box()
        assert board and first and bar
        assert 0 <= first["y"] - board["y"] - board["height"] < 24, step
        assert first["y"] + 100 < bar["y"], step


# The distances between the outer squares and the edges of the drawing, in pixels.
GAPS = """() => {
    const drawing = document.querySelector(".board > .shapes").getBoundingClientRect();
    const [first, last] = ["1A", "12I"].map(
        (name) => document.getElementById(`square-${name}`).getBoundingClientRect());
    return [first.left - drawing.left, first.top - drawing.top,
        drawing.right - last.right, drawing.bottom - last.bottom].map(Math.abs);
}"""


def test_drawing_lies_exactly_below_the_squares(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "buy", "below"), 0)
    for width in (320, 360, 768, 1023, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        assert max(page.evaluate(GAPS)) < 0.1


def test_empty_squares_show_their_names_only_if_that_is_asked_for(
    open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, "calm", "names"), 0)
    empty = page.locator(".board .square:not(.mine, .lone, .in-chain)").last
    assert empty.locator("i").inner_text() == ""
    assert empty.get_attribute("title") == f"{empty.locator('i').text_content()}, empty"
    assert page.locator(".board .lone i").first.is_visible()
    assert page.locator(".board .mine i").first.is_visible()
    empty.focus()
    page.keyboard.press("ArrowLeft")
    assert page.locator(".square:focus i").is_visible()
    page.evaluate("document.documentElement.classList.add('square-names')")
    assert empty.locator("i").is_visible()


def test_settings_bring_the_names_back_until_that_is_undone(player: Callable[..., Player]) -> None:
    page = player("nina").page
    shown = page.locator("html.square-names")
    page.goto("/settings/")
    box = page.get_by_label("Names on empty squares")
    box.check()
    undo = page.locator("#choice-saved").get_by_role("button", name="Undo")
    undo.wait_for()
    page.goto("/settings/")
    assert (box.is_checked(), shown.count()) == (True, 1)
    box.uncheck()
    undo.click()
    page.get_by_text(wording.CHANGE_UNDONE).wait_for()
    shown.wait_for(state="attached")
    assert box.is_checked()
