"""A game review on a phone and a desktop, during and after its assessment."""

from collections.abc import Callable, Iterator

import pytest

from tests.support import wording
from tests.support.browser_person import Player
from tests.support.played_site import PlayedSite, play

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
    game = played_site.manage("shell", "--no-imports", "-c", OVER).splitlines()[-1]
    reader = player("story-reader")
    page = reader.page
    page.goto(game)
    page.get_by_role("link", name=wording.GAME_REVIEW).first.click()
    page.wait_for_url("**/story/")
    # New assessments appear without a reload.
    page.get_by_role("heading", name=wording.LUCK_AND_SKILL).wait_for(timeout=240_000)
    assert page.get_by_role("region", name="Decisions").get_by_role("row").count() == 7
    page.set_viewport_size({"width": 360, "height": 740})
    sums = page.locator(".totals").first
    assert sums.evaluate("sums => sums.scrollWidth <= sums.parentElement.clientWidth")
    reader.look_at(f"{game}story/")
    page.get_by_role("link", name="Turn").first.click()
    page.wait_for_url("**/at/*/")
    picture = page.request.get(f"{game}picture.png")
    assert picture.headers["content-type"] == "image/png"
