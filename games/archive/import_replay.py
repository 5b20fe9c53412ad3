"""Replay of an imported log from its seed; only what the rules confirm becomes a game."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from games.archive.import_errors import ImportFailed, ImportFault
from games.archive.import_file import ImportedEntry, ImportedGame
from games.engine.rules.rule_systems import SYSTEMS
from games.log import rulings
from games.log.pace_proposals import PACES
from games.log.rulings import Ruling
from games.log.standings import rank_with_concessions
from games.models import Game, LogEntry

# Endings by ruling; conceding may end a game as well.
_ENDS: Final[Mapping[str, str]] = {
    "standings": Game.Ending.STANDINGS,
    "ends": Game.Ending.STANDINGS,
    "none": Game.Ending.NONE,
    "voids": Game.Ending.NONE,
    "unrated": Game.Ending.UNRATED,
}
# Rulings about a seat, with its number.
_SEAT_RULINGS: Final = frozenset(
    [
        *("concede", "takes", "keeps", "leaves", "returns", "adopts", "grace", "extends", "lengthens"),
        *("stands in", "appoints", "proposes", "agrees", "refuses", "withdraws"),
    ]
)
# Rulings about the seat to move, without its number.
_DECIDER_RULINGS: Final = frozenset(("back", "pause", "resume", "question"))
_PROPOSED: Final = frozenset(("standings", "none", "unrated", "paces"))
_VOTED_ON: Final[Mapping[str, frozenset[str]]] = {
    "question": frozenset(("keeps",)),
    "proposes": _PROPOSED,
    "withdraws": _PROPOSED,
    "agrees": _PROPOSED | {"keeps"},
    "refuses": _PROPOSED | {"keeps"},
}


@dataclass
class ReplayResult:
    """Result of a replay: the state, the ending if not by the rules, and the order of concessions.

    `events` holds the events of each entry, in order.
    """

    state: Any
    ending: str = ""
    conceded: dict[int, int] = field(default_factory=dict)
    events: list[list[Any]] = field(default_factory=list)
    is_over: bool = False


def replay_import(written: ImportedGame) -> ReplayResult:
    """Replay the whole game and compare it with the file. Raises ImportFailed."""
    system = SYSTEMS[written.system]
    if system.seed_hash(written.seed) != written.commitment:
        raise ImportFailed(ImportFault.DEAL)
    if len(written.seats) not in system.seat_counts(written.rules):
        raise ImportFailed(ImportFault.SEATS)
    played = _Playing(written).to_the_end()
    _compare(written, played)
    return played


class _Playing:
    """A replay in progress; `_before` holds the states before each standing move, with its entry number."""

    def __init__(self, written: ImportedGame) -> None:
        self._written, self._system = written, SYSTEMS[written.system]
        self._played = ReplayResult(self._system.deal(written.rules, len(written.seats), written.seed))
        self._before: list[tuple[int, Any]] = []
        self._known = {written.commitment}
        self._redealt: list[int] = []
        self._seats = set(range(len(written.seats)))

    def to_the_end(self) -> ReplayResult:
        for entry in self._written.log:
            is_move = entry.kind == LogEntry.Kind.MOVE
            self._played.events.append(self._move(entry) if is_move else self._ruling(entry))
        played = self._played
        if set(self._written.redeals) != set(self._redealt):
            raise ImportFailed(ImportFault.FIELD, field="redeals")
        if self._system.decider(played.state) is None:
            played.is_over = True
        elif not played.is_over:
            self._end_by_concession()
        return played

    def _move(self, entry: ImportedEntry) -> list[Any]:
        """Play a move and return its events."""
        state, system = self._played.state, self._system
        if self._is_over():
            raise ImportFailed(ImportFault.AFTER_END, entry=entry.number)
        if entry.seat is None or system.decider(state) != entry.seat:
            raise ImportFailed(ImportFault.NOT_ASKED, entry=entry.number)
        try:
            move = system.parse_move(entry.text)
            system.check_move(state, move)
        except ValueError:
            raise ImportFailed(ImportFault.ILLEGAL, entry=entry.number) from None
        if entry.origin == LogEntry.Origin.FORCED_MOVE and system.forced_move(state) != move:
            raise ImportFailed(ImportFault.ENTRY, entry=entry.number)
        self._before.append((entry.number, state.copy()))
        events = plain([system.event_to_json(event) for event in system.play(state, move)])
        if events != entry.events:
            raise ImportFailed(ImportFault.EVENTS, entry=entry.number)
        return list(events)

    def _ruling(self, entry: ImportedEntry) -> list[Any]:
        """Apply a ruling; it causes no events."""
        ruling = self._read(entry)
        if self._is_over() and ruling.kind not in rulings.AFTER_END | rulings.REOPENS:
            raise ImportFailed(ImportFault.AFTER_END, entry=entry.number)
        if ruling.kind in rulings.GOES_BACK:
            self._go_back(ruling, entry)
        elif ruling.kind == "concede":
            if ruling.number in self._played.conceded:
                raise ImportFailed(ImportFault.RULING, entry=entry.number)
            self._played.conceded[ruling.number] = 1 + len(self._played.conceded)
        elif ruling.kind in _ENDS:
            self._played.ending, self._played.is_over = _ENDS[ruling.kind], True
        return []

    def _read(self, entry: ImportedEntry) -> Ruling:
        """Parse and check a ruling."""
        try:
            ruling = rulings.parse_ruling(entry.text)
            what = rulings.parse_ruling(ruling.what) if ruling.what else None
        except ValueError:
            raise ImportFailed(ImportFault.RULING, entry=entry.number) from None
        if not self._is_consistent(ruling, what, entry.seat) or entry.events or entry.origin:
            raise ImportFailed(ImportFault.RULING, entry=entry.number)
        return ruling

    def _is_consistent(self, ruling: Ruling, what: Ruling | None, whose: int | None) -> bool:
        """Return whether the ruling fits its seat and the proposal it names, and the seats exist."""
        about = {whose} - {None}
        if any(told.kind == "paces" and told.name not in PACES for told in (ruling, what) if told):
            return False
        if ruling.kind in _SEAT_RULINGS:
            about.add(ruling.number)
            if whose != ruling.number:
                return False
        elif (whose is not None) != (ruling.kind in _DECIDER_RULINGS):
            return False
        if what is None:
            return ruling.kind not in _VOTED_ON and about <= self._seats
        if what.kind == "keeps":
            about.add(what.number)
        return what.kind in _VOTED_ON.get(ruling.kind, ()) and about <= self._seats

    def _is_over(self) -> bool:
        return self._played.is_over or self._system.decider(self._played.state) is None

    def _go_back(self, ruling: Ruling, entry: ImportedEntry) -> None:
        """Go back to an earlier position, and deal again there if the ruling does."""
        if ruling.number >= entry.number:
            raise ImportFailed(ImportFault.BACK, entry=entry.number)
        if ruling.kind in rulings.REOPENS:
            self._check_reopening(ruling, entry)
        elif any(ruling.number < number for number in self._redealt):
            # The hands from before a redeal are known to everybody.
            raise ImportFailed(ImportFault.BACK, entry=entry.number)
        while self._before and self._before[-1][0] > ruling.number:
            self._played.state = self._before.pop()[1]
        self._played.is_over, self._played.ending = False, ""
        if ruling.seed_hash:
            self._redeal(ruling, entry)

    def _check_reopening(self, ruling: Ruling, entry: ImportedEntry) -> None:
        """Raise ImportFailed unless the ruling deals again if the system hides anything."""
        if bool(ruling.seed_hash) != self._system.HAS_HIDDEN_INFORMATION:
            raise ImportFailed(ImportFault.RULING, entry=entry.number)

    def _redeal(self, ruling: Ruling, entry: ImportedEntry) -> None:
        seed = self._written.redeals.get(entry.number)
        if seed is None or ruling.seed_hash in self._known:
            raise ImportFailed(ImportFault.RULING, entry=entry.number)
        if self._system.seed_hash(seed) != ruling.seed_hash:
            raise ImportFailed(ImportFault.DEAL)
        self._known.add(ruling.seed_hash)
        self._redealt.append(entry.number)
        self._before.append((entry.number, self._played.state.copy()))
        self._system.redeal(self._played.state, seed)

    def _end_by_concession(self) -> None:
        """End the game as conceded if neither the rules nor an agreement ended it."""
        last = [entry for entry in self._written.log if entry.kind == LogEntry.Kind.RULING]
        played = [rulings.parse_ruling(entry.text).kind for entry in last if entry.number > self._last_move()]
        if self._played.conceded and "concede" in played:
            self._played.ending, self._played.is_over = Game.Ending.CONCEDED, True

    def _last_move(self) -> int:
        return self._before[-1][0] if self._before else 0


def _compare(written: ImportedGame, played: ReplayResult) -> None:
    """Raise ImportFailed unless the replayed end is that of the file."""
    system = SYSTEMS[written.system]
    if not played.is_over:
        raise ImportFailed(ImportFault.NOT_OVER)
    told = {number: seat.conceded for number, seat in enumerate(written.seats) if seat.conceded is not None}
    if played.ending != written.ending or played.conceded != told:
        raise ImportFailed(ImportFault.ENDING)
    seen = system.observe(played.state, None, ended=played.ending)
    if plain(system.observation_to_json(seen)) != written.position:
        raise ImportFailed(ImportFault.POSITION)
    if _standings(system, played) != written.standings:
        raise ImportFailed(ImportFault.STANDINGS)


def _standings(system: Any, played: ReplayResult) -> list[dict[str, int]]:
    places: Sequence[tuple[int, int, int]] = ()
    if played.ending != Game.Ending.NONE:
        places = rank_with_concessions(
            system.standings(played.state),
            played.conceded,
            system.teams(played.state.rules, played.state.seats),
        )
    return [{"rank": rank, "seat": seat, "points": points} for rank, seat, points in places]


def plain(value: Any) -> Any:
    """Return the value as it is after a round trip through JSON."""
    return json.loads(json.dumps(value))
