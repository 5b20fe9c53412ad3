"""Games ended by their players, and seats that change hands, on phones."""

from typing import TYPE_CHECKING

from tests.support.open_tables import Game, Opener, fits, prepare, print_game
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Page

WATCHES = 3


def run_late(site: PlayedSite, game: Game, *seats: int) -> None:
    """Let the time of the deciding seat run out if it is one of these."""
    call = f"over({game.address.strip('/').split('/')[-1]!r}, {seats!r})"
    site.manage("shell", "--no-imports", "-c", f"from {__name__} import over; {call}")


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


# -- The players ---------------------------------------------------------------------------------------


def press(page: "Page", name: str) -> None:
    """Press a button that leads to another page."""
    with page.expect_navigation():
        page.get_by_role("button", name=name).click()


def test_end_proposal_is_refused_repeated_and_accepted(open_table: Opener, played_site: PlayedSite) -> None:
    game = prepare(played_site, __name__, "ends")
    first, second, third = (open_table(game, seat) for seat in range(3))
    first.get_by_role("link", name="Concede, or end the game").click()
    fits(first)
    first.get_by_role("link", name="End it with the standings as they are").click()
    fits(first)
    press(first, "Propose it")

    second.get_by_role("link", name="Answer").click()
    fits(second)
    press(second, "Play on")
    second.get_by_text("You want to play on, so the game goes on.").wait_for()
    first.get_by_text("ends-1 wants to play on").wait_for()
    first.get_by_role("link", name="Concede, or end the game").click()
    first.get_by_text("You have proposed it not long ago").wait_for()

    third.get_by_role("link", name="Concede, or end the game").click()
    third.get_by_role("link", name="End it without a result").click()
    press(third, "Propose it")
    for page in (first, second):
        page.goto(game.address)
        page.get_by_role("link", name="Answer").click()
        press(page, "Agree: end it")
    third.get_by_text("Everybody agreed to end the game without a result.").first.wait_for()
    fits(third)


def test_concession_by_keyboard_lets_bot_play_on(open_table: Opener, played_site: PlayedSite) -> None:
    game = prepare(played_site, __name__, "gives-up")
    page, other = open_table(game, 1), open_table(game, 2)
    for link in ("Concede, or end the game", "Concede"):
        page.get_by_role("link", name=link, exact=True).focus()
        page.keyboard.press("Enter")
        page.wait_for_load_state()
    page.get_by_role("button", name="Concede").focus()
    page.keyboard.press("Enter")
    page.get_by_text("You conceded.").first.wait_for()
    assert page.get_by_text("Decide ahead about shares in mergers").count() == 0
    assert page.get_by_role("link", name="Concede, or end the game").count() == 0
    other.get_by_text("gives-up-1 conceded.").first.wait_for()
    fits(page)


def test_late_player_returns_and_loses_seat(open_table: Opener, played_site: PlayedSite) -> None:
    game = prepare(played_site, __name__, "late")
    mine, watcher = open_table(game, 0), open_table(game, WATCHES)
    run_late(played_site, game, 0)
    mine.get_by_text("You have the time for one decision more, once in this game.").first.wait_for()
    run_late(played_site, game, 0)
    mine.get_by_role("button", name="Take your seat back").wait_for()
    fits(mine)
    press(mine, "Take your seat back")
    mine.get_by_text("You are back and play again.").first.wait_for()

    # Let the others' time run out until the same player is asked again.
    for _ in range(20):
        if mine.locator("#decision").count():
            break
        run_late(played_site, game, 1, 2)
        mine.reload()
    run_late(played_site, game, 0)
    watcher.goto(game.address)
    fits(watcher)
    press(watcher, "Play on for late-0")
    watcher.get_by_text("You took over the seat of late-0.").first.wait_for()
    mine.reload()
    mine.get_by_text("late-3 took over the seat of late-0.").first.wait_for()
    mine.get_by_text("Time was up: a computer plays for late-0.").first.wait_for()
    assert mine.locator("#decision").count() == 0
    fits(watcher)
