"""A test of a browser that is run again after a failure."""

from datetime import UTC, datetime

from tests.browser.turn_positions import game_at
from tests.support.open_tables import free_names
from tests.support.played_site import PlayedSite


def test_names_of_an_earlier_run_are_free(played_site: PlayedSite) -> None:
    began = datetime.now(UTC)
    game_at(played_site, "calm", "again")
    free_names(played_site, began)
    game_at(played_site, "calm", "again")
