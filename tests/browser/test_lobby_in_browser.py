"""The lobby: people create games, share links, take seats and play."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from games.refusals import GuestsPlayComputers
from tests.browser.turn_positions import game_at
from tests.support import wording
from tests.support.armed_buttons import press
from tests.support.browser_person import Player
from tests.support.open_tables import Opener
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Page


def sits(page: "Page", name: str) -> Any:
    return page.locator(".seat-list li", has_text=name)


def mark_page(page: "Page") -> None:
    """Set a mark that is lost when the page is reloaded."""
    page.evaluate("window.marked = true")


def was_not_loaded_again(page: "Page") -> bool:
    return page.evaluate("window.marked === true")


def test_game_starts_by_invite_link(player: Callable[..., Player]) -> None:
    host = player("ann", permissions=["clipboard-read", "clipboard-write"])
    host.open_game(name="Just us", least="2", most="2", visibility="unlisted", start="full", preset="course")
    page = host.page
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("button", name="Copied").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(rf"{host.site.url}/join/\w{{16}}/", link)

    other = player()
    other.page.goto("/")
    other.page.get_by_role("button", name=wording.PLAY_NOW).click()
    other.page.wait_for_url(re.compile(r"/games/\w+/"))
    other.page.goto(link)
    assert str(GuestsPlayComputers.message) in other.page.locator(".reason").inner_text()
    assert other.page.get_by_role("button", name=wording.JOIN_GAME).count() == 0
    other.page.get_by_role("link", name="Sign up").click()
    other.fill(username="ben-the-second", password1="a long enough secret", password2="a long enough secret")
    other.page.locator("[name=consent]").check()
    other.press()
    other.page.wait_for_url(link)
    other.press(wording.JOIN_GAME)

    # Both see the table; the host has not touched anything.
    for one in (host, other):
        one.page.locator("#table [data-version='0']").wait_for()
    mark_page(other.page)
    page.locator("label.tile").first.click()
    press(page.locator("form#decision button[type=submit]").first)
    other.page.locator("#table [data-version]:not([data-version='0'])").wait_for()
    assert was_not_loaded_again(other.page)
    assert "Just us" in other.page.title()


def test_waiting_room_follows_players_and_keeps_input(player: Callable[..., Player]) -> None:
    host, other = player("carl"), player("dora")
    address = host.open_game(name="Come and go", most="3", start="host")
    mark_page(host.page)
    host.page.locator("#id_who").fill("half a na")
    assert host.page.get_by_role("button", name=wording.START_GAME).is_disabled()

    other.page.goto(address)
    other.press(wording.JOIN_GAME)
    sits(host.page, other.name).wait_for()
    assert host.page.locator("#id_who").input_value() == "half a na"
    assert host.page.get_by_role("button", name=wording.START_GAME).is_enabled()

    other.press("Leave game")
    sits(host.page, other.name).wait_for(state="detached")
    other.page.goto(address)
    other.press(wording.JOIN_GAME)
    sits(host.page, other.name).wait_for()
    assert was_not_loaded_again(host.page)

    # The host leaves: the other becomes the host and sees it without a reload.
    mark_page(other.page)
    host.press("Leave game")
    sits(other.page, "host").get_by_text("(you)").wait_for()
    assert was_not_loaded_again(other.page)
    assert other.page.locator("#id_who").count() == 1


def test_kicked_player_sees_reason(player: Callable[..., Player]) -> None:
    host, other = player("emma"), player("finn")
    address = host.open_game(name="Picky", most="3", start="host")
    other.page.goto(address)
    other.press(wording.JOIN_GAME)
    sits(host.page, other.name).get_by_role("link", name="Remove").click()
    host.look_at()
    host.fill(reason="We keep this seat for a friend.")
    host.press("Remove player")
    other.page.locator(".reason", has_text="We keep this seat for a friend.").wait_for()


def test_lobby_shows_new_games_and_filters_by_keyboard(player: Callable[..., Player]) -> None:
    host, reader = player("gus"), player("hal")
    page = reader.page
    mark_page(page)
    name = f"Fresh {reader.name}"
    host.open_game(name=name, most="3", pace="1", unit="hours")
    card = page.locator("#open-seats article", has_text=name)
    card.wait_for()

    page.get_by_role("radio", name="All", exact=True).focus()
    page.keyboard.press("ArrowLeft")  # around to no limit, the last one
    card.wait_for(state="detached")
    assert page.evaluate("document.activeElement.name") == "pace"
    page.wait_for_url("**/*pace=0*")
    page.keyboard.press("ArrowRight")
    card.wait_for()
    assert was_not_loaded_again(page)

    card.get_by_role("button", name="Join").click()
    page.wait_for_url(re.compile(r"/games/\w+/"))
    assert sits(page, reader.name).count() == 1


def test_count_of_waiting_games_follows_on_every_page(player: Callable[..., Player]) -> None:
    host, other = player("ida"), player("jon")
    address = host.open_game(most="2", least="2", start="full", preset="course")
    host.page.goto("/rules/")
    mark_page(host.page)
    assert host.page.locator("#waiting .pill").count() == 0
    other.page.goto(address)
    other.press(wording.JOIN_GAME)
    # In this preset the host begins.
    pill = host.page.locator("#waiting .pill")
    pill.wait_for()
    assert was_not_loaded_again(host.page)
    assert host.page.title().startswith("● ")
    assert "icon-turn" in host.page.locator("link[rel=icon]").get_attribute("href")
    pill.click()
    host.page.wait_for_url(address)
    assert host.page.locator("form#decision").count() == 1


def test_pages_of_lobby_are_accessible(player: Callable[..., Player]) -> None:
    host, stranger = player("kim"), player()
    host.page.goto("/games/new/")
    for fold in host.page.locator("main summary").all():
        fold.click()
    host.look_at()
    address = host.open_game(name="A name as long as it may be, with words in", most="6", seat_2="medium")
    host.look_at()
    host.page.goto("/")
    host.look_at()
    for page in ("/games/open/", "/games/running/", "/games/finished/", "/games/mine/", f"{address}rules/"):
        host.look_at(page)
    stranger.look_at(address)
    stranger.look_at("/")


def test_lobby_works_without_script(player: Callable[..., Player]) -> None:
    host = player("lea")
    address = host.open_game(name="Plain", most="3", start="host")
    other = player(java_script_enabled=False)
    page = other.page
    other.become_a_member("max")
    page.goto("/")
    page.get_by_role("radio", name="No limit").check()
    page.locator("#filters button").click()
    assert "pace=0" in page.url
    page.goto(address)
    other.press(wording.JOIN_GAME)
    assert sits(page, other.name).count() == 1
    other.press("Leave game")
    assert "You left Plain" in page.locator(".messages").inner_text()


# The parts of cards that reach beyond their card, by class.
SPILLS = """() => [...document.querySelectorAll(".game-card")].flatMap((card) => {
    const edge = card.getBoundingClientRect().right + 0.5;
    return [...card.querySelectorAll("*")].filter((part) => part.getBoundingClientRect().right > edge)
        .map((part) => part.className || part.tagName);
})"""


def test_card_holds_its_parts_with_text_of_twice_the_size(
    open_table: Opener, played_site: PlayedSite
) -> None:
    page = open_table(game_at(played_site, "buy", "card"), 0)
    page.goto("/")
    assert page.locator(".game-card.waits .shapes").count() == 1
    for size in ("100%", "200%"):
        page.evaluate("size => { document.documentElement.style.fontSize = size; }", size)
        assert page.evaluate(SPILLS) == []


# Returns the height of each element in lines of text.
LINES = (
    """all => all.map((one) => Math.round(one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight)))"""
)


def test_rank_and_name_on_a_card_share_a_line(open_table: Opener, played_site: PlayedSite) -> None:
    page = open_table(game_at(played_site, "buy", "hotel-magnates"), 0)
    page.goto("/")
    assert page.locator(".places li").evaluate_all(LINES) == [1] * 3
