"""Acquire, by Sid Sackson: the public interface of its rules.

A game is a `State`, dealt from `Rules`, a number of seats and a secret seed. Its
`decision` asks one seat, which answers with one of `legal_moves(state)`. Events say what
happened. What a player or spectator may see is an `Observation`.
"""

from games.engine.rules.acquire import events
from games.engine.rules.acquire.apply_move import apply, play
from games.engine.rules.acquire.bonuses import worth
from games.engine.rules.acquire.deal import deal, redeal, seating
from games.engine.rules.acquire.decision_themes import THEMES, decision_theme, decision_tier
from games.engine.rules.acquire.events import event_from_json, event_to_json, reveals_secret
from games.engine.rules.acquire.forced_moves import HAS_FORCED_MOVES, forced_move
from games.engine.rules.acquire.invariants import invariants
from games.engine.rules.acquire.legal_moves import check_move, legal_moves
from games.engine.rules.acquire.money_gains import MONEY_SOURCES, money_by_source
from games.engine.rules.acquire.moves import parse_move
from games.engine.rules.acquire.observation import (
    HAS_HIDDEN_INFORMATION,
    Observation,
    hidden_information,
    observation_to_json,
    observe,
    sample_state,
)
from games.engine.rules.acquire.position_text import position_from_text, position_to_text, rules_from_text
from games.engine.rules.acquire.records import (
    FIRST_DECISIONS,
    FIRST_MOVES,
    RECORD_KINDS,
    opening,
    record_marks,
    turns,
)
from games.engine.rules.acquire.rule_options import OPTIONS, PRESETS, from_options, to_options
from games.engine.rules.acquire.state import SEATS, decider
from games.engine.rules.acquire.state_json import VERSION, state_from_json, state_to_json
from games.engine.rules.acquire.teams import partners, seat_counts, teams
from games.engine.rules.acquire.turns import standings
from games.engine.rules.seeded_random import seed_hash

__all__ = [
    "FIRST_DECISIONS",
    "FIRST_MOVES",
    "HAS_FORCED_MOVES",
    "HAS_HIDDEN_INFORMATION",
    "MONEY_SOURCES",
    "OPTIONS",
    "PRESETS",
    "RECORD_KINDS",
    "SEATS",
    "THEMES",
    "VERSION",
    "Observation",
    "apply",
    "check_move",
    "deal",
    "decider",
    "decision_theme",
    "decision_tier",
    "event_from_json",
    "event_to_json",
    "events",
    "forced_move",
    "from_options",
    "hidden_information",
    "invariants",
    "legal_moves",
    "money_by_source",
    "observation_to_json",
    "observe",
    "opening",
    "parse_move",
    "partners",
    "play",
    "position_from_text",
    "position_to_text",
    "record_marks",
    "redeal",
    "reveals_secret",
    "rules_from_text",
    "sample_state",
    "seat_counts",
    "seating",
    "seed_hash",
    "standings",
    "state_from_json",
    "state_to_json",
    "teams",
    "to_options",
    "turns",
    "worth",
]
