"""Motion shows what has changed and is in nobody's way; replays show what was missed."""

from typing import TYPE_CHECKING

from tests.browser.missed_turns import missed
from tests.browser.page_player import wait_for
from tests.browser.turn_positions import game_at
from tests.support.armed_buttons import press
from tests.support.open_tables import Opener, fits, wait_for_version
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Records every animation of a square: its name and whether it moves or only changes colour.
RECORD = """
window.moved = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  const how = "transform" in frames[0] ? "drops" : "floods";
  if (this.dataset.row !== undefined) window.moved.push([this.id, how]);
  return animate.call(this, frames, options);
};
"""


# Returns true if an amount that came in lies on the headline.
COVERS_THE_HEADLINE = """() => {
    const { bottom } = document.getElementById("headline").getBoundingClientRect();
    const gains = [...document.querySelectorAll(".strip .gain")];
    return gains.some((gain) => gain.getBoundingClientRect().top < bottom);
}"""


def recorded(page: "Page") -> "Page":
    page.context.add_init_script(RECORD)
    page.reload()
    return page


def play(page: "Page", tile: str, version: int) -> None:
    """Place a tile, as entry `version` of the log."""
    page.locator("label.tile", has_text=tile).click()
    press(page.locator("[data-go]"))
    wait_for_version(page, version)


def hold(page: "Page", version: int) -> None:
    """Hold the shares of the defunct chain, as entry `version` of the log."""
    wait_for_version(page, version - 1)
    page.locator("label.way", has_text="Hold all").click()
    press(page.locator("[data-go]"))
    wait_for_version(page, version)


def test_tile_drops_bonuses_count_and_merger_floods(open_table: Opener, played_site: PlayedSite) -> None:
    game = game_at(played_site, "merge", "motion")
    players = [open_table(game, seat) for seat in range(3)]
    watcher = recorded(open_table(game, 1))
    play(players[0], "4A", 1)
    wait_for_version(watcher, 1)
    assert watcher.evaluate("moved") == [["square-4A", "drops"]]
    assert watcher.locator(".strip .gain").all_inner_texts() == ["+$2,000", "+$1,000"]
    assert not watcher.evaluate(COVERS_THE_HEADLINE)
    cash = watcher.locator(".strip .cash")
    wait_for(watcher, lambda: cash.all_inner_texts() == ["$6,000", "$8,000", "$7,000"], "the sums")
    for number, page in enumerate(players, start=2):
        hold(page, number)
    wait_for_version(watcher, 4)
    assert watcher.evaluate("moved.slice(1)") == [[f"square-{name}", "floods"] for name in ("4A", "5A", "6A")]


def test_nothing_moves_with_reduced_motion(open_table: Opener, played_site: PlayedSite) -> None:
    game = game_at(played_site, "merge", "motionless")
    watcher = recorded(open_table(game, 1, reduced_motion="reduce"))
    mover = open_table(game, 0)
    play(mover, "4A", 1)
    wait_for_version(watcher, 1)
    assert watcher.evaluate("moved") == []
    assert (
        "in-chain" in (watcher.locator("#square-4A").get_attribute("class") or "")
        or watcher.locator("#square-4A.new").count()
    )


# -- What was missed -----------------------------------------------------------------------------------


def tiles(page: "Page") -> int:
    """Count the tiles on the board that is shown."""
    return page.locator(".board :is(.lone, .in-chain)").count()


# Once a replay shows a move: the number of tiles on its board, and what it says. Read in the page at the same
# moment, for the replay does not wait for a busy machine.
REPLAYED = """() => {
    const bar = document.querySelector(".replay");
    const said = bar?.checkVisibility() ? bar.innerText : "";
    if (!said.includes(" placed ")) return null;
    return [document.querySelectorAll(".board :is(.lone, .in-chain)").length, said];
}"""


def tile_of_hand(page: "Page", place: int) -> str:
    return page.locator("label.tile input").nth(place).input_value()


