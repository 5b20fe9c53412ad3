"""What is done to accounts besides what allauth's pages do."""

from .data import everything_about
from .guests import TooManyGuests, create_guest
from .leaving import LastAdministrator, anonymise_idle_guests, delete_account
from .naming import check_name, rename
from .tidying import tidy, tidy_once_a_day

__all__ = [
    "LastAdministrator",
    "TooManyGuests",
    "anonymise_idle_guests",
    "check_name",
    "create_guest",
    "delete_account",
    "everything_about",
    "rename",
    "tidy",
    "tidy_once_a_day",
]
