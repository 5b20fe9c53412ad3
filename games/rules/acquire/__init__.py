"""Acquire, by Sid Sackson: the public interface of its rules.

A game is a `State`, dealt from `Rules`, a number of seats and a secret seed. Its
`decision` asks one seat, which answers with one of `legal_moves(state)`. Events say what
happened. What a player or spectator may see is an `Observation`.
"""

from ..chance import commitment
from . import events
from .board import COLUMNS, EMPTY, LONE, NEIGHBOURS, ROWS, SQUARE_BY_NAME, SQUARE_NAMES, SQUARES
from .bonuses import Bonus, bonuses, worth
from .chains import (
    CHAIN_BY_NAME,
    CHAIN_LETTERS,
    CHAIN_NAMES,
    CHAINS,
    END_SIZE,
    SAFE,
    SHARES,
    STEPS,
    TIERS,
    chain_label,
    price,
)
from .dealing import deal, seating
from .events import KINDS as EVENT_KINDS
from .events import Event, event_from_json, event_to_json, reveals
from .feats import FEATS, feats, opening, turns
from .forcing import FORCES, forced
from .invariants import invariants
from .legal import check, legal_moves
from .moves import MOVES, Buy, Dispose, Found, Move, Next, Pass, Place, Redraw, Survivor, parse_move
from .observation import HIDES, Observation, determinize, observation_to_json, observe, uncover
from .placing import Effect, effect
from .playing import apply, play
from .position import position_from_text, position_to_text, rules_from_text, rules_to_text
from .rules import OPTIONS, PRESETS, Rules, from_options, to_options
from .state import CASH, HAND, SEATS, Decision, State, decider
from .storage import VERSION, from_json, to_json
from .turning import may_declare_end, standings

__all__ = [
    "CASH",
    "CHAINS",
    "CHAIN_BY_NAME",
    "CHAIN_LETTERS",
    "CHAIN_NAMES",
    "COLUMNS",
    "EMPTY",
    "END_SIZE",
    "EVENT_KINDS",
    "FEATS",
    "FORCES",
    "HAND",
    "HIDES",
    "LONE",
    "MOVES",
    "NEIGHBOURS",
    "OPTIONS",
    "PRESETS",
    "ROWS",
    "SAFE",
    "SEATS",
    "SHARES",
    "SQUARES",
    "SQUARE_BY_NAME",
    "SQUARE_NAMES",
    "STEPS",
    "TIERS",
    "VERSION",
    "Bonus",
    "Buy",
    "Decision",
    "Dispose",
    "Effect",
    "Event",
    "Found",
    "Move",
    "Next",
    "Observation",
    "Pass",
    "Place",
    "Redraw",
    "Rules",
    "State",
    "Survivor",
    "apply",
    "bonuses",
    "chain_label",
    "check",
    "commitment",
    "deal",
    "decider",
    "determinize",
    "effect",
    "event_from_json",
    "event_to_json",
    "events",
    "feats",
    "forced",
    "from_json",
    "from_options",
    "invariants",
    "legal_moves",
    "may_declare_end",
    "observation_to_json",
    "observe",
    "opening",
    "parse_move",
    "play",
    "position_from_text",
    "position_to_text",
    "price",
    "reveals",
    "rules_from_text",
    "rules_to_text",
    "seating",
    "standings",
    "to_json",
    "to_options",
    "turns",
    "uncover",
    "worth",
]  # fmt: skip
