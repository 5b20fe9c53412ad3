"""Plans for a turn of Acquire."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from games.engine.planned_turns.plan_errors import InvalidPlan
from games.engine.rules.acquire.board import SQUARE_BY_NAME, SQUARE_NAMES
from games.engine.rules.acquire.moves import Move, parse_move
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.state_json import board_from_text, board_to_text
from games.engine.rules.rule_errors import InvalidMove

# The decisions that a plan can answer, with the maximum number of answers for each.
MAX_PURCHASES: Final = 4
KINDS: Final = {"found": 7, "survivor": 7, "next": 7, "buy": MAX_PURCHASES}


@dataclass(frozen=True, slots=True)
class Plan:
    """A turn planned ahead.

    square    the tile to place; None if this turn's tile is already placed and the rest is planned
    board     the board by square as the owner saw it, if the tile is to be placed only while nothing has
              changed next to it; else empty
    answers   by kind of decision, the moves that answer it, in order of preference; missing kinds are left
              to the owner
    end       whether the end is declared with the purchase if allowed. Without a planned purchase nothing is
              bought when it is declared, and the purchase is left to the owner when it is not allowed
    """

    square: int | None
    board: tuple[int, ...] = ()
    answers: Mapping[str, tuple[Move, ...]] = field(default_factory=dict)
    end: bool = False

    @property
    def ends_alone(self) -> bool:
        """Return whether the end is declared, if allowed, without a purchase."""
        return self.end and not self.answers.get("buy")


def board_seen(seen: Observation) -> str:
    """The board as stored with a plan: one mark for each square."""
    return board_to_text(seen.board, "")


def opening(plan: Plan) -> Move:
    """The first move of a whole turn; InvalidPlan ("choose a tile") if only the rest is planned."""
    if plan.square is None:
        raise InvalidPlan("choose a tile")
    return parse_move(f"place {SQUARE_NAMES[plan.square]}")


def plan_to_json(plan: Plan) -> dict[str, Any]:
    """The plan as plain values, with names for squares and moves in their notation."""
    return {
        "tile": "" if plan.square is None else SQUARE_NAMES[plan.square],
        "board": board_to_text(plan.board, "") if plan.board else "",
        "answers": {kind: [move.text for move in moves] for kind, moves in plan.answers.items()},
        "end": plan.end,
    }


def plan_from_json(record: Any) -> Plan:
    """The plan of a record, which is not trusted.

    Raises InvalidPlan: "no plan", "no tile of the game" (tile), "no purchase" (move), "too many" (most).
    """
    if not isinstance(record, dict) or not isinstance(answers := record.get("answers", {}), dict):
        raise InvalidPlan("no plan")
    found = {kind: _moves(kind, moves) for kind, moves in answers.items()}
    return Plan(
        _square(record.get("tile", "")),
        _board(record.get("board", "")),
        {kind: moves for kind, moves in found.items() if moves},
        bool(record.get("end")),
    )


def _square(name: Any) -> int | None:
    if name == "":
        return None
    if not isinstance(name, str) or name.upper() not in SQUARE_BY_NAME:
        raise InvalidPlan("no tile of the game", tile=str(name)[:20])
    return SQUARE_BY_NAME[name.upper()]


def _board(text: Any) -> tuple[int, ...]:
    if text == "":
        return ()
    try:
        return tuple(board_from_text(text))
    except (ValueError, TypeError):
        raise InvalidPlan("no plan") from None


def _moves(kind: str, texts: Any) -> tuple[Move, ...]:
    if kind not in KINDS or not isinstance(texts, Sequence) or isinstance(texts, str):
        raise InvalidPlan("no plan")
    if len(texts) > KINDS[kind]:
        raise InvalidPlan("too many", most=KINDS[kind])
    return tuple(_move(kind, text) for text in texts)


def _move(kind: str, text: Any) -> Move:
    if not isinstance(text, str):
        raise InvalidPlan("no plan")
    try:
        move = parse_move(text)
    except InvalidMove:
        raise InvalidPlan("no purchase" if kind == "buy" else "no plan", move=text[:200]) from None
    if move.kind != kind:
        raise InvalidPlan("no plan")
    return move
