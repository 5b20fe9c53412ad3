"""Answers to lessons, as a finger or a keyboard gives them on the page."""

import re
from typing import TYPE_CHECKING

from axe_playwright_python.base import AXE_SCRIPT

from games.lessons.course import COURSE
from tests.support.armed_buttons import wait_until_armed
from tests.support.page_checks import MISFITS, SERIOUS

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Address and right answer of each step, in order.
STEPS = [
    (f"/learn/{lesson.name}/{number}/", step.example)
    for lesson in COURSE
    for number, step in enumerate(lesson.steps, start=1)
]
# More presses of a key than any page needs to get from one control to the next.
MOST_PRESSES = 60


def tap_answer(page: "Page", answer: str) -> None:
    """Choose an answer with a finger, and send it."""
    choose_answer(page, answer)
    send_answer(page, answer)


def choose_answer(page: "Page", answer: str) -> None:
    """Choose an answer with a finger."""
    kind, _, rest = answer.partition(" ")
    if kind == "place":
        page.locator(f"label:has(#tile-{rest})").tap()
    elif kind in ("found", "survivor"):
        page.locator(f"label:has(#chain-{rest})").tap()
    elif kind == "dispose":
        page.locator(f"label:has(#way-{way_of(rest)})").tap()
    for count, chain in purchases(answer):
        for _ in range(count):
            page.locator(f"[data-step='1'][data-for=number-{chain}]").tap()
    if answer.endswith(" and end"):
        page.locator("label:has(#end)").tap()


def send_answer(page: "Page", answer: str) -> None:
    """Press the button that sends the chosen answer."""
    wait_until_armed(page)
    page.locator(sender(answer)).tap()


def type_answer(page: "Page", answer: str) -> None:
    """Choose an answer with the keys that any form obeys, and send it."""
    kind, _, rest = answer.partition(" ")
    if kind == "place":
        choose_radio(page, "tile", rest)
    elif kind in ("found", "survivor"):
        choose_radio(page, "chain", rest)
    elif kind == "dispose":
        choose_radio(page, "move", answer)
    for count, chain in purchases(answer):
        tab_to(page, f"#number-{chain}")
        for _ in range(count):
            page.keyboard.press("ArrowUp")
    if answer.endswith(" and end"):
        tab_to(page, "#end")
        page.keyboard.press("Space")
    wait_until_armed(page)
    tab_to(page, sender(answer))
    page.keyboard.press("Enter")


def way_of(rest: str) -> str:
    """The whole answer about defunct shares that is named by the end of this move."""
    return "hold" if rest == "nothing" else rest.split()[0]


def purchases(answer: str) -> list[tuple[int, str]]:
    if not answer.startswith("buy "):
        return []
    return [(int(count), chain) for count, chain in re.findall(r"(\d) ([a-z]+)", answer)]


def sender(answer: str) -> str:
    """The button that sends the answer; buying nothing has one of its own."""
    return "[data-nothing]" if answer.startswith("buy nothing") else "[data-go]"


def tab_to(page: "Page", selector: str) -> None:
    """Press Tab until the focus is on the element."""
    for _ in range(MOST_PRESSES):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab does not reach {selector}.")


def choose_radio(page: "Page", name: str, value: str) -> None:
    """Tab to the radio buttons of this name and press arrow keys until the right one is chosen."""
    tab_to(page, f"input[type=radio][name={name}]")
    page.keyboard.press("Space")
    for _ in range(MOST_PRESSES):
        if page.evaluate("document.activeElement.value") == value:
            return
        page.keyboard.press("ArrowDown")
    raise AssertionError(f"{value} cannot be chosen.")


def faults_of(page: "Page") -> list[str]:
    """Return what is wrong with the layout of the page and for people with assistive technology."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return [*page.evaluate(MISFITS), *page.evaluate(SERIOUS)]
