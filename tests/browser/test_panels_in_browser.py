"""The panels of a table: tabs beside the board on a desk, or below it on a phone."""

from typing import TYPE_CHECKING

import pytest

from tests.browser.page_player import wait_for
from tests.browser.turn_positions import CROWD, game_at
from tests.support import wording
from tests.support.armed_buttons import press
from tests.support.open_tables import Opener, fits, wait_for_version
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

PHONE: "ViewportSize" = {"width": 360, "height": 740}
DESK: "ViewportSize" = {"width": 1440, "height": 900}
PANELS = ("#panel-turn", "#panel-stocks", "#panel-log", "#panel-chat")


def choose(page: "Page", panel: str) -> None:
    page.locator(f"[data-panel={panel}]:visible").click()


def open_menu(page: "Page") -> None:
    page.locator("#table-menu > summary").click()


def visible_panels(page: "Page") -> set[str]:
    return {panel.removeprefix("#panel-") for panel in PANELS if page.locator(panel).is_visible()}


def positions(page: "Page") -> list[object]:
    """The places of the parts that never move."""
    return [page.locator(part).first.bounding_box() for part in (".strip", ".board", ".decision-bar")]


def test_tabs_on_a_phone_move_nothing_else(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "merge", "tabs"), 0)
    before = positions(page)
    assert visible_panels(page) == {"turn"}
    for panel in ("stocks", "log", "chat", "turn"):
        choose(page, panel)
        assert visible_panels(page) == {panel}
        assert page.locator("[role=tab][aria-selected=true]:visible").get_attribute("data-panel") == panel
        assert positions(page) == before
    page.locator("[data-panel=turn]:visible").press("ArrowRight")
    assert visible_panels(page) == {"stocks"}
    assert page.evaluate("document.activeElement.dataset.panel") == "stocks"


def test_each_step_begins_with_its_decision(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "calm", "begins"), 0)
    choose(page, "log")
    page.locator("#square-5I").click()
    press(page.locator("[data-go]"))
    wait_for_version(page, 1)
    assert visible_panels(page) == {"stocks"}


def test_news_of_others_keep_panel_place_and_draft(open_table: Opener, played_site: PlayedSite) -> None:
    game = game_at(played_site, "calm", "news")
    mine, other = open_table(game, 0), open_table(game, 1)
    choose(other, "chat")
    other.locator("#say").fill("Half a sentence")
    other.evaluate("window.scrollTo(0, 40)")
    place = other.evaluate("scrollY")
    mine.locator("label.tile", has_text="5I").click()
    press(mine.locator("[data-go]"))
    wait_for_version(other, 1)
    assert visible_panels(other) == {"chat"}
    assert other.locator("#say").input_value() == "Half a sentence"
    assert other.evaluate("document.activeElement.id") == "say"
    assert other.evaluate("scrollY") == place


def test_new_entries_are_marked_until_the_log_is_shown(open_table: Opener, played_site: PlayedSite) -> None:
    game = game_at(played_site, "calm", "marks")
    mine, other = open_table(game, 0), open_table(game, 1)
    mark = other.locator("[data-panel=log]:visible .mark")
    assert mark.is_hidden()
    mine.locator("label.tile", has_text="5I").click()
    press(mine.locator("[data-go]"))
    wait_for_version(other, 1)
    assert mark.inner_text().split()[0] == "1"
    choose(other, "log")
    assert mark.is_hidden()
    choose(other, "turn")
    assert mark.is_hidden()


@pytest.mark.parametrize("size", [(1440, 900), (1280, 720), (1100, 768)])
def test_desk_shows_strip_board_hand_and_bar_at_once(
    size: tuple[int, int], open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, "merge", f"desk-{size[0]}"), 0)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    assert visible_panels(page) == {"turn", "stocks"}
    bar = page.locator(".decision-bar").bounding_box()
    hand = page.locator(".hand").bounding_box()
    assert bar and hand
    assert hand["y"] + hand["height"] <= bar["y"] <= size[1] - bar["height"]
    for panel in ("log", "chat"):
        choose(page, panel)
        assert visible_panels(page) == {"turn", panel}
    fits(page)


def test_board_stays_while_the_desk_scrolls(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "buy", "sticky"), 0)
    page.set_viewport_size({"width": 1200, "height": 600})
    page.mouse.move(900, 300)
    page.mouse.wheel(0, 150)
    page.wait_for_timeout(200)
    board, bar = page.locator(".board").bounding_box(), page.locator(".decision-bar").bounding_box()
    assert board and bar
    assert board["y"] >= 0 and bar["y"] + bar["height"] <= 600