def test_missed_moves_are_replayed_once(open_table: Opener, played_site: PlayedSite) -> None:
    page = missed(open_table, played_site, "replay")
    bar = page.locator(".replay")
    first, said = page.wait_for_function(REPLAYED).json_value()
    assert " placed " in said
    bar.wait_for(state="hidden")
    assert tiles(page) > first
    assert page.locator(".board").count() == 1
    assert page.locator(".board .new").count() == 1
    fits(page)
    page.reload()
    page.locator("#table:not(.waking)").wait_for()  # its scripts have run by then
    assert page.locator("#table[data-replays]").count() == 0
    assert bar.is_hidden()


def test_moves_of_a_finished_game_are_not_replayed(open_table: Opener, played_site: PlayedSite) -> None:
    page = missed(open_table, played_site, "over", play="play_whole_game")
    page.locator(".podium").wait_for()
    page.locator("#table:not(.waking)").wait_for()  # its scripts have run by then
    assert page.locator("#table[data-replays]").count() == 0
    assert page.locator(".replay").count() == 0


def test_tap_ends_replay(open_table: Opener, played_site: PlayedSite) -> None:
    page = missed(open_table, played_site, "tap")
    page.locator(".replay").wait_for()
    shown = tiles(page)
    page.locator("#headline").click()
    assert page.locator(".replay").is_hidden()
    assert tiles(page) > shown


def test_tapped_tile_of_hand_is_chosen_and_ends_replay(open_table: Opener, played_site: PlayedSite) -> None:
    page = missed(open_table, played_site, "chip", has_touch=True)
    page.locator(".replay").wait_for()
    page.locator("label.tile").nth(1).tap()
    assert page.locator(".replay").is_hidden()
    assert page.locator("label.tile input:checked").input_value() == tile_of_hand(page, 1)


def test_tapped_square_of_my_tile_is_chosen_and_ends_replay(
    open_table: Opener, played_site: PlayedSite
) -> None:
    page = missed(open_table, played_site, "square", has_touch=True)
    page.locator(".replay").wait_for()
    mine = tile_of_hand(page, 0)
    page.locator(f"#square-{mine}").tap()
    assert page.locator(".replay").is_hidden()
    assert page.locator("label.tile input:checked").input_value() == mine


def test_tapped_square_of_another_tile_chooses_nothing_and_ends_replay(
    open_table: Opener, played_site: PlayedSite
) -> None:
    page = missed(open_table, played_site, "other", has_touch=True)
    page.locator(".replay").wait_for()
    page.locator(".board .square:not([data-choose])").first.tap()
    assert page.locator(".replay").is_hidden()
    assert page.locator("label.tile input:checked").count() == 0


def test_key_ends_replay(open_table: Opener, played_site: PlayedSite) -> None:
    page = missed(open_table, played_site, "key")
    page.locator(".replay").wait_for()
    page.keyboard.press("Tab")
    assert page.locator(".replay").is_hidden()


def test_decision_taken_during_replay_is_sent(open_table: Opener, played_site: PlayedSite) -> None:
    page = missed(open_table, played_site, "decision")
    page.locator(".replay").wait_for()
    version = int(page.locator("[data-version]").first.get_attribute("data-version") or 0)
    play(page, tile_of_hand(page, 0), version + 1)
    assert page.locator(".replay").is_hidden()
    assert page.locator(".board").count() == 1


def test_bar_ends_replay(open_table: Opener, played_site: PlayedSite) -> None:
    page = missed(open_table, played_site, "bar")
    page.get_by_role("button", name="Skip replay").click()
    assert page.locator(".replay").is_hidden()


def test_nothing_is_replayed_with_reduced_motion(open_table: Opener, played_site: PlayedSite) -> None:
    page = missed(open_table, played_site, "calm", reduced_motion="reduce")
    page.wait_for_timeout(1500)
    assert page.locator(".replay").is_hidden()
    assert page.locator(".board .new").count() == 1
