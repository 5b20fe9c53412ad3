"""What is done to accounts besides what allauth's pages do."""

from .data import everything_about
from .guests import TooManyGuests, create_guest
from .leaving import LastAdministrator, anonymise_idle_guests, delete_account
from .naming import check_name, rename
from .sanctions import NoAppeal, appeal, impose, lift, open_appeals, read_warning, reply, tell_of_ends
from .sessions import end_sessions
from .switches import RegistrationClosed
from .tidying import tidy, tidy_once_a_day

__all__ = [
    "LastAdministrator",
    "NoAppeal",
    "RegistrationClosed",
    "TooManyGuests",
    "anonymise_idle_guests",
    "appeal",
    "check_name",
    "create_guest",
    "delete_account",
    "end_sessions",
    "everything_about",
    "impose",
    "lift",
    "open_appeals",
    "read_warning",
    "rename",
    "reply",
    "tell_of_ends",
    "tidy",
    "tidy_once_a_day",
]
