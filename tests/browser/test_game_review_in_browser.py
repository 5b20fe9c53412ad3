"""A game review on a phone and a desktop: as it grows, its steps, and second tries."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.browser.page_recorder import watched
from tests.support import wording
from tests.support.armed_buttons import press
from tests.support.browser_person import Player
from tests.support.open_tables import fits
from tests.support.page_checks import DESK, PHONE
from tests.support.played_site import PlayedSite, play

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# A finished game of six players with the widest names. Workers assess its last turns as soon as the sweeper
# requests it; no broker can be reached from here.
OVER = """
from django.db import transaction
from accounts.models import User
from games.models import Game, GameReview
from tests.browser.prepared_tables import MOMENTS, NAMES, _game_at
people = [User.objects.get_or_create(username=name)[0] for name in NAMES]
with transaction.atomic():
    game = _game_at(MOMENTS["final"], people)
    Game.objects.filter(pk=game.pk).update(visibility="public")
    game.refresh_from_db()
    GameReview.objects.filter(game=game).update(rated=game.version - 40, touched="2000-01-01T00:00Z")
print(game.get_absolute_url())
"""


@pytest.fixture(scope="module")
def played_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedSite]:
    """A site that assesses finished games."""
    with play(tmp_path_factory.mktemp("site"), GAME_REVIEWS="1") as site:
        yield site


def test_review_grows_while_read_and_is_accessible(
    player: Callable[..., Player], played_site: PlayedSite
) -> None:
    game = played_site.shell(OVER).splitlines()[-1]
    reader = player("story-reader")
    page = reader.page
    page.goto(game)
    page.get_by_role("link", name=wording.GAME_REVIEW).first.click()
    page.wait_for_url("**/review/")
    # New assessments appear without a reload.
    page.get_by_role("heading", name=wording.LUCK_AND_SKILL).wait_for(timeout=240_000)
    assert page.locator(".accuracies li").count() == 6
    assert page.locator(".chance-chart path").count() == 6
    page.set_viewport_size({"width": 360, "height": 740})
    sums = page.locator(".totals").first
    assert sums.evaluate("sums => sums.scrollWidth <= sums.parentElement.clientWidth")
    reader.look_at(f"{game}review/20/")
    picture = page.request.get(f"{game}picture.png")
    assert picture.headers["content-type"] == "image/png"


# -- Steps and second tries ----------------------------------------------------------------------------

# A finished game with two mistakes of one player, which nobody assesses any more.
REVIEWED = """
from django.db import transaction
from accounts.models import User
from games.models import Game
from tests.browser.prepared_tables import MOMENTS, NAMES, _game_at
from tests.support.assessed_moves import assess_as, choices_of
people = [User.objects.get_or_create(username=name)[0] for name in NAMES]
with transaction.atomic():
    game = _game_at(MOMENTS["final"], people)
    Game.objects.filter(pk=game.pk).update(visibility="public")
    game = Game.with_secrets.get(pk=game.pk)
    tiles = choices_of(game, "place")
    rated = [assess_as(game, entry) for entry in (tiles[2], tiles[9])]
