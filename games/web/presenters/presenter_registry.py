"""Registry of presenters, with the contract between presenters, views and templates.

A presenter is the module `presenter` of a rule system's package. It offers, besides its templates:

TEMPLATE                    the partial that shows the table, see below
context(seen, people, entries, worth, changed)
                            the context of TEMPLATE, from an Observation (never a state) and the log; `worth`
                            is each seat's worth by turn, for a finished game; `changed`, for past positions,
                            are the squares that the last entry changed: the board marks these and no others
log_context(rules, people, entries)
                            the context of the page with the whole log
turns(entries, people, rules)
                            the log by turn, latest first, as `Turn` values
drawing(seen, people)       a position in plain text
read_move(data)             the notation of the move in a posted form
confirmation_question(data, rules, every)
                            the question asked of members who confirm their moves: with `every` for each move,
                            else for some; "" for none
refusal(error, rules)       a sentence for IllegalMove and InvalidMove
why_forced(move, rules)     a sentence on why a move, given by its notation, was the only legal one
sentence(event, people, rules), sentences(events, people, rules)
                            events in words, for log, mail and screen reader
headline(seen, people)      the decision to be made and its player, or the winner
your_turn(kind), waiting_for(kind, who)
                            the same from a game's columns, without its position
mail_subject_question(seen) the observer's decision, short enough for a subject
mail_context(seen, people, entries), LETTER_TEMPLATE
                            context and templates of the table in mails, without any hand; the entries are
                            those since the reader's last move
advice(seen, people, level, estimates)
                            a bot's advice on the observer's decision, as an `Advice`
in_words(seen, people, moves)
                            moves of the observer, each worded as on its button
presets(), preset_name(name), option_names(), option_values()
                            presets and rule options in words
deal_context(rules, names, seed)
                            the deal of a finished game, repeated from its seed
RULES_TEMPLATE, rules_page()
                            template and context of the page that teaches the game
PRESET_TEMPLATE, preset_page(name)
                            template and context of the page of a preset
STYLESHEET                  the style sheet of the table, "" without one of its own
RECENT_TURNS                how many turns the table shows
name(), pitch()             the name of the game, and a line about it
designer(), credit(), about()
                            credits: a name, the line for every page, and paragraphs
places(seen, people)        rank, seat and points if the game ended now, the winner first; none while they are
                            hidden, and for a finished game without a result
amount(points)              points, short enough for a chart
breakdowns(seen, names, entries)
                            how the final points of each seat came about, as `ScoreBreakdown` values
phrase(move, rules)         a move in words, to continue a sentence
luck()                      a sentence on the luck in the game; "" without any
board_picture(seen)         the board as a `BoardPicture`
score(points), score_name() the points that `standings` gives each seat in words, and their column heading
feat(kind, number)          the title of a record and its mark
ahead(points)               an average lead, or deficit, in words
opening_title(), opening(key, rules)
                            the heading of the statistics by opening, and one opening in words
options_title()             the heading of the rule options of a new game
chance()                    a paragraph on what the seed decides
unseen()                    a sentence on what an exploration deals anew, "" if nothing is hidden

and, for a system with standing orders (games.engine.standing_orders):

ORDER_FORM                  the template of the form's fields
order_form(rules, data), read_order(data), order_fields(order)
                            the context of ORDER_FORM, the order in a posted form as plain values, and the
                            form's values for an order
order_sentence(order, rules), order_previews(order, seen)
                            an order in words, and what it would do now
order_refusal(error), why_asked(ask, rules)
                            sentences for InvalidOrder and for an order's OwnerMustDecide

and, for a system with planned turns (games.engine.planned_turns):

read_plan(data)             the plan in a posted form, as plain values
question_of_turn(data, rules)
                            the question asked of members who confirm their moves, for a whole turn
why_not(reason, rules)      sentences for InvalidPlan and for a plan's OwnerMustDecide
context(…, planned)         takes the reader's own plan, a `PlanView`, as well

`people` is made by `people(persons, reader)`. `entries` are `LogEntryView` values, oldest first: the latest
of the log, or all of them once the game is over.

Further context of the templates:

every page      `waiting_count`, the number of games in which it is the reader's turn (context processor)
TEMPLATE        `context(…)` and:
                `game`, `version` (the number of its log entries);
                `move_url` (target of the decision's form), `log_url`, `deal_url`, `report_url`, `rules_url`
                (the rules of this game), `story_url` (the game review);
                `deadline` (a datetime or None), `stopped` (whether the clock stands still);
                `others_wait` (whether it is the reader's turn in another game);
                `again_url` (where to ask for a rematch);
                `rating_changes`, for games/ratings/_rating_changes.html;
                `plan_url` and `turn_url` (targets of the forms for a planned turn and a whole turn);
                `problem` and `notice` (sentences); `rests`, a sentence on a moderator's pause;
                `oob` when the partial is swapped in;
                `proposed` and `ending_url`, the end proposal and where the reader can end the game;
                `back`, the reader's possible takebacks, for _takeback.html;
                `explore_url`, where the reader may explore, and `exploring` in an exploration;
                `advice`, if a bot may be asked, for games/analysis/_advice.html;
                `orders`, if the reader can give standing orders, for games/play/_orders.html;
                `cover`, which hides the hands of a practice table, for games/play/_hand_cover.html and
                games/play/_pass_device.html;
                `absences`, seats whose players are away, for games/play/_absences.html;
                `past` for a past position, where nobody can move;
                `log_of`, the game to whose positions the log entries link
games/play/game.html the same and `table_template`, `table_url`, `live_url` (the socket's path), `title`
games/play/log.html  `log_context(…)`, `title`, `game_url`
games/play/deal.html `title`, `game_url`, `commitment`; once the game is over also `seed` (hexadecimal),
                `deal_context(…)` and `verify_command`, if there is one
games/lobby/home.html `starts`, one for each game that may be played here; lists of `Card` values
rules pages     `rules_page()`, `preset_page(name)`; `others`, the other games with rules to read

URLs are reversed by the names `home`, `play-now`, `rules` and `preset` (with the name of a preset, or of a
system for the page that teaches it), `about` (with the name of a system).
"""

from types import ModuleType
from typing import Final

from games.web.presenters.acquire import presenter as acquire
from games.web.presenters.acquisition import presenter as acquisition

PRESENTERS: Final[dict[str, ModuleType]] = {"acquire": acquire, "acquisition": acquisition}
