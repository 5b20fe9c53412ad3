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

from games.engine.rules.acquisition import events
from games.engine.rules.acquisition.apply_move import apply, play
from games.engine.rules.acquisition.buildings import buildings, standings, worth
from games.engine.rules.acquisition.deal import deal, seating
from games.engine.rules.acquisition.decision_themes import (  # fmt: skip
    MONEY_SOURCES,
    THEMES,
    decision_theme,
    decision_tier,
    money_by_source,
)
from games.engine.rules.acquisition.events import event_from_json, event_to_json, reveals_secret
from games.engine.rules.acquisition.forced_moves import HAS_FORCED_MOVES, forced_move
from games.engine.rules.acquisition.invariants import invariants
from games.engine.rules.acquisition.legal_moves import check_move, legal_moves
from games.engine.rules.acquisition.moves import parse_move
from games.engine.rules.acquisition.observation import (
    HAS_HIDDEN_INFORMATION,
    Observation,
    hidden_information,
    observation_to_json,
    observe,
    sample_state,
)
from games.engine.rules.acquisition.position_text import position_from_text, position_to_text, rules_from_text
from games.engine.rules.acquisition.records import (
    FIRST_DECISIONS,
    FIRST_MOVES,
    RECORD_KINDS,
    opening,
    record_marks,
    turns,
)
from games.engine.rules.acquisition.rule_options import (  # fmt: skip
    OPTIONS,
    PRESETS,
    SEATS,
    from_options,
    to_options,
)
from games.engine.rules.acquisition.state import decider
from games.engine.rules.acquisition.state_json import VERSION, state_from_json, state_to_json
from games.engine.rules.acquisition.teams import partners, seat_counts, teams
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
    "buildings",
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
