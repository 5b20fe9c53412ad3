"""The rule systems, and the contract that each of them implements.

A rule system is a module with these functions and values:

PRESETS, OPTIONS, SEATS       named sets of options, the values of each option, the numbers of players
from_options, to_options      options as a dictionary, and back
seating(rules, n, seed)       the player of each seat, by order of joining
seat_counts(rules)            the numbers of players that these rules are for
teams(rules, seats), partners(rules, seats, seat)
                              the seats of each team, and those of this seat's team; none, and the seat alone,
                              if everybody plays alone
deal(rules, seats, seed)      the state before the first decision
redeal(state, seed)           deal everything hidden anew from this seed, as all later chance; only in systems
                              that hide something
decider(state)                the seat that must decide, or None at the end
legal_moves(state)            every answer to the decision
check_move(state, move)       raises IllegalMove unless the move is legal
forced_move(state)            the move that public information forces, or None
HAS_FORCED_MOVES              whether a move is ever forced
parse_move(text), str(move)   the notation, both ways; InvalidMove if no move has this text
apply(state, move), play      change the state; `play` also returns the events
HAS_HIDDEN_INFORMATION        whether one seat ever knows something that another does not
observe(state, seat, ended)   what a seat (None: a spectator) may know. `ended` is a reason from outside the
                              rules why the game is over; everything shown at an end is then shown. `openly`
                              shows the same of a past position of a finished game
hidden_information(state)     the rest of a finished game as plain values, if the system hides any: `hands` by
                              seat, in notation, and the `bag` in drawing order
reveals_secret(rules, events) whether the events showed any player something new
sample_state(observation, rng) a full state that fits the observation
standings(state), worth       rank, seat and score (dollars, large buildings); the current score of each seat.
                              The ranks of a team game are those of the teams, and partners stand together
state_to_json, state_from_json, VERSION
                              the state as plain values, and back; VERSION is raised when stored games need
                              other code than new ones
event_to_json, event_from_json, observation_to_json
turns(events)                 the number of turns of each seat
FIRST_MOVES, FIRST_DECISIONS  the first words of moves that begin a turn, and the kinds of decision before one
RECORD_KINDS, record_marks(events)
                              marks that can become records, besides the score: their names, and the highest
                              mark of each seat (None: nobody's)
opening(events)               the feature that characterises the opening, with its seat
THEMES, decision_theme(seen, move)
                              what decisions are about, and what this one is, from the observation of its seat
                              and an answer
decision_tier(seen, move)     the tier of the chain that the answer is about, 1 for the lowest; 0 for none
MONEY_SOURCES, money_by_source(rules, seats, events, worth)
                              where the points of each seat of a finished game came from: names, and points by
                              name; no names in systems without it
position_to_text, position_from_text, rules_from_text
invariants(state)             every fault of a state, in words
"""

from types import ModuleType

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquisition import rule_system as acquisition

SYSTEMS: dict[str, ModuleType] = {"acquire": acquire, "acquisition": acquisition}
