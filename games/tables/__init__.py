"""How each rule system looks on a page: the registry, and what templates are given.

A table is a package that offers, besides its templates:

TEMPLATE                    the partial that is swapped, see below
context(seen, people, entries, worth)
                            what it shows, from an Observation (never a state) and the log; `worth` is
                            what each seat was worth by turn, for a game that is over
log_context(rules, people, entries)
                            the whole log in sentences
read_move(data)             the notation of the move that a posted form asks for
refusal(error, rules)       why a move was not taken, for IllegalMove and InvalidMove
sentence, sentences         events in words, for log, mail and screen reader
headline(seen, people)      what must be done now, by whom
your_turn(kind), waiting_for(kind, who)
                            the same from a game's columns, without a look at the position
asked(seen)                 what is asked of the observer, in the few words that a subject has room for
letter(seen, people, entries), LETTER_TEMPLATE
                            what a mail shows: nothing of any hand, from the entries since the reader moved
advice(seen, people, level, estimates)
                what a computer opponent would do in the observer's place, as an `Advice`
presets(), preset_name(name), option_names(), option_values()
                            the names of rules for people
deal_context(rules, names, seed)
                            the deal made anew from a seed that is no secret any more
rules_page(), preset_page(name)
                            what the pages of the rules show

`people` is made by `people(persons, reader)`, `entries` are `Entry` values: the latest of the log, oldest
first, all of them once the game is over.

What the templates need besides:

every page      `waiting_count`, the number of games that wait for the reader (context processor)
TEMPLATE        `context(…)` and: `game`, `version` (its number of log entries), `move_url` (where the
                decision's form goes), `log_url`, `deal_url`, `rules_url` (the rules of this game); where
                there are any `deadline` (a datetime), `others_wait` (whether another game waits for the
                reader), `again_url` (where the form for the same game again goes),
                `problem` and `notice` (sentences); `oob` when it is sent to be swapped;
                `advice`, if a computer opponent may be asked, for games/_advice.html
games/game.html the same and `table_template`, `table_url`, `live_url` (the socket's path), `title`
games/log.html  `log_context(…)`, `title`, `game_url`
games/deal.html `title`, `game_url`, `commitment`; once the game is over also `seed` (hexadecimal),
                `deal_context(…)` and `verify_command`, if there is one
games/home.html `form` (a PlayNowForm), `presets`; `mine` and `over`, games as `Card` values
rules/…         `rules_page()`, `preset_page(name)`

Addresses are reversed by the names `home`, `play-now`, `rules` and `preset` (with the preset's name).
"""

from types import ModuleType
from typing import Final

from . import acquire
from .advice import Advice
from .cards import Card
from .log import Entry
from .people import Person, people

__all__ = ["TABLES", "Advice", "Card", "Entry", "Person", "people"]

TABLES: Final[dict[str, ModuleType]] = {"acquire": acquire}
