"""A reopened game leaks nothing: its first deal is known to everybody, its second one to nobody.

See `tests.safety.leaks`. Everybody knows all hands of the first end, and everybody has the pages of it.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import reverse

from games.archive import game_export, past_position, replay
from games.archive.past_position import position_at
from games.engine.rules.acquire import rule_system as acquire
from games.moderation.actions import rollback_action
from games.web.play import table_views
from tests.safety.leaks import twin_games
from tests.safety.leaks.leak_check import Check, Leak
from tests.safety.leaks.watched_routes import Ask
from tests.support.leak_games import EVERYWHERE

pytestmark = [pytest.mark.django_db, pytest.mark.long]

# The game ends amid this move, and is reopened after the other entry. There no forced move waits: the next
# entry, of whatever kind, would make it, and then a plan of another player, whose tiles differ in the other
# deal.
END, BACK = 24, 8


@pytest.fixture
def check() -> Iterator[Check]:
    check = Check(twin_games.script(0), share=EVERYWHERE, all_look=False)
    with check.opened():
        while check.game.version < END:
            check.advance()
        yield check


def positions(check: Check) -> list[Ask]:
    """Each position of the game, before and after it was dealt again, as a page and from the API."""
    names = ("past-position", "api-position")
    last = check.game.version
    numbers = [*range(0, last, 4), last]
    addresses = [reverse(name, args=[check.game.public_id, number]) for name in names for number in numbers]
    return [Ask("position", address) for address in [*addresses, *pages(check)]]


def pages(check: Check) -> list[str]:
    names = ("deal-check", "export-json", "export-text", "api-game", "log", "game")
    return [reverse(name, args=[check.game.public_id]) for name in names]


def look(check: Check) -> None:
    """Let some people look at all positions and at all that tells the deal."""
    for viewer in [*check.players, *check.others[:2]]:
        check.ask(viewer, positions(check))


def test_reopened_game_leaks_nothing(check: Check) -> None:
    check.reopen(BACK)
    for number in range(3):
        check.moment(number)
        for _ in range(5):
            check.tables()
            check.advance()
        look(check)
    assert check.counts["comparisons"] > 200 and check.counts["moves made twice"] > 5


def test_game_that_is_reopened_twice_leaks_nothing(check: Check) -> None:
    check.reopen(BACK)
    for _ in range(6):
        check.advance()
    check.reopen(BACK)
    for _ in range(4):
        check.tables()
        check.advance()
    look(check)


# -- Twins ---------------------------------------------------------------------------------------------


def test_hands_dealt_by_the_known_seed_are_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollback_action, "new_seed", lambda: check.script.seed)
    check.reopen(BACK)
    game = check.game
    assert game.seed_hash in {told.seed_hash for told in replay.redeals(game)}
    with pytest.raises(AssertionError):
        assert replay.replay(game).faults == []


def test_hands_that_are_kept_are_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the seed is new: everybody knows the hands."""

    def kept(state: Any, seed: bytes) -> None:
        state.seed = seed

    known = hands_after(check, BACK)
    check.reopen(BACK)
    assert hands_after(check, check.game.version) != known
    monkeypatch.setattr(acquire, "redeal", kept)
    check.reopen(BACK)
    assert hands_after(check, check.game.version) == known


def hands_after(check: Check, number: int) -> list[str]:
    """The hands of the players as each sees the own one at this position."""
    public_id = check.game.public_id
    seen = [position_at(public_id, viewer.user, number).look.seen for viewer in check.players]
    return [repr(sorted(map(int, one.hand))) for one in seen]


def test_seed_told_before_the_end_is_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    check.reopen(BACK)
    look(check)
    honest = game_export._redeal

    def telling(one: Any) -> dict[str, Any]:
        return {**honest(one), "seed": check.redeals[one.number].hex()}

    monkeypatch.setattr(game_export, "_redeal", telling)
    with pytest.raises(Leak, match="the seed in the body of GET"):
        look(check)


def test_first_seed_on_the_page_of_the_deal_is_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no secret any more, but pages of a running game do not show seeds."""
    check.reopen(BACK)
    nothing: dict[str, Any] = {"hands": [[]] * check.script.seats, "bag": []}
    monkeypatch.setattr(
        table_views, "hidden_after_redeals", lambda game: dict.fromkeys(check.redeals, nothing)
    )
    monkeypatch.setattr(table_views, "revealed_seed", lambda game: check.script.seed.hex())
    with pytest.raises(Leak, match="the seed in the body of GET"):
        look(check)


def test_position_with_all_hands_is_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    check.reopen(BACK)
    monkeypatch.setattr(past_position, "_seat_then", lambda *where: 0)
    with pytest.raises(Leak):
        look(check)
