"""Twins of the socket tests: each of them fails on a site that accepts everything."""

from collections.abc import Iterator

import pytest

from tests.safety import test_hostile_sockets as sockets
from tests.support.played_site import PlayedSite, play
from tests.support.socket_visitor import MAKE, Visitor

BROKEN = "hear_every_origin count_no_sockets hear_every_frame never_look_again trip_over_hosts"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedSite]:
    broken = {"DJANGO_SETTINGS_MODULE": "tests.safety.sabotaged_settings", "SABOTAGE": BROKEN}
    with play(tmp_path_factory.mktemp("site"), **broken) as site:  # type: ignore[arg-type]
        yield site


@pytest.fixture(scope="module")
def game(site: PlayedSite) -> str:
    return site.shell(MAKE).split()[-1]


@pytest.fixture
def stranger(site: PlayedSite) -> Visitor:
    return Visitor(site)


@pytest.fixture(autouse=True)
def _short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "LONGEST_OPEN", 4.0)


def test_socket_for_a_page_of_another_site_is_detected(
    site: PlayedSite, game: str, stranger: Visitor
) -> None:
    with pytest.raises(AssertionError):
        sockets.test_pages_of_other_sites_open_no_socket(site, game, stranger, "https://evil.example")


def test_sixth_socket_is_detected(site: PlayedSite, game: str) -> None:
    with pytest.raises(AssertionError):
        sockets.test_sixth_socket_of_a_member_is_refused_until_another_closes(site, game)


def test_twenty_first_socket_of_an_address_is_detected(site: PlayedSite, stranger: Visitor) -> None:
    with pytest.raises(AssertionError):
        sockets.test_strangers_of_one_address_have_twenty_sockets(site, stranger)


def test_socket_that_outlives_its_session_is_detected(site: PlayedSite, game: str) -> None:
    with pytest.raises(TimeoutError):
        sockets.test_log_out_closes_the_sockets_of_that_browser_only(site, game)


def test_socket_of_a_banned_member_is_detected(site: PlayedSite, game: str) -> None:
    with pytest.raises(TimeoutError):
        sockets.test_banned_member_loses_all_sockets(site, game)


def test_socket_that_outlives_its_password_is_detected(site: PlayedSite) -> None:
    with pytest.raises(TimeoutError):
        sockets.test_new_password_closes_the_sockets_of_other_browsers(site)


def test_frame_that_closes_nothing_is_detected(site: PlayedSite, game: str, stranger: Visitor) -> None:
    with pytest.raises(TimeoutError):
        sockets.test_unknown_frame_closes_the_socket(site, game, stranger, sockets.FRAMES["words"])  # type: ignore[arg-type]


def test_eleventh_frame_is_detected(site: PlayedSite, game: str, stranger: Visitor) -> None:
    with pytest.raises(TimeoutError):
        sockets.test_eleventh_frame_in_ten_seconds_closes_the_socket(site, game, stranger)


def test_error_by_malformed_bytes_is_detected(site: PlayedSite, game: str, stranger: Visitor) -> None:
    [sent] = [sent for sent in sockets.RAW if b"Host: evil.example" in sent]
    with pytest.raises(AssertionError):
        sockets.test_malformed_requests_are_refused(site, sent)
    with pytest.raises(AssertionError):
        sockets.test_site_answers_afterwards_and_its_log_shows_no_error(site, game, stranger)
