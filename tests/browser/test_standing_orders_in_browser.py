"""A standing order given during a merger, changed on its own page, and followed."""

from tests.support import wording
from tests.support.armed_buttons import press
from tests.support.open_tables import Opener, fits, prepare, print_game, wait_for_version
from tests.support.played_site import PlayedSite
from tests.support.table_page import show_panel


def main(name: str) -> None:
    """Create the game inside the site and print it for `prepare`."""
    from accounts.models import User
    from games.lobby.game_start import start_game
    from tests.support.merger_game import SEATED, before_a_merger

    people = [User.objects.create_user(f"{name}-{seat}") for seat in range(3)]
    game = start_game(system="acquire", preset="avalon-hill", host=people[0], players=people, options=SEATED)
    before_a_merger(game)
    print_game(game, people)


def test_order_is_kept_during_updates_changed_and_followed(
    open_table: Opener, played_site: PlayedSite
) -> None:
    game = prepare(played_site, __name__, "orders")
    mine, other = open_table(game, 1), open_table(game, 0)
    mine.evaluate("window.same = true")
    show_panel(mine, "stocks")
    mine.get_by_text(wording.STANDING_ORDERS).click()
    mine.get_by_role("combobox", name="Hold", exact=True).select_option("1")
    mine.get_by_text(
        wording.ORDER_WOULD_TRADE.format(survivor="Tower", chain="Sackson", traded=4, got=2)
    ).wait_for()
    fits(mine)

    other.locator("label.tile", has_text="4A").click()
    press(other.locator("[data-go]"))
    wait_for_version(mine, 1)
    assert mine.get_by_role("combobox", name="Hold", exact=True).input_value() == "1", (
        "what was being written stays"
    )

    mine.get_by_role("button", name=wording.SAVE_STANDING_ORDER).click()
    mine.get_by_text("When any chain goes defunct, hold 1").wait_for()
    fits(mine)
    assert mine.evaluate("window.same"), "the page was not loaded again"

    mine.get_by_role("link", name="Change order").click()
    mine.get_by_role("combobox", name="Hold", exact=True).select_option("3")
    mine.get_by_text(
        wording.ORDER_WOULD_TRADE.format(survivor="Tower", chain="Sackson", traded=2, got=1)
    ).wait_for()
    fits(mine)
    mine.get_by_role("button", name=wording.SAVE_STANDING_ORDER).click()
    mine.get_by_text("When any chain goes defunct, hold 3").wait_for()

    other.locator("label.way", has_text="Hold all 2").click()
    press(other.locator("[data-go]"))
    wait_for_version(mine, 3)
    assert mine.get_by_text(wording.YOUR_ORDER_MADE_THIS_MOVE).count() > 0
    assert other.get_by_text(wording.AN_ORDER_MADE_THIS_MOVE).count() == 0


def test_order_is_tried_given_and_withdrawn_without_script(
    open_table: Opener, played_site: PlayedSite
) -> None:
    game = prepare(played_site, __name__, "plain-orders")
    page = open_table(game, 2, java_script_enabled=False)
    show_panel(page, "stocks")
    page.get_by_text(wording.STANDING_ORDERS).click()
    page.get_by_role("link", name="Add standing order").click()
    page.get_by_role("combobox", name="Hold", exact=True).select_option("2")
    with page.expect_navigation():
        page.get_by_role("button", name="Preview").click()
    assert (
        page.get_by_text(
            wording.ORDER_WOULD_SELL.format(survivor="Tower", chain="Sackson", sold=1, dollars="$200")
        ).count()
        == 1
    )
    with page.expect_navigation():
        page.get_by_role("button", name=wording.SAVE_STANDING_ORDER).click()
    with page.expect_navigation():
        page.get_by_role("button", name="Cancel order").click()
    assert page.get_by_role("button", name="Cancel order").count() == 0
