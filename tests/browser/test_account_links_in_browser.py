"""Links in mail that log in with a code, and pages on which ratings and deserted games explain themselves."""

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.support import wording
from tests.support.browser_person import Person
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Lena, who may log in by links, is asked in one game and was left alone in another; a third one was rated.
GAMES = """
import json
from allauth.account.models import EmailAddress
from accounts.models import User
from games.lobby.game_start import start_game
from games.log.end_proposals import can_end_unrated
from games.models import Game
from games.play.seats.concession import concede
from games.ratings.result_queue import count_results
from games.web.notifications.addressee import addressed_to
lena = User.objects.create_user("lena-links", password="a long enough secret", codes_from_links=True)
otto = User.objects.create_user("otto-links")
EmailAddress.objects.create(user=lena, email="lena-links@example.org", verified=True, primary=True)
def start(*bots):
    return start_game(
        system="acquire", preset="course", host=lena, players=[lena, otto, *bots], options={}, skips=False,
        visibility="public", rated=True,
    )
asked, alone, rated = start(), start("easy", "medium"), start()
concede(game_id=alone.pk, by=otto)
concede(game_id=rated.pk, by=otto)
count_results()
print(json.dumps({
    "link": addressed_to(lena, asked.get_absolute_url(), by_mail=True) + "#headline",
    "asked": asked.get_absolute_url(), "alone": alone.get_absolute_url(), "rated": rated.get_absolute_url(),
}))
"""


@pytest.fixture
def games(played_site: PlayedSite) -> dict[str, Any]:
    told = played_site.shell(GAMES)
    found: dict[str, Any] = json.loads(told.splitlines()[-1])
    return found


def test_link_in_a_mail_logs_in_with_one_press_and_opens_the_decision(
    browser: "Browser", played_site: PlayedSite, games: dict[str, Any]
) -> None:
    lena = Person(browser, played_site)
    lena.look_at(games["link"])
    lena.page.get_by_text("Are you lena-links?").wait_for()
    with lena.page.expect_navigation():
        lena.page.get_by_role("button", name=wording.EMAIL_A_LOGIN_CODE).click()
    lena.look_at()
    # The link in the mail enters the code, which leads to the decision.
    lena.follow_the_link("lena-links@example.org")
    lena.page.wait_for_url(f"**{games['asked']}*")
    assert lena.page.locator(".end .menu summary").inner_text() == "lena-links"
    assert "key=" not in lena.page.url

    lena.look_at(games["alone"])
    lena.page.get_by_text(wording.YOU_ARE_THE_LAST_PERSON).wait_for()
    with lena.page.expect_navigation():
        lena.page.get_by_role("link", name=wording.END_UNRATED).click()
    lena.look_at()
    lena.press("End game")
    lena.page.get_by_text(wording.ENDED_UNRATED_BY.format(who="You")).first.wait_for(state="attached")
    lena.look_at()

    lena.look_at(games["rated"])
    for address, words in (("lena-links", "won"), ("otto-links", "conceded")):
        lena.look_at(f"/players/{address}/ratings/acquire/")
        lena.page.get_by_role("cell", name=words, exact=True).wait_for()
    lena.look_at("/settings/")
    lena.page.get_by_text("Links in my emails can log me in with a code").wait_for()
    lena.context.close()
