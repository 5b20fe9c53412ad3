"""Notifications on their way: claimed, looked at once more, settled.

A row is claimed by moving `due` a little ahead, if it is still what it was; so of many workers one gets it,
and a worker that dies leaves it due again. What is sent keeps its Message-ID whatever happens.
"""

from .claiming import CLAIM, Claim, claim_letter, claim_message
from .looking import LONGEST_LOOK, MOST_MAILS_A_DAY
from .rows import BACK_OFF, dropped, oldest_due, once_more, waiting
from .settling import (
    MOST_FAILURES,
    failed,
    handed_over,
    not_needed,
    note_trial,
    put_off,
    refused,
    stop_endpoint,
    stop_mail,
)

__all__ = [
    "BACK_OFF",
    "CLAIM",
    "LONGEST_LOOK",
    "MOST_FAILURES",
    "MOST_MAILS_A_DAY",
    "Claim",
    "claim_letter",
    "claim_message",
    "dropped",
    "failed",
    "handed_over",
    "not_needed",
    "note_trial",
    "oldest_due",
    "once_more",
    "put_off",
    "refused",
    "stop_endpoint",
    "stop_mail",
    "waiting",
]
