"""All that changes a game. Views, tasks and commands come in here and nowhere else."""

from .absence import vote_of, vote_on_absent, voters
from .advising import Advice, advice, advise, ask_advice, reason_against_advice
from .again import same_again
from .assessing import ask_for_stories, assess
from .blocking import block, unblock, waiting_together
from .choices import remember_choices
from .closing import CLOSE_AFTER, WARN_AFTER, close_stale, warn_of_closing
from .computers import decide_overdue, play_computer
from .conceding import concede, ends_the_game
from .devices import Opened, reason_against_acting, seat_of
from .exploring import (
    deal_anew,
    explore,
    go_back,
    let_computers_answer,
    may_be_explored,
    stop_exploring,
    try_move,
)
from .failures import note_lost as note_lost_worker
from .finished_game import begin_report
from .handling import held_until, may_handle
from .importing import (
    MOST_IMPORTED,
    forget_imported,
    import_game,
)
from .inviting import decline, invite, invite_address
from .joining import join, kick, leave, reason_against
from .limits import check_new_games
from .noting import write_note
from .ordering import give_order, withdraw_order
from .outages import beat, extend, stands_still
from .overrunning import settle_overdue
from .pausing import pause, resume, to_pause, to_resume
from .planning import keep_plan, play_turn, withdraw_plan
from .playing import play_move
from .practice import end_practice, start_practice
from .proposals import ENDINGS, Proposal, proposal, voices
from .rating import count_results, read_anew, recount, results_are_due
from .replacing import come_back, reason_against_taking_over, seats_to_take_over, take_over
from .report_actions import REPORT_ACTIONS, came_of_it
from .reporting import report, report_game, report_person
from .seating import give_up_seats, hand_over_seats
from .starting import Named, create_game, start_by_host, start_game
from .taking_back import goals, take_back
from .talking import mute, say, unmute
from .terms import Terms
from .vacations import come_home, go_away, stop_and_go
from .visiting import has_moved, has_read, look_at
from .voting import propose, vote, was_refused_lately

__all__ = [
    "CLOSE_AFTER",
    "ENDINGS",
    "MOST_IMPORTED",
    "REPORT_ACTIONS",
    "WARN_AFTER",
    "Advice",
    "Named",
    "Opened",
    "Proposal",
    "Terms",
    "advice",
    "advise",
    "ask_advice",
    "ask_for_stories",
    "assess",
    "beat",
    "begin_report",
    "block",
    "came_of_it",
    "check_new_games",
    "close_stale",
    "come_back",
    "come_home",
    "concede",
    "count_results",
    "create_game",
    "deal_anew",
    "decide_overdue",
    "decline",
    "end_practice",
    "ends_the_game",
    "explore",
    "extend",
    "forget_imported",
    "give_order",
    "give_up_seats",
    "go_away",
    "go_back",
    "goals",
    "hand_over_seats",
    "has_moved",
    "has_read",
    "held_until",
    "import_game",
    "invite",
    "invite_address",
    "join",
    "keep_plan",
    "kick",
    "leave",
    "let_computers_answer",
    "look_at",
    "may_be_explored",
    "may_handle",
    "mute",
    "note_lost_worker",
    "pause",
    "play_computer",
    "play_move",
    "play_turn",
    "proposal",
    "propose",
    "read_anew",
    "reason_against",
    "reason_against_acting",
    "reason_against_advice",
    "reason_against_taking_over",
    "recount",
    "remember_choices",
    "report",
    "report_game",
    "report_person",
    "results_are_due",
    "resume",
    "same_again",
    "say",
    "seat_of",
    "seats_to_take_over",
    "settle_overdue",
    "stands_still",
    "start_by_host",
    "start_game",
    "start_practice",
    "stop_and_go",
    "stop_exploring",
    "take_back",
    "take_over",
    "to_pause",
    "to_resume",
    "try_move",
    "unblock",
    "unmute",
    "voices",
    "vote",
    "vote_of",
    "vote_on_absent",
    "voters",
    "waiting_together",
    "warn_of_closing",
    "was_refused_lately",
    "withdraw_order",
    "withdraw_plan",
    "write_note",
]
