"""All lessons on a phone, by touch; hints, and the way into the first game."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from games.lessons.course import COURSE
from games.lessons.lesson_answers import check_answer, step_position
from tests.browser.test_targets_in_browser import LEAST, TOO_SMALL
from tests.support import proof, wording
from tests.support.page_checks import DESK, PHONE
from tests.support.played_lessons import STEPS, choose_answer, faults_of, send_answer, tap_answer
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, StorageState

pytestmark = pytest.mark.long

OpenPage = Callable[..., "Page"]


@pytest.fixture
def open_page(browser: "Browser", played_site: PlayedSite) -> Iterator[OpenPage]:
    """A function that opens a page of a visitor; scripts may not fail."""
    contexts = []
    faults: list[str] = []

    def open_page(**options: object) -> "Page":
        context = browser.new_context(base_url=played_site.url, **options)  # type: ignore[arg-type]
        contexts.append(context)
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


def test_visitor_plays_all_lessons_by_touch(open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto("/")
    page.get_by_role("link", name="Learn the game").tap()
    page.get_by_role("link", name="Start lesson 1").tap()
    for address, answer in STEPS:
        page.wait_for_url(f"**{address}")
        assert faults_of(page) == [], address
        assert page.evaluate(TOO_SMALL, LEAST) == [], address
        tap_answer(page, answer)
        page.locator(".coach", has_text="Correct.").wait_for()
        assert faults_of(page) == [], f"solved {address}"
        if address != STEPS[-1][0]:
            page.locator(".decision-bar a.button").tap()
    page.get_by_role("button", name="Play your first game").tap()
    page.wait_for_url(re.compile(r"/games/\w+/"))
    # The new guest has taken the progress along.
    page.goto("/learn/")
    page.get_by_text("8 done").wait_for()


@pytest.fixture(scope="module")
def solved_lessons(browser: "Browser", played_site: PlayedSite) -> "StorageState":
    """The session of a visitor who has solved all steps, so that each can be opened."""
    context = browser.new_context(base_url=played_site.url)
    page = context.new_page()
    page.goto("/learn/")
    for address, answer in STEPS:
        page.goto(address)
        page.evaluate(SEND, answer)
    state = context.storage_state()
    context.close()
    return state


# Answers a step as a form without a script does.
SEND = """async (move) => {
  const body = new FormData(document.getElementById("decision"));
  body.set("move", move);
  await fetch(location.href, { method: "POST", body });
}"""
# Board, words and controls, and the holdings on which the answer depends.
NEEDED = ".board, .coach, .lesson-main .hand label, .choices label, .ways > .way"
HOLDINGS = {
    "buy": ".market tr:not(.off, .rest)",
    "survivor": ".market .standing",
    "dispose": ".market tr:first-child .standing",
}
# Those of them that lie, in part, below the bar or outside the window.
HIDDEN = """(needed) => {
  scrollTo(0, 0);  // a tap of the test may have scrolled
  const bar = document.querySelector(".decision-bar").getBoundingClientRect().top;
  return [...document.querySelectorAll(needed)].filter((one) => one.checkVisibility()).flatMap((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    const isSeen = top >= 0 && bottom <= bar + 0.5;
    return isSeen ? [] : [`${one.id || one.className} ${Math.round(bottom)} > ${Math.round(bar)}`];
  });
}"""
PLACES = """() => [".board", ".coach", ".hand, .ways, .market", ".decision-bar"].map((name) => {
  scrollTo(0, 0);
  const box = document.querySelector(name)?.getBoundingClientRect();
  return box && [box.top, box.bottom].map(Math.round).join("-");
})"""


def needed_for(answer: str) -> str:
    return ", ".join(filter(None, [NEEDED, HOLDINGS.get(answer.split()[0])]))


def wrong_answers() -> list[tuple[str, str, str]]:
    """The address of each step, an answer that is legal but wrong, and the right one."""
    answers = []
    for lesson in COURSE:
        for number, step in enumerate(lesson.steps, start=1):
            legal = [str(move) for move in step_position(step).seen.legal]
            buttons = [move for move in legal if move.split()[0] != "dispose" or move in WHOLE]
            wrong = next(move for move in buttons if not check_answer(step, move)[1])
            answers.append((f"/learn/{lesson.name}/{number}/", wrong, step.example))
    return answers


# Answers about all shares of a defunct chain have a button each.
WHOLE = ("dispose nothing", "dispose sell 4")


@pytest.mark.parametrize(("address", "answer"), STEPS, ids=[address for address, _answer in STEPS])
def test_all_that_a_step_needs_is_in_sight_on_a_phone(
    open_page: OpenPage, solved_lessons: "StorageState", address: str, answer: str
) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True, storage_state=solved_lessons)
    page.goto(address)
    assert page.evaluate(HIDDEN, needed_for(answer)) == []
    choose_answer(page, answer)
    assert page.evaluate(HIDDEN, needed_for(answer)) == []


@pytest.mark.parametrize(("address", "wrong", "right"), proof.every(4, wrong_answers()))
def test_hint_moves_nothing_and_goes_with_the_choice(
    open_page: OpenPage, solved_lessons: "StorageState", address: str, wrong: str, right: str
) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True, storage_state=solved_lessons)
    page.goto(address)
    choose_answer(page, wrong)
    places = page.evaluate(PLACES)
    send_answer(page, wrong)
    hint = page.locator(".coach").get_by_role("alert")
    hint.wait_for()
    assert page.evaluate(PLACES) == places
    assert page.evaluate(HIDDEN, needed_for(right)) == [] and faults_of(page) == []
    choose_answer(page, right)
    assert hint.count() == 0
    # Only the bar and the standings may say more.
    assert page.evaluate(PLACES)[:2] == places[:2]
    assert page.evaluate(HIDDEN, needed_for(right)) == []


@pytest.mark.parametrize(("address", "answer"), STEPS, ids=[address for address, _answer in STEPS])
def test_button_stays_at_the_bottom_when_a_step_is_solved(
    open_page: OpenPage, solved_lessons: "StorageState", address: str, answer: str
) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True, storage_state=solved_lessons)

    def bottom() -> int:
        return round(page.evaluate("document.querySelector('.decision-bar').getBoundingClientRect().bottom"))

    page.goto(address)
    asked = bottom()
    tap_answer(page, answer)
    page.locator(".coach", has_text="Correct.").wait_for()
    assert asked == bottom() == PHONE["height"]


def test_numbers_of_shares_open_above_the_bar(open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto("/learn/defunct/1/")
    page.locator(".way:has(#way-mix)").tap()
    page.locator(".split").wait_for()
    assert page.evaluate(HIDDEN, ".split") == []


def test_dead_tile_leads_nowhere_in_a_lesson(open_page: OpenPage, solved_lessons: "StorageState") -> None:
    page = open_page(viewport=PHONE, storage_state=solved_lessons)
    page.goto("/learn/safety/2/")
    assert page.locator(".hand .tile", has_text="8C").locator("a").count() == 0


def test_wrong_tile_gets_a_hint(open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto("/learn/tiles/1/")
    tap_answer(page, "place 6E")
    page.get_by_role("alert").filter(has_text=wording.TILE_HAS_A_NEIGHBOUR).wait_for()
    assert page.locator("#tile-6E").is_checked()
    assert faults_of(page) == []
    tap_answer(page, "place 2B")
    page.locator(".coach", has_text="Correct.").wait_for()


def test_square_on_the_board_chooses_its_tile(open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto("/learn/mergers/1/")
    page.locator(".board [data-choose='5C']").tap()
    assert page.locator("#tile-5C").is_checked()
    page.get_by_text("+$3,000").wait_for()


def test_board_stays_in_its_place_when_the_step_is_solved(open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto("/learn/mergers/1/")

    def place() -> object:
        return page.locator(".board").bounding_box()

    before = place()
    tap_answer(page, "place 5C")
    page.locator(".coach", has_text="Correct.").wait_for()
    assert place() == before


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_lessons_work_without_a_script(open_page: OpenPage, size: object) -> None:
    page = open_page(viewport=size, java_script_enabled=False)
    page.goto("/learn/tiles/1/")
    page.locator(".board [data-choose='2B']").click()
    page.get_by_text("A tile without neighbours stays a lone tile.").wait_for()
    page.get_by_role("link", name="Next step").click()
    page.wait_for_url("**/learn/tiles/2/")
    page.locator("#tile-4D").check()
    page.locator("[data-go]").click()
    page.get_by_text("That tile is not beside 5E.").wait_for()


def test_rules_lead_to_a_lesson_by_thumb(open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto("/rules/")
    links = page.locator(".lesson-link a")
    assert links.count() == 8
    for link in links.all():
        box = link.bounding_box()
        assert box and box["height"] >= LEAST
    links.filter(has_text="Merger bonuses").tap()
    page.wait_for_url("**/learn/bonuses/1/")


@pytest.mark.parametrize("width", [320, 360, 768, 1440])
def test_list_of_lessons_fits(open_page: OpenPage, width: int) -> None:
    for scheme in ("light", "dark"):
        page = open_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        page.goto("/learn/")
        assert faults_of(page) == []
        page.goto("/learn/bonuses/")
        assert faults_of(page) == []
