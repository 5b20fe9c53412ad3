"""Games ended by their players, seats that change hands, and results passed on, on phones."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.browser.turn_positions import game_at
from tests.support import wording
from tests.support.armed_buttons import wait_until_armed
from tests.support.browser_person import Player
from tests.support.open_tables import Game, Opener, fits, prepare, print_game
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Page

WATCHES = 3


def run_late(site: PlayedSite, game: Game, *seats: int) -> None:
    """Let the time of the deciding seat run out if it is one of these."""
    call = f"over({game.address.strip('/').split('/')[-1]!r}, {seats!r})"
    site.shell(f"from {__name__} import over; {call}")


def ask_again(site: PlayedSite, game: Game, seat: int) -> None:
    """Let the others play until this seat is asked.

    They stay people: computers in all seats would play to the end before anybody could take one over.
    """
    call = f"play_on_to({game.address.strip('/').split('/')[-1]!r}, {seat})"
    site.shell(f"from {__name__} import play_on_to; {call}")


def free_seat(site: PlayedSite, game: Game, seat: int) -> None:
    """Let the time run out for which a seat is kept for its player."""
    call = f"free({game.address.strip('/').split('/')[-1]!r}, {seat})"
    site.shell(f"from {__name__} import free; {call}")


# -- Inside the site ---------------------------------------------------------------------------------


def main(name: str) -> None:
    """Create a game of three in which seat 0 is asked; print it for `prepare`, with a spectator's session."""
    from accounts.models import User
    from games.lobby.game_start import start_game

    people = [User.objects.create_user(f"{name}-{seat}") for seat in range(4)]
    game = start_game(
        system="acquire",
        preset="course",
        host=people[0],
        players=people[:WATCHES],
        pace=86400,
        overrun="take",
    )
    print_game(game, people)


def over(public_id: str, seats: tuple[int, ...]) -> None:
    """Move the deadline of the deciding seat into the past if it is one of these, and settle it."""
    from datetime import timedelta

    from django.utils import timezone

    from games.models import Game
    from games.play.deadlines.overdue import settle_timeout

    games = Game.objects.filter(public_id=public_id)
    # While a bot is to move, nobody is late.
    if games.filter(waiting_for__isnull=False, seat_to_move__in=seats).update(
        deadline=timezone.now() - timedelta(seconds=1)
    ):
        game = games.get()
        settle_timeout(game.pk, game.version)


def play_on_to(public_id: str, seat: int) -> None:
    """Play random moves of all people until this seat is asked."""
    from games.models import Game
    from tests.support.games import play_until_asked

    game = Game.objects.get(public_id=public_id)
    asked = game.seats.get(number=seat).user
    assert asked is not None
    play_until_asked(game, asked)


def free(public_id: str, seat: int) -> None:
    """Move the end of the time for which the seat is kept into the past."""
    from django.utils import timezone

    from games.models import Seat

    Seat.objects.filter(game__public_id=public_id, number=seat).update(reserved_until=timezone.now())


# -- The players ---------------------------------------------------------------------------------------


def open_endings(page: "Page") -> None:
    """Open the page of ways to end the game, which the menu of the table leads to."""
    page.locator("#table-menu > summary").click()
    page.get_by_role("link", name="Concede or end the game").click()


def press(page: "Page", name: str) -> None:
    """Press a button that leads to another page."""
    with page.expect_navigation():
        page.get_by_role("button", name=name).click()


def test_end_proposal_is_refused_repeated_and_accepted(open_table: Opener, played_site: PlayedSite) -> None:
    game = prepare(played_site, __name__, "ends")
    first, second, third = (open_table(game, seat) for seat in range(3))
    open_endings(first)
    fits(first)
    first.get_by_role("link", name="Propose ending with current standings").click()
    fits(first)
    press(first, "Send proposal")

    second.get_by_role("link", name=wording.RESPOND_TO_PROPOSAL).click()
    fits(second)
    press(second, "Play on")
    second.get_by_text("You chose to play on, so the game continued.").wait_for(state="attached")
    first.get_by_text("ends-1 chose to play on").wait_for(state="attached")
    open_endings(first)
    first.get_by_text("Your proposal failed recently").wait_for()

    open_endings(third)
    third.get_by_role("link", name=wording.PROPOSE_NO_RESULT).click()
    press(third, "Send proposal")
    for page in (first, second):
        page.goto(game.address)
        page.get_by_role("link", name=wording.RESPOND_TO_PROPOSAL).click()
        press(page, wording.AGREE_TO_END)
    third.get_by_text(wording.ALL_AGREED_ON_NO_RESULT).first.wait_for(state="attached")
    fits(third)


