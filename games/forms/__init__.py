"""What people fill in."""

from .lobby import FilterForm, InviteForm, KickForm
from .new_game import NewGameForm
from .playing import PlayNowForm, characters
from .practice import PracticeForm
from .reporting import ReportForm
from .vacations import VacationForm

__all__ = [
    "FilterForm",
    "InviteForm",
    "KickForm",
    "NewGameForm",
    "PlayNowForm",
    "PracticeForm",
    "ReportForm",
    "VacationForm",
    "characters",
]
