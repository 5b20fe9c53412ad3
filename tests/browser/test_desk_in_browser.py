"""A moderator solves the cases of the desk, each in at most four presses.

A stuck game, an abandoned seat, a wrong move, an insult, a mistaken pause, and an account made for spam.

A press is a click or tap that sends something or opens a page, counted from the open desk until it is done.
Typing a reason and choosing in a list are none.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.page_player import wait_for
from tests.support import wording
from tests.support.browser_person import Person
from tests.support.played_site import PlayedSite, play

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

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
wrong = play_until(start(anna, cara), lambda seat: seat.game.version > 5)
report_game(game=wrong, user=cara, trouble="other", reason="A wrong tile was placed.")
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
    "wrong": wrong.public_id, "before": wrong.moves.filter(kind="move").last().number - 1,
}))
"""

TOLD = """
import json
from accounts.models import AuditEntry, User
from games.models import AbuseReport, ChatMessage, Game
found = {game.public_id: [game.version, game.paused is None] for game in Game.objects.all()}
print(json.dumps({
    "games": found,
    "computers": list(Game.objects.get(public_id="ABANDONED").seats.exclude(bot_level="").values_list(
        "number", flat=True)),
    "hidden": ChatMessage.objects.filter(removed__isnull=False).count(),
    "banned": [user.username for user in User.objects.all() if user.is_suspended],
    "muted": [user.username for user in User.objects.all() if user.is_muted],
    "open reports": AbuseReport.objects.filter(settled=None).count(),
    "audit": list(AuditEntry.objects.exclude(by=None).order_by("pk").values_list("action", flat=True)),
}))
"""


