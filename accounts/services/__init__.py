"""What is done to accounts besides what allauth's pages do."""

from .data import everything_about
from .guests import TooManyGuests, create_guest
from .leaving import LastAdministrator, anonymise_idle_guests, delete_account
from .naming import check_name, rename
from .programs import MOST_PROGRAMS, describe_program, register_program, take_down
from .sanctions import NoAppeal, appeal, impose, lift, open_appeals, read_warning, reply, tell_of_ends
from .sessions import end_sessions
from .switches import RegistrationClosed
from .tidying import tidy, tidy_once_a_day
from .tokens import MOST_TOKENS, NoToken, make_token, revoke_token

__all__ = [
    "MOST_PROGRAMS",
    "MOST_TOKENS",
    "LastAdministrator",
    "NoAppeal",
    "NoToken",
    "RegistrationClosed",
    "TooManyGuests",
    "anonymise_idle_guests",
    "appeal",
    "check_name",
    "create_guest",
    "delete_account",
    "describe_program",
    "end_sessions",
    "everything_about",
    "impose",
    "lift",
    "make_token",
    "open_appeals",
    "read_warning",
    "register_program",
    "rename",
    "reply",
    "revoke_token",
    "take_down",
    "tell_of_ends",
    "tidy",
    "tidy_once_a_day",
]
