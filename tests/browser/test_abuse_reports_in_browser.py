"""Reporting a line and blocking its author; a moderator removes the line in the admin."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.support import wording
from tests.support.browser_person import Person
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PLAYS = """
from accounts.models import User
from games.chat.messages import say
from games.lobby.game_start import start_game
anna, ben = User.objects.get(username="anna"), User.objects.get(username="ben")
game = start_game(
    system="acquire", preset="course", host=anna, players=(anna, ben, "easy"), options={}, name="Friday"
)
for number in range(4):
    say(game_id=game.pk, user=anna if number % 2 else ben, text=f"Move {number} was a shame.")
print(game.public_id)
"""


@pytest.fixture
def people(browser: "Browser", played_site: PlayedSite) -> Iterator[tuple[Person, Person, str]]:
    """anna, who plays with ben, a moderator, and the game."""
    anna, moderator = Person(browser, played_site), Person(browser, played_site)
    ben = Person(browser, played_site)
    for person, name in ((anna, "anna"), (ben, "ben")):
        person.sign_up(name)
    ben.context.close()
    moderator.log_in_as_admin()
    public_id = played_site.shell(PLAYS).split()[-1]
    yield anna, moderator, public_id
    for person in (anna, moderator):
        assert person.faults == []
        assert person.page.evaluate("window.violations") == []
        person.context.close()


def test_line_is_reported_blocked_and_removed(people: tuple[Person, Person, str]) -> None:
    anna, moderator, public_id = people
    page, desk = anna.page, moderator.page

    anna.look_at(f"/games/{public_id}/talk/")
    page.get_by_role("link", name="Report this message or mute ben").first.click()
    page.locator("[name=trouble]").select_option("insult")
    page.locator("[name=reason]").fill("Not kind.")
    anna.look_at()
    with page.expect_navigation():
        page.get_by_role("button", name="Report").click()
    page.get_by_text(wording.MODERATORS_WILL_LOOK).wait_for()

    for address in (
        "/players/ben/",
        "/players/ben/report/",
        f"/games/{public_id}/report/",
        "/players/ben/block/",
    ):
        anna.look_at(address)
    with page.expect_navigation():
        page.get_by_role("button", name="Block").click()
    page.get_by_text("You blocked ben.").wait_for()
    anna.look_at("/settings/")
    anna.look_at(f"/games/{public_id}/talk/")
    folded = page.locator("details.folded").first
    assert not folded.get_by_text("was a shame").is_visible()
    folded.locator("summary").press("Enter")
    folded.get_by_text("was a shame").wait_for()

    remove_line(desk)
    anna.look_at("/reports/")
    page.get_by_text(wording.REPORT_WAS_ACTED_ON).wait_for()
    page.goto(f"/games/{public_id}/talk/")
    assert page.locator("details.folded").count() == 1


def remove_line(desk: "Page") -> None:
    """Remove the line from the page of its report in the queue."""
    desk.goto("/admin/games/abusereport/queue/")
    desk.get_by_role("link", name=wording.MESSAGE_FROM.format(name="ben")).click()
    desk.get_by_role("heading", name="Messages before and after").wait_for()
    with desk.expect_navigation():
        desk.get_by_role("button", name=wording.REMOVE_MESSAGE, exact=True).click()
    desk.locator("[name=template]").select_option(label="Mute or block")
    desk.locator("[name=reason]").fill("Unkind.")
    with desk.expect_navigation():
        desk.locator("[name=confirm]").click()
    desk.get_by_text(f"{wording.NOTHING_DONE_YET} Check what will happen").wait_for()
    desk.get_by_text("1 member who reported this will read").wait_for()
    with desk.expect_navigation():
        desk.locator("[name=confirm]").click()
    desk.get_by_text(f"Done: {wording.REMOVE_MESSAGE}").wait_for()