AUDIT = """
import json
from accounts.models import AuditEntry
print(json.dumps(list(AuditEntry.objects.exclude(by=None).values_list("action", flat=True))))
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
    return json.loads(site.shell(script).splitlines()[-1])


class Case:
    """A case of the desk, and how often something was pressed for it."""

    def __init__(self, page: "Page", words: str) -> None:
        self.page, self.presses = page, 0
        page.goto("/admin/desk/")
        self.press(page.locator(".desk-cases a", has_text=words))

    def press(self, button: "Locator") -> None:
        with self.page.expect_navigation():
            button.click()
        self.presses += 1

    def act(self, name: str, action: str, **fields: str) -> None:
        """Begin an action by the link or button of this name, fill it in, and do it."""
        links = self.page.get_by_role("link", name=name, exact=True)
        self.press(links.or_(self.page.get_by_role("button", name=name, exact=True)))
        for field_name, value in fields.items():
            fill_in(self.page.locator(f"#content [name={field_name}]"), value)
        reason = self.page.locator("[name=reason]")
        reason.fill(reason.input_value() or "From the desk.")
        confirm = self.page.get_by_role("button", name="Confirm:")
        if fields and confirm.is_visible():
            self.press(confirm)  # What is changed in a preset is shown before it is done.
        elif not confirm.is_visible():
            self.press(self.page.get_by_role("button", name="Show what will happen"))
        self.page.get_by_role("heading", name=wording.WHAT_WILL_HAPPEN).wait_for()
        self.press(confirm)
        self.page.get_by_text(f"Done: {action}").wait_for()
        assert self.presses <= 4, f"{name}: {self.presses} presses"


def fill_in(field: "Locator", value: str) -> None:
    if field.evaluate("field => field.tagName") == "SELECT":
        field.select_option(value)
    else:
        field.fill(value)


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


def test_moderator_solves_each_case_of_the_desk_in_four_presses(moderator: Person, site: PlayedSite) -> None:
    page = moderator.page
    page.goto("/admin/desk/")
    page.get_by_text(wording.NOTHING_NEEDS_ATTENTION).wait_for()
    made = asked_of(site, TROUBLE)
    before = asked_of(site, TOLD.replace("ABANDONED", made["abandoned"]))
    moderator.look_at("/admin/")
    moderator.look_at("/admin/desk/")
    moderator.look_at("/admin/games/abusereport/queue/")
    assert overflowing(page, "/admin/games/abusereport/queue/") == []
    page.goto("/admin/desk/")
    wait_for(page, lambda: page.locator(".desk-cases > li").count() == 6, "listing the six cases")

    stuck = Case(page, "Tycoon")
    here = page.url
    page.get_by_role("link", name="Health check").click()
    page.get_by_text(wording.NOBODY_SITS_THERE).wait_for()
    page.goto(here)
    stuck.act("Wake this game", "Wake this game")

    # The computer plays on in the seat of whoever is late, and the report is settled with it.
    abandoned = Case(page, "Stalling or leaving games")
    assert overflowing(page, page.url) == []
    abandoned.act("Replace late player", wording.REPLACE_WITH_A_COMPUTER)

    wrong = Case(page, "Something else")
    wrong.act("Roll back game", "Roll back game", entry=str(made["before"]))

    insult = Case(page, "Insults or threats")
    insult.act("Mute for a day", "Mute member", settle="remove-line")

    paused = Case(page, "a moderator has paused it")
    paused.act("Resume game", "Resume game")

    spam = Case(page, "cheap-watches")
    spam.act("Ban member", "Ban member")

    page.goto("/admin/desk/")
    page.get_by_text(wording.NOTHING_NEEDS_ATTENTION).wait_for()
    assert page.evaluate("window.violations") == []
    cases = (stuck, abandoned, wrong, insult, paused, spam)
    assert [case.presses for case in cases] == [3, 3, 4, 4, 3, 3]

    def after() -> Any:
        return asked_of(site, TOLD.replace("ABANDONED", made["abandoned"]))

    def moved_on() -> bool:
        games = after()["games"]
        return all(games[made[it]][0] > before["games"][made[it]][0] + 1 for it in ("stuck", "abandoned"))

    wait_for(page, moved_on, "a move of both computers")
    found = after()
    assert found["games"][made["paused"]][1] is True
    assert found["games"][made["wrong"]][0] == before["games"][made["wrong"]][0] + 1
    assert found["computers"] == [made["left"] - 1]
    assert (found["hidden"], found["banned"], found["muted"]) == (1, ["cheap-watches"], ["cara"])
    assert found["open reports"] == 0
    # Three of the six also settled a report.
    assert len(found["audit"]) == 9


def test_back_from_what_will_happen_leads_to_the_form_as_it_was(moderator: Person, site: PlayedSite) -> None:
    page = moderator.page
    made = asked_of(site, TROUBLE)
    page.goto(f"/admin/games/game/?q={made['talked']}")
    with page.expect_navigation():
        page.locator("#result_list tbody th a").first.click()
    game = page.url.partition("?")[0]
    page.goto(game.replace("/change/", "/act/hide-line/"))
    page.locator("[name=line]").fill("1234")
    page.locator("[name=reason]").fill("A reason that took long to write.")
    with page.expect_navigation():
        page.get_by_role("button", name="Show what will happen").click()
    page.get_by_role("heading", name=wording.WHAT_WILL_HAPPEN).wait_for()
    page.reload()
    page.go_back()
    for shown in ("back", "reloaded"):
        page.get_by_role("heading", name=wording.REMOVE_MESSAGE).wait_for()
        assert page.locator("[name=line]").input_value() == "1234", shown
        assert page.locator("[name=reason]").input_value() == "A reason that took long to write.", shown
        page.reload()

    # There is no such message: that is said, and nothing was done, also when one goes back and forth.
    with page.expect_navigation():
        page.get_by_role("button", name="Confirm:").click()
    page.get_by_text(wording.NO_SUCH_MESSAGE).first.wait_for()
    page.go_back()
    page.get_by_role("heading", name=wording.REMOVE_MESSAGE).wait_for()
    page.go_forward()
    page.get_by_text(wording.NO_SUCH_MESSAGE).first.wait_for()
    assert all(fault.startswith("422 ") for fault in moderator.faults)
    moderator.faults.clear()
    page.goto(game.replace("/change/", "/act/lock-talk/"))
    page.locator("[name=reason]").fill("Once is enough.")
    with page.expect_navigation():
        page.get_by_role("button", name="Confirm:").click()
    page.get_by_text("Done: Lock chat").wait_for()
    page.go_back()
    page.get_by_text("The chat is already locked.").wait_for()
    assert all(fault.startswith("409 ") for fault in moderator.faults)
    moderator.faults.clear()
    page.go_forward()
    page.get_by_text("Once is enough.").wait_for()
    assert asked_of(site, AUDIT) == ["lock-talk"]
