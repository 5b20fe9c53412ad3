"""The HTML of mails in a browser as wide as a phone, in both colour schemes, with images off."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# Nobody gets these mails: the games vanish with the transaction.
MAILS = """
import json
from django.db import transaction
from accounts.models import User
from games.lobby.game_start import create_game
from games.lobby.game_terms import GameTerms
from games.lobby.invite import invite_address
from games.models import Game, Notification
from games.notifications.outbox.claim import Claim
from games.web.notifications import mail_message
from tests.notifications.test_mail_html import game_that_asks, mail_of
with transaction.atomic():
    alice, bob = User.objects.create_user("alice-mails"), User.objects.create_user("bob-mails")
    asked = game_that_asks(alice, bob, "easy", moves=40)
    several = [asked, game_that_asks(alice, bob), game_that_asks(alice, bob, "medium", moves=6)]
    waiting = create_game(host=alice, terms=GameTerms(system="acquire", preset="classic", least=2, most=3))
    invitation = invite_address(game_id=waiting.pk, address="carol@mail.example", by=alice)
    row = Notification.objects.get(invitation=invitation)
    mails = {
        "turn": mail_of(alice, asked),
        "several": mail_of(alice, *several),
        "invitation": mail_message.compose_mail(Claim([row], None, "carol@mail.example")),
    }
    print(json.dumps({name: written.html for name, written in mails.items()}))
    transaction.set_rollback(True)
"""


@pytest.fixture(scope="module")
def mails(played_site: PlayedSite) -> dict[str, str]:
    found: dict[str, str] = json.loads(played_site.shell(MAILS).splitlines()[-1])
    return found


@pytest.fixture(params=["light", "dark"])
def phone(browser: "Browser", request: pytest.FixtureRequest) -> Iterator["Page"]:
    """A page 360 pixels wide that loads nothing, as mail programs do until their reader allows it."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, color_scheme=request.param)
    context.route("**/*", lambda route: route.abort())
    yield context.new_page()
    context.close()


# The colours of a text and of what it stands on, as the reader sees them.
CONTRAST = """element => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((part) => {
      const share = part / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (part) => {
    if (!part) return "rgb(255, 255, 255)";
    const colour = getComputedStyle(part).backgroundColor;
    return /rgba\\(.*, 0\\)/.test(colour) ? ground(part.parentElement) : colour;
  };
  const [less, more] = [light(getComputedStyle(element).color), light(ground(element))].sort((a, b) => a - b);
  return (more + 0.05) / (less + 0.05);
}"""

COLOURS = "cells => cells.map((one) => getComputedStyle(one).backgroundColor)"


@pytest.mark.parametrize("name", ["turn", "several", "invitation"])
def test_mail_fits_a_phone_and_shows_board_and_button(
    mails: dict[str, str], phone: "Page", name: str
) -> None:
    phone.set_content(mails[name])
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    board = phone.locator(".board").first
    button = phone.get_by_role("link", name="View invitation" if name == "invitation" else "Make your move")
    for part in (board, button.first):
        box = part.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert box["height"] >= 30
    for text in (button.first, *phone.locator("p, h2, li").all()):
        if text.is_visible() and text.inner_text().strip():
            assert text.evaluate(CONTRAST) >= 4.5, text.inner_text()
    colours = board.locator("td").evaluate_all(COLOURS)
    assert len(set(colours)) >= (3 if name != "invitation" else 2)
