"""The moves of a log that still stand, and the positions they lead to.

The position after entry n is the deal plus every move and redeal up to n that no ruling up to n has taken
back. States are secret: pages get observations of them (see `games.play.game_view`).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from games.log import rulings
from games.models import Game, LogEntry, Redeal


class LogRow(Protocol):
    """The fields of a log entry that tell which position it leads to."""

    @property
    def number(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def text(self) -> str: ...


class LogLine(NamedTuple):
    """A log entry without its events, which take most of its space."""

    number: int
    kind: str
    text: str
    seat: int | None


_Entry = TypeVar("_Entry", bound=LogRow)


def lines(game: Game) -> list[LogLine]:
    """The whole log of a game up to its version, oldest first, in one query.

    What was written since the game was read may be from after a reopening, when other things are secret.
    """
    found = game.moves.filter(number__lte=game.version).order_by("number")
    return [LogLine(*values) for values in found.values_list(*LogLine._fields)]


def standing_steps(entries: Iterable[_Entry]) -> list[_Entry]:
    """The moves and redeals among these entries of one log, oldest first, that still stand after them."""
    steps: list[_Entry] = []
    for entry in entries:
        if entry.kind == LogEntry.Kind.MOVE:
            steps.append(entry)
        elif (goal := rollback_target(entry)) is not None:
            while steps and steps[-1].number > goal:
                steps.pop()
            if redeal_hash(entry):
                steps.append(entry)
    return steps


def standing_moves(entries: Iterable[_Entry]) -> list[_Entry]:
    """The moves among these entries of one log, oldest first, that still stand after them."""
    return [step for step in standing_steps(entries) if step.kind == LogEntry.Kind.MOVE]


def taken_back(entries: Iterable[LogRow]) -> set[int]:
    """The numbers of the moves among these entries, oldest first, that one of them takes back."""
    entries = list(entries)
    moves = {entry.number for entry in entries if entry.kind == LogEntry.Kind.MOVE}
    return moves - {entry.number for entry in standing_moves(entries)}


def rollback_target(entry: LogRow) -> int | None:
    """The entry number to whose position a ruling returns the game; None for all other entries."""
    if entry.kind != LogEntry.Kind.RULING:
        return None
    ruling = rulings.parse_ruling(entry.text)
    return ruling.number if ruling.kind in rulings.GOES_BACK else None


def redeal_hash(entry: LogRow) -> str:
    """The hash of the seed from which a ruling deals the hidden tiles again; "" for all other entries."""
    return "" if entry.kind == LogEntry.Kind.MOVE else rulings.parse_ruling(entry.text).seed_hash


def conceded_seats(entries: Iterable[LogRow]) -> Iterator[int]:
    """The seats that concede in these entries."""
    for entry in entries:
        if (
            entry.kind == LogEntry.Kind.RULING
            and (ruling := rulings.parse_ruling(entry.text)).kind == "concede"
        ):
            yield ruling.number


def last_entry_of_play(entries: Sequence[LogRow]) -> int:
    """The last entry of a finished game before rulings that may follow the end."""
    for entry in reversed(entries):
        if entry.kind == LogEntry.Kind.MOVE or rulings.parse_ruling(entry.text).kind not in rulings.AFTER_END:
            return entry.number
    return 0


def initial_state(game: Game) -> Any:
    """The state after the deal, before the first move."""
    return game.rule_system.deal(game.rules, game.seats.count(), bytes(game.seed or b""))


def redeal_seed(game: Game, number: int) -> bytes:
    """The seed of the redeal at this entry; raises Redeal.DoesNotExist if it is lost."""
    return bytes(Redeal.objects.values_list("seed", flat=True).get(game=game.pk, number=number))


def apply_step(game: Game, state: Any, step: LogRow) -> None:
    """Change the state by a move or a redeal of the game's log."""
    system = game.rule_system
    if step.kind == LogEntry.Kind.MOVE:
        system.apply(state, system.parse_move(step.text))
    else:
        system.redeal(state, redeal_seed(game, step.number))


def walk_moves(game: Game, state: Any, entries: Iterable[_Entry]) -> Iterator[_Entry]:
    """The standing moves among these entries of a whole log, while `state` is the position before each.

    `state` begins as the deal. After the last one it is the position after all of them.
    """
    for step in standing_steps(entries):
        if step.kind == LogEntry.Kind.MOVE:
            yield step
        apply_step(game, state, step)


def state_after(game: Game, steps: Iterable[LogRow]) -> Any:
    """The state that these moves and redeals lead to from the deal."""
    state = initial_state(game)
    for step in steps:
        apply_step(game, state, step)
    return state


def states_by_entry(game: Game, entries: Iterable[LogRow]) -> Iterator[tuple[int, Any]]:
    """The state after each of these entries of a whole log, oldest first, beginning with the deal as 0.

    The yielded state is one object that changes: copy it to keep it. All positions together cost little more
    than the last one. Needs a game with its secrets.
    """
    entries = list(entries)
    state = initial_state(game)
    goals = [goal for entry in entries if (goal := rollback_target(entry)) is not None]
    # No ruling goes back further, so earlier states need no copies.
    earliest = min(goals, default=game.version)
    before: list[tuple[int, Any]] = []
    yield 0, state
    for entry in entries:
        if (goal := rollback_target(entry)) is not None:
            while before and before[-1][0] > goal:
                state = before.pop()[1]
        if entry.kind == LogEntry.Kind.MOVE or redeal_hash(entry):
            if entry.number > earliest:
                before.append((entry.number, state.copy()))
            apply_step(game, state, entry)
        yield entry.number, state