def test_concession_by_keyboard_lets_bot_play_on(open_table: Opener, played_site: PlayedSite) -> None:
    game = prepare(played_site, __name__, "gives-up")
    page, other = open_table(game, 1), open_table(game, 2)
    page.locator("#table-menu > summary").press("Enter")
    for link in ("Concede or end the game", wording.CONCEDE_GAME):
        page.get_by_role("link", name=link, exact=True).focus()
        page.keyboard.press("Enter")
        page.wait_for_load_state()
    page.get_by_role("button", name=wording.CONCEDE_GAME).focus()
    page.keyboard.press("Enter")
    page.get_by_text("You conceded.").first.wait_for(state="attached")
    assert page.get_by_text(wording.STANDING_ORDERS).count() == 0
    assert page.get_by_text("Concede or end the game").count() == 0
    other.get_by_text("gives-up-1 conceded.").first.wait_for(state="attached")
    fits(page)


def test_late_player_returns_and_loses_seat(open_table: Opener, played_site: PlayedSite) -> None:
    game = prepare(played_site, __name__, "late")
    mine, watcher = open_table(game, 0), open_table(game, WATCHES)
    run_late(played_site, game, 0)
    mine.get_by_text(wording.GOT_AN_EXTENSION.format(who="You")).first.wait_for(state="attached")
    run_late(played_site, game, 0)
    mine.get_by_role("button", name=wording.TAKE_SEAT_BACK).wait_for()
    fits(mine)
    wait_until_armed(mine)
    press(mine, wording.TAKE_SEAT_BACK)
    mine.get_by_text(wording.CAME_BACK).first.wait_for(state="attached")

    ask_again(played_site, game, 0)
    mine.reload()
    mine.locator("#decision").wait_for()
    run_late(played_site, game, 0)
    mine.reload()
    mine.get_by_text(wording.SEAT_MAY_BE_TAKEN_FOR_GOOD).wait_for()
    fits(mine)
    watcher.goto(game.address)
    assert watcher.get_by_role("link", name=wording.TAKE_OVER_FROM % {"name": "late-0"}).count() == 0
    free_seat(played_site, game, 0)
    watcher.reload()
    fits(watcher)
    watcher.get_by_role("link", name=wording.TAKE_OVER_FROM % {"name": "late-0"}).click()
    watcher.get_by_text(wording.TAKING_OVER_IS_FINAL).wait_for()
    fits(watcher)
    press(watcher, "Take over seat")
    watcher.get_by_text(wording.TOOK_OVER_FROM.format(who="You", before="late-0")).first.wait_for(
        state="attached"
    )
    mine.reload()
    mine.get_by_text(wording.TOOK_OVER_FROM.format(who="late-3", before="late-0")).first.wait_for(
        state="attached"
    )
    mine.get_by_text(wording.LATE_SO_COMPUTER_TOOK_OVER.format(who="late-0")).first.wait_for(state="attached")
    assert mine.locator("#decision").count() == 0
    fits(watcher)


# Stands in for the share sheet of the device, which no test can open.
STUB_OF_SHARE_SHEET = "navigator.share = async (given) => { window.shared = given; };"


def test_visitor_shares_result(player: Callable[..., Player], played_site: PlayedSite) -> None:
    game = game_at(played_site, "over", "shared")
    page = player(viewport={"width": 360, "height": 740}).page
    page.add_init_script(STUB_OF_SHARE_SHEET)
    page.goto(game.address)
    page.get_by_role("button", name="Share result").click()
    headline = page.locator("#headline").inner_text()
    assert page.evaluate("shared") == {"title": headline, "url": f"{played_site.url}{game.address}"}
