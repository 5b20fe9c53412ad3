"""A whole game for three with bots and people, checked for every viewer: nothing leaks.

See `tests.safety.leaks`. Here everybody asks each thing at one of the twenty-four moments of two games, the
other of which is that of `test_leaks_with_hidden_holdings`; `make leaks` has everybody ask everything at
each moment of many games.
"""

import pytest
from django.contrib import admin
from django.urls import path, reverse
from django.urls.resolvers import RegexPattern, URLResolver

from acquire_site import urls
from tests.safety.leaks import labels, twin_games, watched_routes
from tests.safety.leaks.leak_check import MOMENTS, Check, moments
from tests.support.leak_games import whole_game

pytestmark = [pytest.mark.django_db, pytest.mark.long]


def test_whole_game_leaks_nothing() -> None:
    counts = whole_game(0).counts
    assert counts["comparisons"] > 1000 and counts["letters and posts"] > 20 and counts["frames"] > 50
    assert counts["moves made twice"] > 20 and counts["tables drawn alone"] > 30


def test_past_positions_do_not_depend_on_hidden_tiles_of_now() -> None:
    """Another deal has another past, in which the same was played."""
    check = Check(twin_games.script(0))
    with check.opened():
        while check.game.seat_to_move is not None:
            last = check.game.version
            if last % 15 == 0:
                for viewer in [*check.players, *check.others[:2]]:
                    check.ask(viewer, [position(check, number) for number in {0, last // 2, last}])
            check.advance()
    assert check.counts["comparisons"] > 50


def position(check: Check, number: int) -> watched_routes.Ask:
    return watched_routes.Ask("position", reverse("past-position", args=[check.game.public_id, number]))


def test_every_route_has_an_entry() -> None:
    assert watched_routes.missing() == set()
    assert watched_routes.superfluous() == set()


def test_new_route_without_an_entry_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    new = path("games/<slug:public_id>/bag/", lambda request: None, name="bag")
    monkeypatch.setattr(urls, "urlpatterns", [*urls.urlpatterns, new])
    assert watched_routes.missing(URLResolver(RegexPattern(r"^/"), urls)) == {"bag"}


def test_each_kind_of_decision_occurs_in_the_daily_games() -> None:
    kinds = set()
    for number in (0, 1):
        script = twin_games.script(number)
        assert len(moments(script, MOMENTS)) == MOMENTS
        kinds |= {script.kinds[version] for version in moments(script, MOMENTS)}
    assert kinds >= {"place", "found", "survivor", "next", "dispose", "buy"}


def test_labels_reach_their_owner_and_nobody_else() -> None:
    """Labels do get through to pages, so their absence proves something."""
    check = Check(twin_games.script(0))
    with check.opened():
        for viewer in [*check.players, *check.others]:
            heard = labels.found(check._sent(viewer, check._table())["body"])
            hand = check.game.state["hands"][viewer.seat].split() if viewer.seat is not None else ()
            assert heard == set(hand), viewer.name


def test_every_model_of_the_admin_has_a_row() -> None:
    check = Check(twin_games.script(0))
    with check.opened(), check.full_site():
        first = watched_routes.first_of_each()
    assert len(first) == len(admin.site._registry) and all(first.values())
