"""No text by people is executed in a browser, not even if it got into a page unescaped."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.safety.markup_probes import MARK, PAYLOADS
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

STORE = f"""
from django.test import Client
from accounts.models import User
from games.lobby.game_start import start_game
from games.models import ChatMessage, Game
names = ("markup-ann", "markup-ben")
ann, ben = (User.objects.create_user(name, password="a long enough secret") for name in names)
rules = {{"system": "acquire", "preset": "avalon-hill", "visibility": "public"}}
game = start_game(host=ann, players=[ann, ben], **rules)
texts = [text.replace("{MARK}()", "alert(1)").replace(chr(0), "") for text in {PAYLOADS!r}]
Game.objects.filter(pk=game.pk).update(name=texts[3][:40])
for text in texts:
    ChatMessage.objects.create(game=game, channel="players", user=ben, text=text)
client = Client()
client.force_login(ann)
print(game.public_id, client.session.session_key)
"""

GOT_THROUGH = "<img src=/nowhere.png onerror=alert(1)>"


@pytest.fixture(scope="module")
def stored(played_site: PlayedSite) -> tuple[str, str]:
    """A game full of payloads, and the session key of one of its players."""
    game, key = played_site.shell(STORE).split()[-2:]
    return game, key


@contextmanager
def listening(
    browser: "Browser", site: PlayedSite, key: str
) -> Iterator[tuple["Page", list[str], list[str]]]:
    """A page of this session, texts of its dialogs, and its complaints."""
    context = browser.new_context(base_url=site.url)
    context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
    page = context.new_page()
    page.set_default_timeout(20_000)
    dialogs: list[str] = []
    errors: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    yield page, dialogs, errors
    context.close()


def test_no_text_is_executed(played_site: PlayedSite, browser: "Browser", stored: tuple[str, str]) -> None:
    game, key = stored
    shown = 0
    with listening(browser, played_site, key) as (page, dialogs, errors):
        for path in (
            "/",
            f"/games/{game}/",
            f"/games/{game}/talk/",
            f"/games/{game}/log/",
            "/games/running/",
        ):
            page.goto(path)
            assert (
                page.locator(f"{MARK}, [onerror], [onload], [onclick], main iframe, main base").count() == 0
            )
            shown += page.locator("body").inner_text().count("onerror=alert(1)")
        assert shown > 1
        assert (dialogs, errors) == ([], [])


def test_unescaped_text_is_stopped_by_the_policy(
    played_site: PlayedSite, browser: "Browser", stored: tuple[str, str]
) -> None:
    with listening(browser, played_site, stored[1]) as (page, dialogs, errors):
        page.goto("/rules/")
        page.evaluate("text => document.body.insertAdjacentHTML('beforeend', text)", GOT_THROUGH)
        page.wait_for_function("() => document.querySelector('img[onerror]').complete")
        page.wait_for_timeout(500)
        assert dialogs == []
        assert any("Content Security Policy" in text for text in errors), errors


def test_executed_text_is_detected(
    played_site: PlayedSite, browser: "Browser", stored: tuple[str, str]
) -> None:
    with listening(browser, played_site, stored[1]) as (page, dialogs, _errors):

        def careless(route: "Route") -> None:
            route.fulfill(body=GOT_THROUGH, content_type="text/html")

        page.route("**/rules/", careless)
        with page.expect_event("dialog"):
            page.goto("/rules/")
        assert dialogs == ["1"]
