"""Any position that a game has had, as one viewer may know it."""

from dataclasses import dataclass, replace
from typing import Any

from games.models import Game, Move
from games.services import devices, rulings
from games.services.devices import Opened
from games.services.errors import NoSuchPosition
from games.services.standing import Line, lines, states, taken_back

from .handovers import handovers, holder_at
from .looks import RECENT, Look, dealt_game, entries_of

# What moderators may still enter into the log of a game that is over.
_AFTER_THE_END = ("unrates", "deletes", "restores")


@dataclass(frozen=True)
class Position:
    """A game after entry `number` of its log, 0 for the deal, of which there are `last`.

    `look` is at the game as it was then: its `seat` is the viewer's if the viewer had it then already, its
    `seen` says what that seat knew, and lets nobody move; its `entries` are the last ones up to there, and
    `gone` those among them that were taken back by then. `turns` are the positions in which a turn begins.
    `uncovered`, for a game that is over, is what was hidden then (`uncover` of the rules); else None.
    """

    look: Look
    number: int
    last: int
    turns: tuple[int, ...]
    uncovered: dict[str, Any] | None

    @property
    def entry(self) -> Move | None:
        """The entry that led here; None for the deal."""
        return self.look.entries[-1] if self.look.entries else None


def position_at(public_id: str, user: Any, number: int, *, opened: Opened | None = None) -> Position:
    """The position after this entry, for this user; what it shows does not depend on anything later.

    While the game runs a player sees the own hand as it was then, and nobody else sees any. Whoever took a
    seat over was a spectator before: the hand of that time was somebody else's. In a game that is over
    everything is shown. At a practice table of several people it is the hand that is `opened` on the device.

    Raises Http404 as `look` does, and NoSuchPosition.
    """
    game, seats = dealt_game(public_id, user)
    if not 0 <= number <= game.version:
        raise NoSuchPosition(game.version)
    log = lines(game)
    mine = devices.seat_of(game, seats, user, opened)
    had_it = mine is not None and holder_at(log, mine, number) == user.pk
    seat = mine.number if mine is not None and had_it else None
    state, turns = _walked(game, log, number)
    over = game.is_finished and number >= _last_of_play(log)
    seen = game.rule_system.observe(state, seat, ended=game.ending if over else "", openly=game.is_finished)
    before = [line for line in log if line.number <= number]
    # The end tells how the whole game went.
    entries = entries_of(game, 1 if seen.ended else number - RECENT, number)
    return Position(
        look=Look(
            game,
            seats,
            seat,
            replace(seen, legal=()),
            entries,
            frozenset(taken_back(before)),
            handovers(log),
        ),
        number=number,
        last=game.version,
        turns=turns,
        uncovered=game.rule_system.uncover(state) if game.is_finished else None,
    )


def _walked(game: Game, log: list[Line], number: int) -> tuple[Any, tuple[int, ...]]:
    """The state after entry `number`, and after which entries a turn begins, 0 for the first one."""
    found, turn, turns = None, None, []
    for at, state in states(game, log):
        if state.turn != turn and not state.ended:
            turn = state.turn
            turns.append(at)
        if at == number:
            found = state.copy()
    return found, tuple(turns)


def _last_of_play(log: list[Line]) -> int:
    """The entry with which a game that is over ended."""
    for line in reversed(log):
        if line.kind == Move.Kind.MOVE or rulings.read(line.text).kind not in _AFTER_THE_END:
            return line.number
    return 0
