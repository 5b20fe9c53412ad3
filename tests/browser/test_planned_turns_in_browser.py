"""Planning a turn while another player decides, and sending a whole turn without a script."""

from games.play.game_columns import set_position
from tests.support import wording
from tests.support.armed_buttons import press
from tests.support.open_tables import Opener, fits, prepare, print_game, wait_for_version
from tests.support.played_site import PlayedSite


def main(name: str) -> None:
    """Create the game inside the site and print it for `prepare`."""
    from accounts.models import User
    from games.lobby.game_start import start_game
    from games.models import Game
    from tests.engine.rules.acquire.acquire_positions import position

    people = [User.objects.create_user(f"{name}-{seat}") for seat in range(2)]
    game = start_game(system="acquire", preset="avalon-hill", host=people[0], players=people)
    # Seat the people in order, whatever the deal.
    for number in (2, 3, 0, 1):
        game.seats.filter(user=people[number % 2]).update(number=number)
    game = Game.with_secrets.get(pk=game.pk)
    state = position({"lone": "4A", "worldwide": "11I-12I"}, hands=("1I 2H", "5A 9H"), turn=0)
    set_position(game, state, list(game.seats.all()), after=None)
    game.save()
    print_game(game, people)


def test_plan_is_kept_during_updates_and_carried_out(open_table: Opener, played_site: PlayedSite) -> None:
    game = prepare(played_site, __name__, "waits")
    mine, other = open_table(game, 1), open_table(game, 0)
    mine.evaluate("window.same = true")
    mine.locator("#plan-summary").click()
    mine.locator("#plan-found1").wait_for(state="hidden")  # once the script of the form is loaded
    mine.locator("#plan-tile").select_option("5A")
    mine.locator("#plan-found1").select_option("tower")
    assert not mine.locator("#plan-buy2a").is_visible()
    mine.locator("#plan-buy1a").select_option("tower")
    mine.locator("#plan-buy2a").select_option("worldwide")
    fits(mine)

    other.locator("label.tile", has_text="1I").click()
    press(other.locator("[data-go]"))
    wait_for_version(mine, 1)
    assert mine.locator("#plan-tile").input_value() == "5A"
    assert mine.locator("#plan-found1").input_value() == "tower"
    assert mine.locator("#plan-buy2a").input_value() == "worldwide"

    press(mine.get_by_role("button", name="Save plan"))
    placed = wording.PLACE_IF_NOTHING_CHANGES.format(tile="5A")
    said = f"{placed} Found Tower. Buy 1 Tower, otherwise 1 Worldwide."
    mine.get_by_text(said).wait_for()
    fits(mine)

    wait_for_version(other, 1)
    press(other.locator("[data-nothing]"))
    wait_for_version(mine, 5)
    assert mine.get_by_text(wording.YOU_HAD_PLANNED_THIS).count() > 0
    assert other.get_by_text("had planned").count() == 0
    assert mine.evaluate("window.same"), "the page was not loaded again"


def test_whole_turn_is_sent_without_script(open_table: Opener, played_site: PlayedSite) -> None:
    game = prepare(played_site, __name__, "plain")
    page = open_table(game, 0, java_script_enabled=False)
    page.locator("#plan-summary").click()
    page.locator("#plan-tile").select_option("2H")
    page.locator("#plan-buy1a").select_option("worldwide")
    page.locator("#plan-buy1b").select_option("worldwide")
    with page.expect_navigation():
        page.get_by_role("button", name="Send turn").click()
    wait_for_version(page, 2)
    assert page.get_by_text("bought 2 Worldwide").count() == 1
