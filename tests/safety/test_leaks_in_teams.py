"""Games of two teams of people: nobody learns what a partner has in hand."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from games.chat import conversation
from games.engine.rules.acquire import rule_system as acquire
from games.players import chat_access
from games.players.chat_access import TEAMS
from tests.safety.leaks import twin_games
from tests.safety.leaks.leak_check import Check, Leak
from tests.support.leak_games import whole_game

pytestmark = pytest.mark.django_db

# Four people in two teams.
NUMBER = 26


@pytest.fixture
def check() -> Iterator[Check]:
    check = Check(twin_games.script(NUMBER), all_look=True)
    with check.opened():
        check.advance()
        check.advance()
        yield check


def test_table_that_shows_the_hand_of_a_partner_is_caught(
    check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(check.game.teams) == 2
    check.tables()
    observe = acquire.observe

    def with_partners(state: Any, seat: int | None, **how: Any) -> Any:
        seen = observe(state, seat, **how)
        if seat is None:
            return seen
        shown = (
            tile for one in acquire.partners(state.rules, state.seats, seat) for tile in state.hands[one]
        )
        return replace(seen, hand=tuple(sorted(shown)))

    monkeypatch.setattr(acquire, "observe", with_partners)
    with pytest.raises(Leak):
        check.tables()


def test_chat_that_shows_messages_of_another_team_is_caught(
    check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look() -> None:
        with check.full_site() as asks:
            chat = [ask for ask in asks if ask.route in ("chat", "talk-unread") and ask.form is None]
            for viewer in [*check.players, *check.others]:
                check.ask(viewer, chat)

    look()
    in_channels = chat_access.lines_in

    def of_all_teams(lines: Any, user: Any, reads: tuple[str, ...]) -> Any:
        return in_channels(lines, user, reads) | lines.filter(channel__in=TEAMS)

    for module in (chat_access, conversation):
        monkeypatch.setattr(module, "lines_in", of_all_teams)
    with pytest.raises(Leak):
        look()


@pytest.mark.proof
def test_whole_team_game_leaks_nothing() -> None:
    script = twin_games.script(NUMBER)
    assert (script.people, script.seats, script.teams) == (4, 4, "two")
    counts = whole_game(NUMBER).counts
    assert counts["comparisons"] > 1000 and counts["moves made twice"] > 20