NEXT_GAME = """<button class="button quiet" data-go-next>Send and open next game</button>"""


@pytest.mark.parametrize("width", [1280, 1440])
def test_bar_with_three_buttons_covers_no_tile_of_the_hand(
    width: int, open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, "buy", f"three-{width}"), 0)
    page.set_viewport_size({"width": width, "height": 900})
    page.locator("[data-go]").evaluate("(go, next) => go.insertAdjacentHTML('afterend', next)", NEXT_GAME)
    hand, bar = page.locator(".hand").bounding_box(), page.locator(".decision-bar").bounding_box()
    assert hand and bar and hand["y"] + hand["height"] <= bar["y"]


CLOCK = """<span class="dim">Move by <time>Sunday 2:50 PM</time> · 2 days left</span>"""


def test_headline_beside_a_deadline_is_whole_on_a_desk(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "shares", "whole"), 0)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.locator(".turn").evaluate("(turn, clock) => turn.insertAdjacentHTML('beforeend', clock)", CLOCK)
    assert page.locator("#headline").evaluate("told => told.scrollHeight <= told.clientHeight")


def test_name_in_the_strip_stays_on_one_line(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "buy", "grand-hotelier"), 0)
    page.set_viewport_size({"width": 1100, "height": 800})
    heights = page.locator(".strip .who").evaluate_all("all => all.map((who) => who.offsetHeight)")
    assert len(heights) == 3 and max(heights) < 24


def test_names_of_six_players_are_whole_on_a_desk(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "crowd", "six"), 0)
    page.set_viewport_size(DESK)
    for name in page.locator(".strip .who").all():
        assert name.evaluate("name => name.scrollWidth <= name.clientWidth + 1"), name.inner_text()
    assert CROWD[4] in page.locator(".strip").inner_text()


def test_without_scripts_all_panels_stand_below_each_other(
    open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, "merge", "plain"), 0, java_script_enabled=False)
    assert visible_panels(page) == {"turn", "stocks", "log", "chat"}
    tops = [box["y"] for panel in PANELS if (box := page.locator(panel).bounding_box())]
    assert tops == sorted(tops)
    assert page.locator("[role=tab]").filter(visible=True).count() == 0


def test_time_of_an_entry_stands_at_the_right_of_its_first_line(
    open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, "shares", "times"), 0)
    choose(page, "log")
    entry = page.locator(".log > li").first
    time, said = entry.locator("time").bounding_box(), entry.locator("p").first.bounding_box()
    assert time and said
    assert time["x"] + time["width"] == pytest.approx(said["x"] + said["width"], abs=1)
    assert said["y"] <= time["y"] < said["y"] + 20


@pytest.mark.parametrize(("step", "asked"), [("merge", "turn"), ("shares", "turn"), ("buy", "stocks")])
def test_button_leads_to_what_is_asked_while_nothing_is_chosen(
    step: str, asked: str, open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, step, "leads"), 0)
    button = page.locator("[data-go]")
    assert button.is_disabled()
    choose(page, "log")
    mark = page.locator(f"[data-panel={asked}]:visible .mark")
    assert mark.text_content() == "! your turn"
    button.click()
    assert visible_panels(page) == {asked}
    assert button.is_disabled()
    assert mark.is_hidden()
    assert page.locator("[data-version='0']").count() == (step != "shares"), "nothing is sent"


def test_button_sends_what_is_chosen_from_any_panel(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "calm", "anywhere"), 0)
    page.locator("label.tile", has_text="5I").click()
    choose(page, "log")
    press(page.locator("[data-go]"))
    wait_for_version(page, 1)


def test_merger_of_another_player_begins_the_deck(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "shares", "theirs"), 1)
    merger, hand = page.locator(".merger").bounding_box(), page.locator(".hand").bounding_box()
    assert merger and hand
    assert merger["y"] < hand["y"]


@pytest.mark.parametrize("scripts", [True, False])
def test_menu_of_the_table_holds_what_is_rarely_done(
    scripts: bool, open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, "calm", f"menu-{scripts}"), 0, java_script_enabled=scripts)
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        concede = page.get_by_role("link", name="Concede or end the game")
        assert concede.count() == 0
        open_menu(page)
        for name in ("Rules of this game", "Check the deal", "Report this game"):
            assert page.get_by_role("link", name=name).is_visible()
        assert page.get_by_role("button", name="Explore").is_visible()
        assert concede.is_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        open_menu(page)
    open_menu(page)
    concede.click()
    page.wait_for_url("**/ending/")


