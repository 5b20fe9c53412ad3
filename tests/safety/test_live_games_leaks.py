"""The page of live games shows everybody what spectators may know, and no more."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import reverse

from games.engine.rules.acquire import rule_system as acquire
from games.models import Game
from games.web.showcase import live_cards
from tests.safety.leaks import twin_games
from tests.safety.leaks.leak_check import Check, Leak
from tests.safety.leaks.watched_routes import Ask

pytestmark = pytest.mark.django_db

PAGE = Ask("live-games", reverse("live-games"))
# Moves between two looks at the page.
STEP = 9


@pytest.fixture(params=[0, 1], ids=["open holdings", "hidden holdings"])
def check(request: pytest.FixtureRequest) -> Iterator[Check]:
    """A live game whose moves come a minute apart."""
    check = Check(twin_games.script(request.param))
    with check.opened():
        Game.objects.filter(pk=check.game.pk).update(seconds_per_move=120)
        check.game.refresh_from_db()
        yield check


def look(check: Check) -> None:
    """Let everybody look at the page, as the game is and in another deal."""
    for viewer in [*check.players, *check.others]:
        assert check.game.public_id in viewer.ask(PAGE.path, None).content.decode()
        check.ask(viewer, [PAGE])


def test_live_games_leak_nothing(check: Check) -> None:
    while check.game.version < 5 * STEP:
        if check.game.version % STEP == 0:
            look(check)
        check.advance()
    assert check.counts["comparisons"] > 30


def test_card_drawn_for_the_decider_is_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    observe = acquire.observe

    def as_the_decider(state: Any, seat: int | None, **how: Any) -> Any:
        return observe(state, acquire.decider(state), **how)

    check.advance()
    look(check)
    monkeypatch.setattr(acquire, "observe", as_the_decider)
    monkeypatch.setattr(live_cards, "_drawn", _with_hand(live_cards._drawn))
    with pytest.raises(Leak):
        look(check)


def _with_hand(drawn: Any) -> Any:
    """Draw the card with everything that was observed."""
    return lambda game, position, *rest: drawn(game, position, *rest) + repr(position.seen)
