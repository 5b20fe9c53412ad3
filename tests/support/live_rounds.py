"""Live games in a site that is at work while time passes, and people who have the table open or not."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.clocks import machine_clock, site_presence
from games.clocks.site_presence import SEEN_MARK
from games.lobby import ready_check
from games.models import Game, Heartbeat
from games.play import page_presence
from games.play.deadlines import live_deadlines
from games.play.deadlines.live_deadlines import LiveDeadlines

LIVE: dict[str, Any] = {"pace": 30, "bank": 180, "cap": 180}
SECOND = timedelta(seconds=1)


class LiveTable:
    """A game, the loop over live games, whose machine has the clock of the test, and what happened."""

    def __init__(self, clock: Any, monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
        self.clock, self.game, self.loop = clock, game, LiveDeadlines(ready_check.settle)
        monkeypatch.setattr(
            machine_clock, "read", lambda: machine_clock.Reading(timezone.now(), timezone.now().timestamp())
        )
        monkeypatch.setattr(live_deadlines, "_LOOK_SECONDS", 0.0)
        self.loop.round()

    def stay(self, seconds: int, *people: User) -> None:
        """Let the time pass while these people have a page of the table open."""
        for passed in range(0, seconds, 5):
            for user in people:
                page_presence.mark_visible(user.pk, self.game.pk, user.username)
            if not passed:
                self.look()
            self.clock.shift(min(5, seconds - passed) * SECOND)
            # The site was there all the time.
            Heartbeat.objects.filter(name=SEEN_MARK).update(at=timezone.now() - 0.5 * SECOND)
            self.look()

    def look(self) -> None:
        """Run a round while a web process serves."""
        site_presence.show_web()
        self.loop.round()

    def kept(self) -> set[str]:
        """The players whose seats a computer keeps."""
        seats = self.game.seats.select_related("user")
        return {seat.user.username for seat in seats if seat.user is not None and seat.bot_level}

    def log(self) -> list[str]:
        """The rulings of the game."""
        return list(self.game.moves.filter(kind="ruling").values_list("text", flat=True))


def opened(table: LiveTable, *people: User) -> LiveTable:
    """The table after these people have opened and closed it."""
    for user in people:
        page_presence.mark_visible(user.pk, table.game.pk, user.username)
        page_presence.mark_closed(user.username)
    return table


def absence_of_the_site_counts_for_nobody(table: LiveTable, alice: User, carol: User) -> None:
    """The site is away for ten minutes, while bob is away from a table of three."""
    table.stay(40, alice, carol)
    table.clock.shift(timedelta(minutes=10))
    table.look()
    table.stay(55, alice, carol)
    assert table.kept() == set(), "a seat was lost by an absence of the site"
    table.stay(10, alice, carol)
    assert table.kept() == {"bob"}, "an absence from a site that is there did not count"


def outage_in_front_of_the_site_takes_no_seat(table: LiveTable, *everybody: User) -> None:
    """Nobody reaches the site for a while, and then one player comes back before the others."""
    for outage in (50, 75):
        table.stay(65, *everybody)
        for user in everybody:
            page_presence.mark_closed(user.username)
        table.stay(outage)
        table.stay(20, everybody[0])
        assert table.kept() == set(), "a seat was lost by an outage in front of the site"