def test_open_menu_outlives_news_and_closes_with_escape(open_table: Opener, played_site: PlayedSite) -> None:
    game = game_at(played_site, "calm", "open-menu")
    mine, other = open_table(game, 0), open_table(game, 1)
    open_menu(other)
    mine.locator("label.tile", has_text="5I").click()
    press(mine.locator("[data-go]"))
    wait_for_version(other, 1)
    assert other.locator("#table-menu[open] > summary:focus").count() == 1
    fits(other)
    other.keyboard.press("Escape")
    assert other.locator("#table-menu:not([open]) > summary:focus").count() == 1
    open_menu(other)
    other.mouse.click(20, 700)
    assert other.locator("#table-menu:not([open])").count() == 1


def test_headline_of_a_wait_is_whole(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "shares", "headline"), 1)
    headline = page.locator("#headline")
    for name in ("Ann", "Konstantinopolitanus"):
        for thinking in ("", "thinking"):
            words = f"{name} is deciding what to do with 6 Continental shares"
            headline.evaluate(
                "(headline, [words, css]) => { headline.textContent = words; headline.className = css; }",
                [words, f"{thinking} {'long' if len(words) > 56 else ''}"],
            )
            for width in (320, 360):
                page.set_viewport_size({"width": width, "height": 740})
                assert headline.evaluate("one => one.scrollHeight <= one.clientHeight + 1"), (words, width)


def test_link_to_something_in_a_panel_shows_it(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "merge", "link"), 0)
    page.goto(f"{page.url}#notes")
    wait_for(page, lambda: visible_panels(page) == {"chat"}, "showing the notes")


def test_legend_stays_open_while_the_table_changes(open_table: Opener, played_site: PlayedSite) -> None:
    game = game_at(played_site, "calm", "legend")
    mine, other = open_table(game, 0), open_table(game, 1)
    open_menu(other)
    other.get_by_role("button", name="Legend").click()
    assert other.locator("#legend").is_visible()
    mine.locator("label.tile", has_text="5I").click()
    press(mine.locator("[data-go]"))
    wait_for_version(other, 1)
    assert other.locator("#legend").is_visible()
    fits(other)
    other.keyboard.press("Escape")
    assert other.locator("#legend").is_hidden()


def test_lost_connection_is_told_once_in_the_bar(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "calm", "offline"), 0)
    page.locator("label.tile", has_text="5I").click()
    page.context.set_offline(True)
    press(page.locator("[data-go]"))
    page.locator(".decision-bar [data-trouble]", has_text=wording.SERVER_OUT_OF_REACH).wait_for()
    assert page.locator("[role=alert]:visible").count() == 1
    page.context.set_offline(False)
    press(page.locator("[data-go]"))
    wait_for_version(page, 1)
    assert page.locator("[role=alert]:visible").count() == 0


def test_error_of_another_form_is_told_in_the_bar_of_those_who_wait(
    open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, "calm", "waits"), 1)
    page.locator("#plan-summary").click()
    page.locator("#plan-tile").select_option(index=1)
    page.context.set_offline(True)
    press(page.locator("#plan-form button[type=submit]"))
    told = page.locator(".decision-bar [data-trouble]", has_text=wording.SERVER_OUT_OF_REACH)
    told.wait_for()
    box = told.bounding_box()
    assert box and box["y"] >= 0 and box["y"] + box["height"] <= PHONE["height"]
    assert page.locator("[role=alert]:visible").count() == 1


def test_bonuses_stand_above_the_button_of_a_merger(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "merge", "payouts"), 0)
    paid = page.locator(".payouts:visible .payout")
    assert paid.count() == 0
    page.locator("label.tile", has_text="4A").click()
    told = [" ".join(cell.split()).replace(" ,", ",") for cell in paid.all_inner_texts()]
    assert page.locator(".board .outcome:visible").get_attribute("data-outcome") == "4A"
    assert told == ["S +$2,000 merge-payouts-1, majority", "S +$1,000 merge-payouts-2, minority"]
    page.locator("label.tile", has_text="12H").click()
    assert paid.count() == 0
    assert page.locator(".board .outcome:visible").count() == 0
    page.locator("label.tile", has_text="4A").click()
    press(page.locator("[data-go]"))
    wait_for_version(page, 1)
    assert paid.count() == 2
