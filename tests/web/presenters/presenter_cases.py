"""Tables for tests: games with their log, and the page that a seat sees."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string

from games.engine.planned_turns.plan_errors import PlanView
from games.engine.rules.acquire import rule_system as acquire_rule_system
from games.engine.rules.acquire.events import Event
from games.engine.rules.acquire.moves import Move
from games.engine.rules.acquire.state import State
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import Person, TablePeople, people
from tests.engine.rules.acquire.acquire_positions import position

# Names that each page adds for its request; nobody shares a device.
NO_REQUEST = {"user": AnonymousUser(), "csrf_input": "", "cover": None}

NAMES = ("sam", "marta", "Rook", "devraj", "lena", "kofi")
ACQUIRE = PRESENTERS["acquire"]


def persons(seats: int) -> list[Person]:
    """This many people; the name Rook is a bot's."""
    return [Person(name, name == "Rook") for name in NAMES[:seats]]


def readers(seats: int = 4, reader: int | None = None, *, html: bool = False) -> TablePeople:
    return people(persons(seats), reader, html=html)


@dataclass
class Played:
    """A game with all its events."""

    state: State
    entries: list[LogEntryView] = field(default_factory=list)
    worth: list[list[int]] = field(default_factory=list)

    def play(self, move: str | Move) -> list[Event]:
        move = acquire_rule_system.parse_move(str(move))
        acquire_rule_system.check_move(self.state, move)
        events = acquire_rule_system.play(self.state, move)
        self.entries.append(LogEntryView(len(self.entries) + 1, events))
        return events

    def context(
        self, seat: int | None, names: Sequence[Person] = (), planned: PlanView | None = None
    ) -> dict[str, Any]:
        seen = acquire_rule_system.observe(self.state, seat)
        seated = names or persons(self.state.seats)
        return ACQUIRE.context(seen, people(seated, seat), self.entries, self.worth, planned)

    def page(
        self, seat: int | None, names: Sequence[Person] = (), planned: PlanView | None = None, **more: Any
    ) -> str:
        """Return the partial that this seat is sent."""
        context = {
            **NO_REQUEST,
            **self.context(seat, names, planned),
            "version": len(self.entries),
            "move_url": "/move/",
            **more,
        }
        return render_to_string(ACQUIRE.TEMPLATE, context)


def random_game(
    seed: int, seats: int = 4, until: Callable[[State], bool] | None = None, **options: Any
) -> Played:
    """Play random moves up to a wanted position or to the end, as eager to buy and to end as people."""
    rng = Random(seed)
    played = Played(
        acquire_rule_system.deal(acquire_rule_system.from_options(options), seats, rng.randbytes(32))
    )
    played.worth.append(acquire_rule_system.worth(played.state))
    while (moves := acquire_rule_system.legal_moves(played.state)) and not (until and until(played.state)):
        kind = played.state.decision.kind
        if kind == "buy":
            moves = [move for move in moves if len(move.shares) > 1 or move.end] or moves  # type: ignore[attr-defined]
        played.play(rng.choice(moves))
        if kind == "buy":
            played.worth.append(acquire_rule_system.worth(played.state))
    return played


def asked(kind: str) -> Callable[[State], bool]:
    """Return a predicate: whether a decision of this kind is asked."""
    return lambda state: state.decision.kind == kind


WANTED = {
    "place": lambda: random_game(1, until=asked("place")).state,
    "stuck": lambda: position(
        {"tower": "1A-12A", "continental": "1C-12C"}, hands=("5B", "", ""), decision="stuck 0"
    ),
    "found": lambda: position({"lone": "5E 6E"}, hands=("", "", ""), tile="6E", decision="found 0"),
    "survivor": lambda: position(
        {"american": "1A-3A", "tower": "5A-7A", "festival": "4B-4C", "lone": "4A"},
        tile="4A",
        merger="queue american tower festival",
        decision="survivor 0",
    ),
    "next": lambda: position(
        {"tower": "1A-3A", "american": "5A-6A", "festival": "4B-4C", "lone": "4A"},
        tile="4A",
        merger="survivor tower, queue american festival",
        decision="next 0",
    ),
    "dispose": lambda: position(
        {"tower": "1A-3A", "american": "5A-6A", "lone": "4A"},
        shares={"american": [5, 2, 0]},
        tile="4A",
        merger="survivor tower, defunct american, to dispose 0 1",
        decision="dispose 0",
    ),
    "buy": lambda: position({"tower": "1A-3A", "american": "5A-6A"}, decision="buy 0"),
}
