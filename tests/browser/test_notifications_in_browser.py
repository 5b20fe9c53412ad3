"""Notifications as mail, web push and webhooks, with the mail that the site writes into a folder."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from itertools import count
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.page_player import Player, version, wait_for
from tests.support import wording
from tests.support.browser_person import Person, unfold
from tests.support.played_site import ROOT, PlayedSite, play

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_numbers = count(1)

# A test cannot use Chromium's push service, so the browser gets this address: a public one that needs
# no name lookup. Nothing is sent there.
GIVES_AN_ADDRESS = """
(async () => {
  const key = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
  const p256dh = await crypto.subtle.exportKey("raw", key.publicKey);
  const auth = new Uint8Array(16).buffer;
  PushManager.prototype.getSubscription = async () => null;
  PushManager.prototype.subscribe = async (options) => ({
    endpoint: "https://8.8.8.8/push/1", options, getKey: (name) => ({ p256dh, auth })[name],
  });
})();
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedSite]:
    """A site of its own, with a key for web push."""
    folder = tmp_path_factory.mktemp("news")
    command = [sys.executable, str(ROOT / "manage.py"), "vapid_key"]
    made = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    with play(folder, VAPID_PRIVATE_KEY=made.strip().partition("=")[2]) as site:
        yield site


class Reader(Person):
    """A member with a mailbox."""

    name = address = ""

    def become_a_member(self, name: str) -> None:
        """Sign up, and confirm the address by the link in the mail."""
        self.name = f"{name}{next(_numbers)}"
        self.address = f"{self.name}@mail.example"
        self.sign_up(self.name, self.address)
        self.wait_for_mail("Confirm")
        self.follow_the_link(self.address)
        self.press()

    def wants_mail(self, mode: str) -> None:
        self.page.goto("/settings/")
        self.page.locator("#mail [name=mail_mode]").select_option(mode)
        self.page.get_by_text("Saved.").wait_for()

    def news(self) -> list[EmailMessage]:
        """The mails about games, oldest first."""
        return [letter for letter in self.letters(self.address) if letter["List-Unsubscribe"]]

    def wait_for_mail(self, about: str, seconds: float = 30) -> EmailMessage:
        """The first mail with these words in its subject."""
        ends = time.monotonic() + seconds
        while True:
            folder = self.site.data_dir / "mail"
            found = self.letters(self.address) if folder.exists() else []
            for letter in found:
                if about in letter["Subject"]:
                    return letter
            assert time.monotonic() < ends, [letter["Subject"] for letter in found]
            time.sleep(0.1)

    def go_away(self) -> None:
        """Open a page that does not show the game."""
        self.page.goto("/rules/")


@pytest.fixture
def reader(browser: "Browser", site: PlayedSite) -> Iterator[Callable[..., Reader]]:
    """A function that creates members with mailboxes, each with a browser; no page may fail."""
    readers: list[Reader] = []

    def make(name: str, **options: Any) -> Reader:
        readers.append(Reader(browser, site, **options))
        readers[-1].become_a_member(name)
        return readers[-1]

    yield make
    for one in readers:
        assert one.page.evaluate("window.violations") == []
        assert one.faults == []
        one.context.close()


def body(letter: EmailMessage) -> str:
    part = letter.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def link_in(letter: EmailMessage, pattern: str) -> str:
    found = re.search(rf"http://localhost:\d+{pattern}", body(letter))
    assert found, body(letter)
    return found[0]


def opened_by(host: Reader) -> str:
    """Create a game of two that starts when full, and return its invite link."""
    host.page.goto("/games/new/")
    unfold(host.page)
    host.page.locator("main [name=least]").select_option("2")
    host.page.locator("main [name=most][value='2']").check()
    host.page.locator("main [name=name]").fill("Friday club")
    host.page.locator("main [name=visibility][value=unlisted]").check()
    host.page.locator("main [name=start][value=full]").check()
    host.press(wording.CREATE_GAME)
    return str(host.page.locator("#invite-link").input_value())


def test_mails_come_in_order_and_their_links_work(reader: Callable[..., Reader]) -> None:
    ann, bob = reader("ann"), reader("bob")
    for one in (ann, bob):
        one.wants_mail("at once")
    link = opened_by(ann)
    ann.go_away()
    bob.page.goto(link)
    bob.press(wording.JOIN_GAME)
    bob.page.wait_for_url(re.compile(r"/games/\w+/$"))
    bob.go_away()

    told = ann.wait_for_mail("Friday club")
    decider, other = (ann, bob) if wording.YOUR_TURN_TO_PLACE in told["Subject"] else (bob, ann)
    turn = told if decider is ann else bob.wait_for_mail(wording.YOUR_TURN_TO_PLACE)
    if decider is bob:
        assert told["Subject"] == f"{wording.GAME_HAS_STARTED} (Friday club, with {bob.name})"
    assert f"{wording.GAME_HAS_STARTED}." in body(told)
    assert decider is ann or f"{wording.GAME_HAS_STARTED}." not in body(turn), "bob has seen it start"

    decider.page.goto(link_in(turn, r"/games/\w+/\?for=\w+#headline"))
    at_the_table = Player(decider.page, Random(1))
    name = at_the_table.any_answer()
    at_the_table.choose(name)
    at_the_table.send()
    wait_for(decider.page, lambda: version(decider.page) >= 1, "the tile on the board")
    while at_the_table.is_asked:  # the tile may found a chain; then shares are bought
        at_the_table.answer()
    second = other.wait_for_mail(wording.YOUR_TURN)
    assert f"{decider.name} placed {name}" in body(second)
    assert len(other.news()) == (2 if other is ann else 1)
    assert len(decider.news()) == 1, "who sits at the table gets no mail about it"

    # The mail can mute the game; its table can unmute it.
    other.page.goto(link_in(second, r"/mail/stop/\S+"))
    other.press(wording.STOP_THESE_NOTIFICATIONS)
    assert "You will get no more notifications about this game." in other.page.locator("main").inner_text()
    other.page.goto(link_in(second, r"/games/\w+/"))
    assert other.page.locator("#attention").input_value() == "mute"
    other.page.locator("#attention").select_option("")
    other.page.get_by_text("Saved.").wait_for()
    assert other.page.locator("#attention").input_value() == ""


