"""Pages of one game for each of its players."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from axe_playwright_python.base import AXE_SCRIPT

from tests.support.page_checks import MISFITS, SERIOUS
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from playwright.sync_api import Page


PHONE = {"width": 360, "height": 740}


@dataclass(frozen=True)
class Game:
    """The address of a game, and the sessions of its players by seat."""

    address: str
    sessions: list[str]


Opener = Callable[..., "Page"]


def prepare(site: PlayedSite, module: str, name: str) -> Game:
    """Run `main(name)` of the module inside the site, and return the game that it prints."""
    printed = site.shell(f"from {module} import main; main({name!r})")
    return Game(*json.loads(printed.splitlines()[-1]))


def free_names(site: PlayedSite, since: datetime) -> None:
    """Rename the accounts created since then, so that a test can be run again with the names it chose."""
    site.shell(f"from {__name__} import rename; rename({since.isoformat()!r})")


def rename(since: str) -> None:
    """Rename the accounts created since then, inside the site."""
    from accounts.models import User

    for user in User.objects.filter(date_joined__gte=since):
        user.username = f"earlier-{user.pk}"
        user.save()


def print_game(game: Any, people: Sequence[Any]) -> None:
    """Print a game inside the site for `prepare`, with sessions of these people."""
    from tests.support.clients import client_of

    print(json.dumps([game.get_absolute_url(), [client_of(user).session.session_key for user in people]]))


def wait_for_version(page: "Page", version: int) -> None:
    page.locator(f"[data-version='{version}']").wait_for()


def fits(page: "Page") -> None:
    """Assert that the page fits its screen and is accessible."""
    page.evaluate(AXE_SCRIPT)
    assert page.evaluate(MISFITS) == []
    assert page.evaluate(SERIOUS) == []
