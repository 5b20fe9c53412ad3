"""All that changes a game. Views, tasks and commands come in here and nowhere else."""

from .again import same_again
from .choices import remember_choices
from .closing import CLOSE_AFTER, WARN_AFTER, close_stale, warn_of_closing
from .computers import decide_overdue, play_computer
from .errors import (
    AccountClosed,
    Declined,
    Full,
    Gone,
    GuestsPlayComputers,
    Kicked,
    LeftTooOften,
    NoLink,
    NotHost,
    NotInvited,
    NotOpen,
    NotOver,
    NotOverdue,
    NotSeated,
    NotYourSeat,
    OtherDecision,
    Refused,
    SeatedAlready,
    Stale,
    TooFew,
    TooManyGames,
    TooManyInvitations,
)
from .inviting import decline, invite, invite_address
from .joining import join, kick, leave, reason_against
from .playing import play_move
from .seating import hand_over_seats
from .starting import create_game, start_by_host, start_game
from .terms import Terms

__all__ = [
    "CLOSE_AFTER",
    "WARN_AFTER",
    "AccountClosed",
    "Declined",
    "Full",
    "Gone",
    "GuestsPlayComputers",
    "Kicked",
    "LeftTooOften",
    "NoLink",
    "NotHost",
    "NotInvited",
    "NotOpen",
    "NotOver",
    "NotOverdue",
    "NotSeated",
    "NotYourSeat",
    "OtherDecision",
    "Refused",
    "SeatedAlready",
    "Stale",
    "Terms",
    "TooFew",
    "TooManyGames",
    "TooManyInvitations",
    "close_stale",
    "create_game",
    "decide_overdue",
    "decline",
    "hand_over_seats",
    "invite",
    "invite_address",
    "join",
    "kick",
    "leave",
    "play_computer",
    "play_move",
    "reason_against",
    "remember_choices",
    "same_again",
    "start_by_host",
    "start_game",
    "warn_of_closing",
]
