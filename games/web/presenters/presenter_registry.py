"""Registry of presenters, with the contract between presenters, views and templates.

A presenter is the module `presenter` of a rule system's package. It offers, besides its templates:

TEMPLATE                    the partial that shows the table, see below
BOARD_TEMPLATE              its board alone, with the same context
HOLDINGS_TEMPLATE           what everybody has, with the same context
context(seen, people, entries, worth, changed)
                            the context of TEMPLATE, from an Observation (never a state) and the log; `worth`
                            is each seat's worth by turn, for a finished game; `changed`, for past positions,
                            are the squares that the last entry changed: the board marks these and no others
log_context(rules, people, entries)
                            the context of the page with the whole log
turns(entries, people, rules)
                            the log by turn, latest first, as `Turn` values
highlights(events)          those of the events that a replay tells besides the first paragraph of their turn
news(events)                those of the events that a reader who was away is told of
gains(events)               what seats received, in words, for a replay to show beside their scores
drawing(seen, people)       a position in plain text
read_move(data)             the notation of the move in a posted form
kept(form, posted)          the decision's form with what was posted to it, after a refusal
confirmation_question(data, rules, placing, every)
                            the question that asks to confirm a move: with `every` for each move, with
                            `placing` for placing, else for few; "" for none
refusal(error, rules)       a sentence for IllegalMove and InvalidMove
why_forced(move, rules, who)
                            a sentence that begins with `who` and says why a move, given by its notation, was
                            the only legal one
sentence(event, people, rules), sentences(events, people, rules)
                            events in words, for log, mail and screen reader
headline(seen, people)      the decision to be made and its player, or the winner
result(seen, people)        the end of a game: the reader's own place, for others the winner
your_turn(kind), waiting_for(kind, who)
                            the same from a game's columns, without its position
deed(kind)                  the decision as on a button that leads to it
mail_subject_question(seen) the observer's decision, short enough for a subject
mail_context(seen, people, entries), LETTER_TEMPLATE
                            context and templates of the table in mails, without any hand; the entries are
                            those since the reader's last move
advice(seen, people, level, estimates)
                            a bot's advice on the observer's decision, as an `Advice`
in_words(seen, people, moves)
                            moves of the observer, each worded as on its button
choice_facts(seen, people, moves), choice_squares(seen, moves)
                            what the observer must know to choose among these moves, in sentences, and the
                            squares of tiles to choose from, for a board without its table
presets(), preset_name(name), option_names(), option_values()
                            presets and rule options in words
deal_context(rules, names, seed)
                            the deal of a finished game, repeated from its seed
RULES_TEMPLATE, rules_page()
                            template and context of the page that teaches the game
PRESET_TEMPLATE, preset_page(name)
                            template and context of the page of a preset
game_rules(rules)           context of the page of a game's rules besides its options; `chart_template` shows
                            its prices, if it has any
STYLESHEET                  the style sheet of the table, "" without one of its own
RECENT_TURNS                how many turns the table shows
name(), pitch()             the name of the game, and a line about it
introduction()              the game in one sentence, for people who do not know it
designer(), credit(), about()
                            credits: a name, the line for every page, and paragraphs
places(seen, people)        rank, seat and points if the game ended now, the winner first; none while they are
                            hidden, and for a finished game without a result
amount(points)              points, short enough for a chart
breakdowns(seen, names, entries)
                            how the final points of each seat came about, as `ScoreBreakdown` values
was_made(move, rules, name), would_be_made(move, rules, level)
                            a move that was made, as HTML, and the one that a level prefers, in sentences
luck()                      a sentence on the luck in the game; "" without any
better_move(seen, move)     a drawing for the board of what a better move was about, `seen` being what its
                            player saw before it; for game reviews
mini_board(seen, entries)   the board as a small SVG without letters, with a ring round the tile placed last
                            in these entries, for pages with the site's style sheets
board_picture(seen), sample_picture()
                            the board as a `BoardPicture`, and one for people who do not know the game
score(points), score_name() the points that `standings` gives each seat in words, and their column heading
feat(kind, number)          the title of a record and its mark
ahead(points)               an average lead, or deficit, in words
theme_names(), tier_names(), money_source_names()
                            the names of THEMES, tiers and MONEY_SOURCES of the rule system, in their order
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

and, for a system with lessons (games.lessons):

LESSON_TEMPLATE             the partial that shows a step: board, what is asked, and the form
lesson_marks(spot, move)    its context: the square that it points at
filled(form, move)          the decision's form with this move filled in
coach_mark(name, seen)      a coach mark on the observer's decision, in a sentence or two
how_it_works()              the game in three pictures, as `Explanation` values

`people` is made by `people(persons, reader)`. `entries` are `LogEntryView` values, oldest first: the latest
of the log, or all of them once the game is over.

Further context of the templates:

every page      `waiting_count`, the number of games in which it is the reader's turn (context processor)
TEMPLATE        `context(…)` and:
                `game`, `version` (the number of its log entries);
                `move_url` (target of the decision's form), `log_url`, `deal_url`, `report_url`, `rules_url`
                (the rules of this game), `story_url` (the game review);
                `deadline` (a datetime or None), `stopped` (whether the clock stands still), `clock`
                (a `ClockBar`, None while no clock runs); `live` (the `LiveClock` of a live game that runs);
                `here` (the seats whose players see its table);
                `others_waiting`, the number of other games in which it is the reader's turn;
                `again_url` (where to ask for a rematch);
                `rating_changes`, for games/ratings/_rating_changes.html;
                `share_url` (the address that a player of a finished game may pass on);
                `plan_url` and `turn_url` (targets of the forms for a planned turn and a whole turn);
                `problem` and `notice` (sentences); `rests`, a sentence on a moderator's pause;
                `proposed` and `ending_url`, the end proposal and where the reader can end the game;
                `pace_proposed` and `pace_url`, the same for another pace;
                `back`, the reader's possible takebacks, for _takeback.html;
                `explore_url`, where the reader may explore, and `exploring` in an exploration;
                `in_lesson` in a lesson, which no link may leave;
                `advice`, if a bot may be asked, for games/analysis/_advice.html;
                `coach`, a `CoachMark` on the reader's decision, for games/lessons/_coach_mark.html;
                `orders`, if the reader can give standing orders, for games/play/_orders.html;
                `cover`, which hides the hands of a practice table, for games/play/_hand_cover.html and
                games/play/_pass_device.html, None for other tables; every page must set it;
                `legend`, the template that explains the marks of the board and the keys, if there is one,
                and `legend_title`, the text of its button unless it is "Legend";
                `automatic`, a sentence on what the reader's plan and orders have done since the last visit;
                `absences`, seats whose players are away, for games/play/_absences.html;
                `usual_time`, how long the player to move usually takes, or "";
                `turn_number`, that of the present turn of a running game, and `course`, the `GameCourse` of
                a finished one;
                `past` for a past position, where nobody can move;
                `log_of`, the game to whose positions the log entries link;
                `replay`, for games/play/_replay.html, if the reader has missed moves;
                `away`, a `WhileAway` if others moved while the reader was away, for
                games/play/_while_away.html
games/play/game.html the same and `table_template`, `table_url`, `live_url` (the socket's path), `title`
games/play/log.html  `log_context(…)`, `title`, `game_url`
games/play/deal.html `title`, `game_url`, `commitment`, `redeals`; once the game is over also `seed`
                (hexadecimal), `deal_context(…)` and `verify_command`, if there is one
games/lobby/home.html `starts`, one for each game that may be played here; lists of `Card` values
LESSON_TEMPLATE `context(…)`, `lesson_marks(…)`, `title`, `steps`, `number`, `move_url` and:
                `goal`, `note`, `problem` (a hint after a wrong answer) and `show_url`, which fills in a right
                answer; or once it is solved `is_solved`, `why`, `result` (of a finished game),
                `next_url` with `next_label`, and after the last lesson `first_game`, the fields of the
                form for a game
rules pages     `rules_page()`, `preset_page(name)`; `others`, the other games with rules to read

URLs are reversed by the names `home`, `play-now`, `rules` and `preset` (with the name of a preset, or of a
system for the page that teaches it), `about` (with the name of a system).
"""

