"""How each rule system looks on a page: the registry, and what templates are given.

A table is a package that offers, besides its templates:

TEMPLATE                    the partial that is swapped, see below
context(seen, people, entries, worth, changed)
                            what it shows, from an Observation (never a state) and the log; `worth` is
                            what each seat was worth by turn, for a game that is over; `changed`, for
                            whoever looks back, are the squares that the last entry changed, for the board
                            to mark them and no others
log_context(rules, people, entries)
                            the whole log in sentences
turns(entries, people, rules), drawing(seen, people)
                            its turns, the latest first, and a position in plain lines: for a text of the game
read_move(data)             the notation of the move that a posted form asks for
confirmation_question(data, rules, every)
                            what is asked once more before a move is sent, of those who wish so: with `every`
                            before any move, else before some; "" for nothing
refusal(error, rules)       why a move was not taken, for IllegalMove and InvalidMove
why_forced(move, rules)     why a move, given by its notation, was the only one, in a sentence
sentence, sentences         events in words, for log, mail and screen reader
headline(seen, people)      what must be done now, by whom
your_turn(kind), waiting_for(kind, who)
                            the same from a game's columns, without a look at the position
mail_subject_question(seen)
                            what is asked of the observer, in the few words that a subject has room for
mail_context(seen, people, entries), LETTER_TEMPLATE
                            what a mail shows: nothing of any hand, from the entries since the reader moved
advice(seen, people, level, estimates)
                            what a computer opponent would do in the observer's place, as an `Advice`
in_words(seen, people, moves)
                            these answers to what is asked of the observer, each as its button says it
presets(), preset_name(name), option_names(), option_values()
                            the names of rules for people
deal_context(rules, names, seed)
                            the deal made anew from a seed that is no secret any more
RULES_TEMPLATE, rules_page()
                            the page that teaches the game, and what it shows
PRESET_TEMPLATE, preset_page(name)
                            the page of one set of rules
STYLESHEET                  a style sheet of its own for its table, "" without one
name(), pitch()             what the game is called, and what one does in it
designer(), credit(), about()
                            whom it is owed to: a name, the line for every page, and paragraphs
places(seen, people)        rank, seat and points if the game ended now, the winner first; none while they are
                            hidden, and when a game that is over has no result
amount(points)              the same in as few letters as fit beside a drawing
breakdowns(seen, names, entries)
                            of a game that is over, what each seat's points are made of, as `Breakdown` values
phrase(move, rules)         what a move does, to go on a sentence with
luck()                      what luck there is in the game, in a sentence; "" where there is none
board_picture(seen)         the board as a `BoardPicture`
score(points), score_name() the points that `standings` gives each seat, for people
feat(kind, number)          what a record is for, and how much it is
ahead(points)               by how much somebody was ahead of another on average, or behind
opening_title(), opening(key, rules)
                            by what openings are told from each other, and one of them
options_title()             what the options of a new game are called together
chance()                    what the seed decides
unseen()                    what is dealt anew for whoever explores a position, "" where nothing is hidden

and, for a system with standing orders (games.engine.standing_orders):

ORDER_FORM                  the template of the form's fields, and
order_form(rules, data), read_order(data), order_fields(order)
                            what the form shows, the plain values of the order that it asks for, and back
order_sentence(order, rules), order_previews(order, seen)
                            what an order says, and what it would do today
order_refusal(error), why_asked(ask, rules)
                            why an order is not taken, or not followed

and, for a system with plans (games.engine.planned_turns):

read_plan(data)             the plan that a posted form asks for, as plain values
question_of_turn(data, rules)
                            what is asked once more before a whole turn is sent, of those who wish so
why_not(reason, rules)      why a plan was not kept or followed, for Ask and InvalidPlan
context(…, planned)         takes the reader's own plan, a `Planned`, along

`people` is made by `people(persons, reader)`, `entries` are `Entry` values: the latest of the log, oldest
first, all of them once the game is over.

What the templates need besides:

every page      `waiting_count`, the number of games that wait for the reader (context processor)
TEMPLATE        `context(…)` and: `game`, `version` (its number of log entries), `move_url` (where the
                decision's form goes), `log_url`, `deal_url`, `rules_url` (the rules of this game); where
                there are any `deadline` (a datetime) or `stopped` (whoever is asked has a clock, which
                stands still), `others_wait` (whether another game waits for the
                reader), `again_url` (where the form for the same game again goes),
                `rating_changes`, what a rated game that is over has made of the ratings, for
                games/ratings/_rating_changes.html,
                `plan_url` and `turn_url` (where the forms for a plan and for a whole turn go);
                `problem` and `notice` (sentences); `rests`, what is said of a moderator's pause;
                `oob` when it is sent to be swapped;
                `proposed` and `ending_url`, what is proposed and where the reader can end the game;
                `back`, where the reader may take steps back, for _takeback.html; `explore_url`, where the
                reader may explore, and `exploring` where that is what the table shows;
                `advice`, if a computer opponent may be asked, for _advice.html; `orders`, if the
                reader can give standing orders, for games/play/_orders.html;
                `cover`, what lies over the hands of a practice table, for games/play/_hand_cover.html and
                games/play/_pass_device.html;
                `absences`, seats whose players are away, for _absences.html; `past` where the table
                is one of the past, on which nothing can be done; `log_of`, the game to whose positions the
                entries of the log lead
games/play/game.html the same and `table_template`, `table_url`, `live_url` (the socket's path), `title`
games/play/log.html  `log_context(…)`, `title`, `game_url`
games/play/deal.html `title`, `game_url`, `commitment`; once the game is over also `seed` (hexadecimal),
                `deal_context(…)` and `verify_command`, if there is one
games/lobby/home.html `starts`, one for each game that may be played here; lists of `Card` values
rules pages     `rules_page()`, `preset_page(name)`; `others`, the other games with rules to read

Addresses are reversed by the names `home`, `play-now`, `rules` and `preset` (with the name of a preset, or
of a system for the page that teaches it), `about` (with that of a system).
"""

from types import ModuleType
from typing import Final

from games.web.presenters.acquire import presenter as acquire
from games.web.presenters.acquisition import presenter as acquisition

PRESENTERS: Final[dict[str, ModuleType]] = {"acquire": acquire, "acquisition": acquisition}
