"""A warning and a suspension: reading the reason, appealing, coming back."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.support import wording
from tests.support.browser_person import Person
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def marta(browser: "Browser", played_site: PlayedSite) -> Iterator[Person]:
    person = Person(browser, played_site)
    person.sign_up("marta-stands", "stands@example.org")
    person.follow_the_link("stands@example.org")
    person.press()
    yield person
    person.context.close()


def test_sanction_is_read_appealed_and_lifted(marta: Person) -> None:
    page, manage = marta.page, marta.site.manage

    # A warning is on every page until it is read.
    manage("act_on_member", "marta-stands", "warn", "--reason", "You called somebody a thief at the table.")
    page.goto("/")
    with page.expect_navigation():
        page.get_by_role("link", name=wording.READ_THE_WARNING).click()
    assert "called somebody a thief" in page.locator("main").inner_text()
    marta.look_at()
    marta.press("I have read this")
    assert "You can continue playing" in page.locator(".messages").inner_text()
    assert page.get_by_role("link", name=wording.READ_THE_WARNING).count() == 0

    # A suspended member is led to the reason and appeals by keyboard alone.
    until = ["--until", "2099-01-01 12:00"]
    manage("act_on_member", "marta-stands", "suspend", "--reason", "You did it again.", *until)
    page.goto("/games/new/")
    page.wait_for_url("**/accounts/standing/")
    assert wording.YOU_ARE_SUSPENDED in page.locator("main").inner_text()
    marta.look_at()
    page.locator("summary", has_text="Appeal").first.focus()
    page.keyboard.press("Enter")
    page.locator("textarea[name=text]:visible").first.focus()
    page.keyboard.type("He began, and I am sorry.")
    page.keyboard.press("Tab")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert wording.APPEAL_IS_WAITING in page.locator("main").inner_text()
    marta.look_at()

    # Once lifted, the site is open again; each step was mailed.
    manage("act_on_member", "marta-stands", "lift", "--reason", "Thank you for that.", "--kind", "suspension")
    page.goto("/games/new/")
    assert page.url.endswith("/games/new/")
    page.goto("/accounts/standing/")
    assert "Thank you for that." in page.locator("main").inner_text()
    marta.look_at()
    subjects = [letter["Subject"] for letter in marta.letters("stands@example.org")]
    assert subjects[-3:] == [
        "A warning about your Acquire account",
        "Your Acquire account is suspended",
        wording.ACCOUNT_STATUS_CHANGED,
    ]
