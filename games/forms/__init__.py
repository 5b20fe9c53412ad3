"""What people fill in."""

from .lobby import FilterForm, InviteForm, KickForm
from .new_game import NewGameForm
from .playing import SYSTEM, PlayNowForm, characters

__all__ = ["SYSTEM", "FilterForm", "InviteForm", "KickForm", "NewGameForm", "PlayNowForm", "characters"]
