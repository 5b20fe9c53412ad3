"""Chat and notes of two people at one table."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.page_player import wait_for
from tests.support.browser_person import Person
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE = {"width": 360, "height": 740}

STARTS_A_GAME = """
from accounts.models import User
from games.lobby.game_start import start_game
host, other = User.objects.get(username="talk-anna"), User.objects.get(username="talk-ben")
game = start_game(
    system="acquire", preset="course", host=host, players=(host, other, "easy"), options={}
)
print(game.public_id)
"""


@pytest.fixture
def anna_and_ben(browser: "Browser", played_site: PlayedSite) -> Iterator[tuple[Person, Person]]:
    """Both at the page of their game, ben on a phone."""
    people = Person(browser, played_site), Person(browser, played_site, viewport=PHONE)
    for person, name in zip(people, ("talk-anna", "talk-ben"), strict=True):
        person.sign_up(name)
    public_id = played_site.shell(STARTS_A_GAME).split()[-1]
    for person in people:
        person.page.goto(f"/games/{public_id}/")
    yield people
    for person in people:
        assert person.faults == []
        assert person.page.evaluate("window.violations") == []
        person.context.close()


def show_chat(page: "Page") -> None:
    page.locator("[data-panel=chat]:visible").click()


def test_chat_is_counted_read_and_notes_are_kept(anna_and_ben: tuple[Person, Person]) -> None:
    anna, ben = (person.page for person in anna_and_ben)
    unread = anna.locator("#talk-unread")
    show_chat(ben)
    ben.locator("#say").fill("Good luck, @talk-anna!")
    ben.locator("#say").press("Enter")
    ben.locator("#talk-lines", has_text="Good luck, @talk-anna!").wait_for()
    wait_for(ben, lambda: ben.locator("#say").input_value() == "", "emptying the field")
    wait_for(anna, lambda: unread.inner_text().strip() == "1 new", "counting the line")
    assert anna.locator("#talk-lines li").count() == 0
    assert anna.title().startswith("@ ") or anna.title().startswith("● @ ")
    show_chat(anna)
    anna.locator("#talk-lines li.unseen", has_text="Good luck").wait_for()
    wait_for(anna, lambda: unread.inner_text().strip() == "", "counting nothing")
    anna.locator("#say").fill("You too")
    anna.locator("#say").press("Enter")
    ben.locator("#talk-lines", has_text="You too").wait_for()
    said = ben.locator("#talk-lines li").all()
    assert [line.inner_text().split()[0] for line in said] == ["talk-ben", "talk-anna"]
    assert ben.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    # Notes are saved while they are typed.
    anna.locator("#notes summary").click()
    anna.locator("#note").press_sequentially("ben is polite")
    anna.locator("#note-state", has_text="Saved").wait_for()
    assert "@ " not in anna.title()
    anna.reload()
    show_chat(anna)
    wait_for(anna, lambda: anna.locator("#note").input_value() == "ben is polite", "keeping the notes")
    assert "polite" not in ben.content()