GAME_AGAINST_THE_HOUSE = """
from accounts.models import User
from games.lobby.game_start import start_game
me = User.objects.get(username="{name}")
house, _ = User.objects.get_or_create(username="house")
game = start_game(system="acquire", preset="classic", host=me, players=[me, house])
print(game.get_absolute_url())
"""

PLAY_UNTIL_ASKED = """
from random import Random
from accounts.models import User
from games.models import Game
from games.play.play_move import play_move
game = Game.objects.filter(host__username="{host}").latest("pk")
while game.waiting_for.username != "{asked}":
    game = Game.with_secrets.get(pk=game.pk)
    state = game.rule_system.state_from_json(game.state)
    move = Random(game.version).choice(game.rule_system.legal_moves(state))
    play_move(
        game_id=game.pk, number=game.version + 1, seat=game.seat_to_move, text=str(move), by=game.waiting_for
    )
    game = Game.objects.get(pk=game.pk)
"""


def test_open_page_delays_mail(reader: Callable[..., Reader], site: PlayedSite) -> None:
    ann = reader("ann")
    ann.wants_mail("at once")
    address = in_the_site(site, GAME_AGAINST_THE_HOUSE, name=ann.name)
    in_the_site(site, PLAY_UNTIL_ASKED, host=ann.name, asked="house")
    ann.page.goto(address)
    ann.page.locator("#headline", has_text="house").wait_for()
    before = len(ann.news())
    in_the_site(site, PLAY_UNTIL_ASKED, host=ann.name, asked=ann.name)
    time.sleep(13)  # longer than a round of the sweeper
    assert len(ann.news()) == before
    ann.go_away()
    ann.wait_for_mail(wording.YOUR_TURN, seconds=60)


def in_the_site(site: PlayedSite, code: str, **names: str) -> str:
    """Run code inside the site and return what it printed."""
    return site.shell(code.format(**names)).strip()


def test_notification_settings_work_and_are_accessible(reader: Callable[..., Reader]) -> None:
    ann = reader("ann", permissions=["notifications"])
    ann.page.add_init_script(GIVES_AN_ADDRESS)
    ann.page.goto("/settings/")
    ann.page.get_by_role("button", name="Send a test email").click()
    ann.page.get_by_text(wording.EMAIL_IS_SENT).wait_for()
    ann.wait_for_mail(wording.TEST_EMAIL)
    ann.page.get_by_role("button", name="Notify me in this browser").click()
    ann.page.locator("#notices li", has_text="Chrome").wait_for()
    ann.page.locator("summary", has_text="Add a webhook").click()
    ann.fill(url="https://8.8.4.4/hook")
    ann.page.locator("main #webhook-name").fill("Our club")
    ann.press("Add webhook")
    ann.page.locator("#notices li", has_text="Our club").wait_for()
    ann.look_at("/settings/")
    ann.page.locator("#notices li", has_text="Our club").get_by_role("button", name="Remove").click()
    ann.page.get_by_text("Removed.").wait_for()
    assert ann.page.locator("#notices li", has_text="Our club").count() == 0


# A browser without a screen may show no notifications, so the worker notes which ones it asks for.
NOTES_NOTIFICATIONS = """() => {
  self.shown = [];
  self.registration.showNotification = async (title, options) => self.shown.push([title, options]);
}"""


def test_service_worker_shows_push_message(reader: Callable[..., Reader]) -> None:
    ann = reader("ann", permissions=["notifications"])
    ann.page.goto("/settings/")
    with ann.context.expect_event("serviceworker") as started:
        ann.page.evaluate("navigator.serviceWorker.register('/push-worker.js')")
    worker = started.value
    ann.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    worker.evaluate(NOTES_NOTIFICATIONS)
    devtools = ann.context.new_cdp_session(ann.page)
    registrations: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(found["registrationId"] for found in event["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    wait_for(ann.page, lambda: registrations, "the registration of the worker")
    news = {"title": wording.YOUR_TURN, "text": "Friday club", "url": "/rules/", "tag": "g"}
    message = {"origin": ann.site.url, "registrationId": registrations[0], "data": json.dumps(news)}
    devtools.send("ServiceWorker.deliverPushMessage", message)
    wait_for(ann.page, lambda: worker.evaluate("self.shown.length"), "a notification")
    [[title, options]] = worker.evaluate("self.shown")
    assert title == wording.YOUR_TURN
    # A second message of the same game, which has the same tag, replaces the first.
    assert (options["body"], options["tag"], options["data"]) == ("Friday club", "g", {"url": "/rules/"})


def test_site_log_names_mail_folder(site: PlayedSite) -> None:
    assert f"Emails are not sent. They are saved in {Path(site.data_dir) / 'mail'}" in site.log
