"""Acquisition, designed by Phil Leduc (2011): the public interface of its rules.

Full credit for the game is due to Phil Leduc. These are his rules of 2011, unaltered; there are no
variants. Anyone who programs or sells the game is asked to obtain his permission.

A game is a `State`, dealt from `Rules`, a number of seats and a secret seed. Its `decision` asks one
seat, which answers with one of `legal_moves(state)`. Events say what happened. Nothing is hidden, and
nothing is random once the seats are dealt: an `Observation` is the state without its seed.

Where the rules of 2011 are silent or ambiguous, this implementation decides:

- Players determine the turn order: it is dealt, as the seats are in the other games of the site. Seat 0
  starts with the parks and, as all place equally many of them, also with the tiles.
- The parks must end up asymmetrical: the last park must not leave them unchanged by any of the four
  reflections or three rotations of the board. The other parks may go anywhere.
- A buyout is offered only to a player who can carry it out. A player who lacks the tiles in reserve
  when a group is completed cannot buy it out later either: a group of three is settled at once.
- The owner of two tiles decides before the turn goes on, no matter who completed the group.
- Of three owners only the player who completed the group may buy the others out, both or none.
- Players agree on fewer tiles before the game, all on the same number, from 1 to that of the box.
- The game ends at once when the player whose turn it is cannot place a tile, even if others could; a
  missing tile is given as the reason before a missing square.
- Ties for the lower places are broken as those for the first place.
- The only square left is taken without asking, since nobody may pass. The published rules say nothing
  about this; it is a convention of this site.
- Squares are named a1 to l12. The rules do not say where a1 is, and nothing depends on it: it is at
  the top left.
"""

from ..chance import commitment
from . import events
from .board import (
    COLUMNS,
    EMPTY,
    NEIGHBOURS,
    PARK,
    ROWS,
    SIDE,
    SQUARE_BY_NAME,
    SQUARE_NAMES,
    SQUARES,
    SYMMETRIES,
    group,
)  # fmt: skip
from .dealing import deal, seating
from .effect import Effect, effect
from .events import KINDS as EVENT_KINDS
from .events import Event, event_from_json, event_to_json, reveals
from .feats import FEATS, feats, opening, turns
from .forcing import FORCES, forced
from .invariants import invariants
from .legal import check, legal_moves
from .moves import MOVES, BuyOut, Decline, Move, Park, Place, parse_move
from .observation import HIDES, Observation, determinize, observation_to_json, observe, uncover
from .parks import is_symmetrical
from .playing import apply, play
from .position import position_from_text, position_to_text, rules_from_text, rules_to_text
from .rules import (
    MATERIAL_LETTERS,
    MATERIALS,
    OPTIONS,
    PARKS,
    PRESETS,
    SEATS,
    TILES,
    Rules,
    from_options,
    to_options,
)  # fmt: skip
from .scoring import buildings, built, standings, worth
from .state import LARGE, MEDIUM, SMALL, Decision, State, decider
from .storage import VERSION, from_json, to_json

__all__ = [
    "COLUMNS",
    "EMPTY",
    "EVENT_KINDS",
    "FEATS",
    "FORCES",
    "HIDES",
    "LARGE",
    "MATERIALS",
    "MATERIAL_LETTERS",
    "MEDIUM",
    "MOVES",
    "NEIGHBOURS",
    "OPTIONS",
    "PARK",
    "PARKS",
    "PRESETS",
    "ROWS",
    "SEATS",
    "SIDE",
    "SMALL",
    "SQUARES",
    "SQUARE_BY_NAME",
    "SQUARE_NAMES",
    "SYMMETRIES",
    "TILES",
    "VERSION",
    "BuyOut",
    "Decision",
    "Decline",
    "Effect",
    "Event",
    "Move",
    "Observation",
    "Park",
    "Place",
    "Rules",
    "State",
    "apply",
    "buildings",
    "built",
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
    "group",
    "invariants",
    "is_symmetrical",
    "legal_moves",
    "observation_to_json",
    "observe",
    "opening",
    "parse_move",
    "play",
    "position_from_text",
    "position_to_text",
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
]