print(game.get_absolute_url(), *[one.number for one in rated], *[one.best.split()[1] for one in rated])
"""


@dataclass(frozen=True)
class Reviewed:
    """A reviewed game: its address, the log entries of its two mistakes, and the better tiles."""

    address: str
    first: int
    second: int
    better: str

    @property
    def review(self) -> str:
        return f"{self.address}review/"


@pytest.fixture(scope="module")
def reviewed(played_site: PlayedSite) -> Reviewed:
    told = played_site.shell(REVIEWED).splitlines()[-1].split()
    return Reviewed(told[0], int(told[1]), int(told[2]), told[3])


def at(page: "Page") -> int:
    return int(page.locator(".review-stage").get_attribute("data-at") or "-1")


def comes_to(page: "Page", number: int) -> None:
    page.locator(f".review-stage[data-at='{number}']").wait_for(state="attached")
    page.wait_for_url(f"**/review/{number}/")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_keys_and_buttons_step_through_the_game(
    viewport: dict[str, int], motion: str, browser: "Browser", played_site: PlayedSite, reviewed: Reviewed
) -> None:
    with watched(browser, played_site, viewport=viewport, reduced_motion=motion) as witness:
        page, first = witness.page, reviewed.first
        page.goto(f"{reviewed.review}{first}/")
        loads = witness.loads
        fits(page)
        for key, number in (("ArrowRight", first + 1), ("ArrowLeft", first), ("Home", 0), ("ArrowRight", 1)):
            page.keyboard.press(key)
            comes_to(page, number)
        assert "Turn 1 of" in page.locator("#announce").inner_text()
        # Keys in quick succession all count.
        for _ in range(4):
            page.keyboard.press("ArrowRight")
        comes_to(page, 5)
        current = page.locator(".review-moves [aria-current]")
        assert current.get_attribute("data-to") == "5"
        # A step by button keeps the focus, and the browser's Back undoes it.
        page.locator("#go-after").click()
        comes_to(page, 6)
        page.locator("#go-after:focus").wait_for()
        page.go_back()
        comes_to(page, 5)
        page.locator(f".review-moves a[data-to='{reviewed.second}']").click()
        comes_to(page, reviewed.second)
        page.locator("#go-mistake").click()
        comes_to(page, first)
        assert page.locator(".outcome.better").count() == 1
        page.keyboard.press("End")
        page.locator("#go-after[aria-disabled]").wait_for()
        line = page.locator(".chance-chart .now")
        assert line.get_attribute("x1") == "600"
        fits(page)
        assert witness.loads == loads, "the page was not loaded again"
        assert witness.complaints == []


def test_touch_steps_and_chooses_on_the_chart(
    browser: "Browser", played_site: PlayedSite, reviewed: Reviewed
) -> None:
    with watched(browser, played_site, viewport=PHONE, has_touch=True) as witness:
        page = witness.page
        page.goto(f"{reviewed.review}7/")
        for name in ("first", "before", "after", "last"):
            box = page.locator(f"#go-{name}").bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 44
        page.locator("#go-after").tap()
        comes_to(page, 8)
        chart = page.locator(".chance-chart")
        box = chart.bounding_box()
        assert box is not None
        chart.tap(position={"x": box["width"] / 2, "y": 60})
        page.locator(".review-stage:not([data-at='8'])").wait_for(state="attached")
        moves = page.locator(".review-moves li").count()
        assert abs(at(page) - moves / 2) <= 2
        assert witness.complaints == []


@pytest.mark.parametrize("scripts", [True, False], ids=["with a script", "without"])
def test_mistake_is_tried_again(
    scripts: bool, browser: "Browser", played_site: PlayedSite, reviewed: Reviewed
) -> None:
    options = {"viewport": PHONE if scripts else DESK, "java_script_enabled": scripts}
    with watched(browser, played_site, **options) as witness:
        page = witness.page
        page.goto(f"{reviewed.review}{reviewed.first}/")
        page.locator("#go-before").click()
        page.wait_for_url(f"**/review/{reviewed.first - 1}/")
        page.locator("#go-mistake").click()
        page.wait_for_url(f"**/review/{reviewed.first}/")
        page.get_by_role("link", name="Retry", exact=True).click()
        page.wait_for_url("**/retry/")
        page.locator(f".hand input[value='{reviewed.better}']").check(force=True)
        press(page.locator("#decision button[type=submit]:visible").last)
        page.locator(".retry-verdict").wait_for(state="attached")
        assert "Correct" in page.locator(".exploring").inner_text()
        page.get_by_role("link", name="Retry the next mistake").click()
        page.wait_for_url(f"**/review/{reviewed.second}/retry/")
        assert witness.complaints == []