from types import ModuleType
from typing import Final

from games.web.presenters.acquire import presenter as acquire
from games.web.presenters.acquisition import presenter as acquisition

# Names of TEMPLATE's context that a page may leave out; they are None then.
OPTIONAL_NAMES: Final = (
    "absences",
    "advice",
    "again_url",
    "all_hands",
    "alone",
    "automatic",
    "back",
    "bag",
    "clock",
    "coach",
    "course",
    "deadline",
    "deal_url",
    "decision",
    "ending_url",
    "ended_by",
    "explore_url",
    "exploring",
    "first_game",
    "game",
    "goal",
    "here",
    "in_lesson",
    "is_solved",
    "late",
    "legend",
    "legend_title",
    "live",
    "log_of",
    "log_url",
    "merger",
    "move_url",
    "next_label",
    "next_url",
    "note",
    "notice",
    "oob",
    "orders",
    "others_waiting",
    "outcomes",
    "pace_proposed",
    "pace_url",
    "past",
    "plan",
    "plan_url",
    "problem",
    "proposed",
    "rating_changes",
    "refusal",
    "replay",
    "report_url",
    "rests",
    "result",
    "roll_back_url",
    "rules_url",
    "share_url",
    "stopped",
    "story_url",
    "task",
    "tiles_left",
    "turn_number",
    "turn_url",
    "usual_time",
    "why",
)

PRESENTERS: Final[dict[str, ModuleType]] = {"acquire": acquire, "acquisition": acquisition}
