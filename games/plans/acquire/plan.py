"""What a plan for a turn of Acquire says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from games.rules.acquire import SQUARE_BY_NAME, SQUARE_NAMES, Move, Observation, parse_move
from games.rules.acquire.storage import board_from_text, board_to_text
from games.rules.errors import InvalidMove

from ..asking import InvalidPlan

# The decisions that a plan can answer, and how many answers it may have in store for each.
MOST_PURCHASES: Final = 4
KINDS: Final = {"found": 7, "survivor": 7, "next": 7, "buy": MOST_PURCHASES}


@dataclass(frozen=True, slots=True)
class Plan:
    """One turn, planned ahead.

    square    the tile to place; None when this turn's tile lies on the board and the rest is planned
    board     the board by square as the owner saw it when planning, if the tile is to be placed only while
              nothing has changed next to it; else empty
    answers   by the kind of a decision the moves that answer it, in order of preference; a kind that is
              missing is left to the owner
    end       whether the end is declared with the purchase, if it may be; without any purchase in store
              nothing is bought when it is declared, and the purchase left to the owner when it may not be
    """

    square: int | None
    board: tuple[int, ...] = ()
    answers: Mapping[str, tuple[Move, ...]] = field(default_factory=dict)
    end: bool = False

    @property
    def ends_alone(self) -> bool:
        """Whether the end is declared, if it may be, without a purchase."""
        return self.end and not self.answers.get("buy")


def board_seen(seen: Observation) -> str:
    """The board as a plan remembers it: one mark a square."""
    return board_to_text(seen.board, "")


def opening(plan: Plan) -> Move:
    """The move with which a whole turn begins; InvalidPlan ("choose a tile") when only a rest is planned."""
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
    """The plan of such a record, whoever wrote it.

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
