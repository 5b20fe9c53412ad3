"""The rule systems of the house, and the contract that each of them keeps.

A rule system is a package whose face offers, as plain functions and values:

PRESETS, OPTIONS, SEATS       named sets of options, the values of each option, how many may play
from_options, to_options      options as a dictionary and back
seating(rules, n, seed)       who of n players sits where
deal(rules, seats, seed)      the state before the first decision
decider(state)                the seat that must decide, or None at the end
legal_moves(state)            every answer to the decision
check(state, move)            raises IllegalMove unless it is one of them
parse_move(text), str(move)   the notation, there and back; InvalidMove when there is no such move
apply(state, move), play      change the state; `play` also tells the events
observe(state, seat)          what a seat (None: a spectator) may know
determinize(observation, rng) a full state that fits it
standings(state), worth       rank, seat and dollars; what each seat is worth now
to_json, from_json            the state as plain values and back
event_to_json, event_from_json, observation_to_json
position_to_text, position_from_text
invariants(state)             every fault of a state in words
"""

from types import ModuleType

from . import acquire

SYSTEMS: dict[str, ModuleType] = {"acquire": acquire}
