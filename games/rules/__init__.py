"""The rule systems of the house, and the contract that each of them keeps.

A rule system is a package whose face offers, as plain functions and values:

PRESETS, OPTIONS, SEATS       named sets of options, the values of each option, how many may play
from_options, to_options      options as a dictionary and back
seating(rules, n, seed)       who of n players sits where
deal(rules, seats, seed)      the state before the first decision
decider(state)                the seat that must decide, or None at the end
legal_moves(state)            every answer to the decision
check(state, move)            raises IllegalMove unless it is one of them
forced(state)                 the one answer that public information forces, None where there is a choice
FORCES                        whether there ever is one
parse_move(text), str(move)   the notation, there and back; InvalidMove when there is no such move
apply(state, move), play      change the state; `play` also tells the events
HIDES                         whether anything is ever hidden from one seat that another one knows
observe(state, seat, ended)   what a seat (None: a spectator) may know; `ended` is a reason from outside the
                              rules for which the game is over, and then all is shown that an end shows;
                              `openly` shows as much of a position in the middle of a game that is over
uncover(state)                the rest, as plain values, for a game that is over: `hands` by seat, in
                              notation, and the `bag` in the order of drawing, as far as there are any
reveals(rules, events)        whether the events showed anybody what was hidden from that player before
determinize(observation, rng) a full state that fits it
standings(state), worth       rank, seat and what the game is won by (dollars, large buildings);
                              what each seat has of it now
to_json, from_json, VERSION   the state as plain values and back; VERSION is raised when stored games need
                              other code than new ones
event_to_json, event_from_json, observation_to_json
turns(events)                 how many turns each seat had
FEATS, feats(events)          what is worth a record besides what the game is won by, more being better:
                              names, and the most of it by seat (None: the table's)
opening(events)               by what its opening is told from others, with the seat whose it was
position_to_text, position_from_text, rules_from_text
invariants(state)             every fault of a state in words
"""

from types import ModuleType

from . import acquire, acquisition

SYSTEMS: dict[str, ModuleType] = {"acquire": acquire, "acquisition": acquisition}
