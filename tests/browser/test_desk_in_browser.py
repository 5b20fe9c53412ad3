"""A moderator solves five cases from the desk.

A stuck bot, an abandoned seat, an insult, a mistaken pause, and an account made for spam.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.page_player import wait_for
from tests.support.browser_person import Person
from tests.support.played_site import PlayedSite, play

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# The cases are created without browsers; the players never log in.
TROUBLE = """
import json
from accounts.models import User
from accounts.moderation.staff_actions import perform
from games.chat.messages import say
from games.lobby.game_start import start_game
from games.models import Game
from games.moderation.abuse_reports import report, report_game
from games.moderation.actions.game_actions import GAME_ACTIONS
from games.play.play_move import play_move

anna, ben, cara = (User.objects.create_user(name) for name in ("anna", "ben", "cara"))

def start(*players, **terms):
    return start_game(
        system="acquire", preset="course", host=players[0], players=players, options={}, skips=False,
        visibility="public", **terms,
    )

def play_until(game, wanted):
    from random import Random
    rng = Random(1)
    while True:
        game = Game.with_secrets.get(pk=game.pk)
        seat = game.seats.get(number=game.seat_to_move)
        if wanted(seat):
            return game
        move = str(rng.choice(game.rule_system.legal_moves(game.rule_system.state_from_json(game.state))))
        play_move(
            game_id=game.pk, number=game.version + 1, seat=seat.number, text=move, by=seat.user
        )

# Its players went on until somebody else was asked, and then the note of who that is got lost.
stuck = play_until(start(anna, ben, cara), lambda seat: seat.user == ben)
stuck.seats.filter(user=ben).update(user=None, bot_level="random", nickname="Tycoon")
Game.objects.filter(pk=stuck.pk).update(waiting_for=None, bot_due_at=None)
abandoned = play_until(start(anna, ben), lambda seat: seat.user == ben)
report_game(game=abandoned, user=anna, trouble="stalling", reason="Gone for weeks.")
talked = start(anna, cara)
line = say(game_id=talked.pk, user=cara, text="You fool.")
report(line=line, user=anna, trouble="insult", reason="Rude.")
paused = start(ben, cara)
pause = GAME_ACTIONS["pause"]
perform(pause, pause.form_class({"reason": "The wrong game."}, target=paused), by=None)
User.objects.create_user("cheap-watches", email="cheap@mailinator.com")
print(json.dumps({
    "stuck": stuck.public_id, "abandoned": abandoned.public_id, "talked": talked.public_id,
    "paused": paused.public_id, "left": abandoned.seats.get(user=ben).number + 1,
}))
"""

TOLD = """
import json
from accounts.models import AuditEntry, User
from games.models import ChatMessage, Game
found = {game.public_id: [game.version, game.paused is None] for game in Game.objects.all()}
print(json.dumps({
    "games": found,
    "computers": list(Game.objects.get(public_id="ABANDONED").seats.exclude(bot_level="").values_list(
        "number", flat=True)),
    "hidden": ChatMessage.objects.filter(removed__isnull=False).count(),
    "shut out": [user.username for user in User.objects.all() if user.is_suspended],
    "audit": list(AuditEntry.objects.exclude(by=None).order_by("pk").values_list("action", flat=True)),
}))
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[PlayedSite]:
    """A site for this test alone: it asserts everything that is on the desk."""
    with play(tmp_path) as site:
        yield site


@pytest.fixture
def moderator(browser: "Browser", site: PlayedSite) -> Iterator[Person]:
    """An administrator, logged in."""
    person = Person(browser, site)
    person.log_in_as_admin()
    yield person
    assert person.faults == []
    person.context.close()


def asked_of(site: PlayedSite, script: str) -> Any:
    return json.loads(site.manage("shell", "-v", "0", "-c", script).splitlines()[-1])


def open_case(page: "Page", case: str) -> None:
    """Open a case from the desk."""
    page.goto("/admin/desk/")
    with page.expect_navigation():
        page.locator(".desk-cases a", has_text=case).click()


def act(page: "Page", action: str, **fields: str) -> None:
    """Perform an action of the page: fill it in, read the preview, confirm."""
    with page.expect_navigation():
        page.get_by_role("link", name=action, exact=True).click()
    for name, value in fields.items():
        field = page.locator(f"#content [name={name}]")
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    page.locator("[name=reason]").fill("From the desk.")
    with page.expect_navigation():
        page.get_by_role("button", name="Go on").click()
    page.get_by_role("heading", name="This will happen").wait_for()
    with page.expect_navigation():
        page.get_by_role("button", name="Do it").click()
    page.get_by_text(f"Done: {action}.").wait_for()


def claim(page: "Page") -> None:
    """Claim the report that is open on the page."""
    with page.expect_navigation():
        page.get_by_role("button", name="Take this report").click()
    page.get_by_text("You have taken this, until").wait_for()


def overflowing(page: "Page", where: str) -> list[str]:
    """Elements that a phone cuts off at the side, or that must be scrolled sideways."""
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(where)
    found: list[str] = page.evaluate(
        """[...document.querySelectorAll("#content-main *")].filter(one => {
          const box = one.closest(".module, form")?.getBoundingClientRect();
          const shut = getComputedStyle(one).overflowX !== "visible";
          const scrolls = shut && one.scrollWidth > one.clientWidth + 1;
          const seen = one.offsetParent !== null && one.type !== "hidden";
          return seen && (scrolls || (box && one.getBoundingClientRect().right > box.right + 1));
        }).map(one => `${one.tagName} ${one.name ?? one.className}`)"""
    )
    page.set_viewport_size({"width": 1280, "height": 720})
    return found


def test_moderator_solves_five_cases_from_desk(moderator: Person, site: PlayedSite) -> None:
    page = moderator.page
    page.goto("/admin/desk/")
    page.get_by_text("Nothing needs you now.").wait_for()
    made = asked_of(site, TROUBLE)
    before = asked_of(site, TOLD.replace("ABANDONED", made["abandoned"]))
    moderator.look_at("/admin/")
    moderator.look_at("/admin/desk/")
    moderator.look_at("/admin/games/abusereport/queue/")
    assert overflowing(page, "/admin/games/abusereport/queue/") == []
    page.goto("/admin/desk/")
    wait_for(page, lambda: page.locator(".desk-cases > li").count() == 5, "listing the five cases")

    # A stuck bot.
    open_case(page, made["stuck"])
    here = page.url
    page.get_by_role("link", name="Doctor").click()
    page.get_by_text("but nobody waits for its move").wait_for()
    page.goto(here)
    act(page, "Ask the computer again")

    # An abandoned seat.
    open_case(page, "Stalling, or leaving games")
    claim(page)
    report = page.url
    assert overflowing(page, f"{report.removesuffix('change/')}act/acted/") == []
    page.goto(report)
    with page.expect_navigation():
        page.get_by_role("link", name="In the admin").click()
    act(page, "Put a computer in a seat", seat=str(made["left"]), level="random", back="yes")
    page.goto(report)
    act(page, "Settle: something was done")

    # An insult.
    open_case(page, "Insults or threats")
    claim(page)
    act(page, "Take the line away")

    # A mistaken pause.
    open_case(page, made["paused"])
    act(page, "Let it go on")

    # An account made for spam.
    open_case(page, "cheap-watches")
    with page.expect_navigation():
        page.get_by_role("link", name="cheap-watches", exact=True).click()
    act(page, "Ban")

    page.goto("/admin/desk/")
    page.get_by_text("Nothing needs you now.").wait_for()
    assert page.evaluate("window.violations") == []

    def after() -> Any:
        return asked_of(site, TOLD.replace("ABANDONED", made["abandoned"]))

    def moved_on() -> bool:
        games = after()["games"]
        return all(games[made[it]][0] > before["games"][made[it]][0] + 1 for it in ("stuck", "abandoned"))

    wait_for(page, moved_on, "a move of both computers")
    found = after()
    assert found["games"][made["paused"]][1] is True
    assert found["computers"] == [made["left"] - 1]
    assert (found["hidden"], found["shut out"]) == (1, ["cheap-watches"])
    assert len(found["audit"]) == 6
