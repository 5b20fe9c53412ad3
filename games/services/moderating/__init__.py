"""What moderators can do to a game, each through the same lock and log as play. `carry_out` does it.

Hands, bag and seed of a game that runs are shown to nobody by any of it.
"""

from typing import Final

from accounts.services.actions import Action

from .asking_again import RUN_COMPUTER, SEND_AGAIN
from .deadlines import MORE_TIME
from .deleting import DELETE, RESTORE
from .endings import CANCEL, END_WITH_STANDINGS, END_WITHOUT_RESULT
from .lists import LIST, MAKE_UNRATED, UNLIST
from .locking import bars
from .pauses import PAUSE, RESUME
from .rolling_back import ROLL_BACK
from .seats import REPLACE_BY_COMPUTER, REPLACE_BY_MEMBER
from .talk import HIDE_LINE, LOCK_TALK, SHOW_LINE, UNLOCK_TALK

__all__ = ["GAME_ACTIONS", "bars"]

GAME_ACTIONS: Final[dict[str, Action]] = {
    action.name: action
    for action in (
        PAUSE,
        RESUME,
        MORE_TIME,
        ROLL_BACK,
        REPLACE_BY_COMPUTER,
        REPLACE_BY_MEMBER,
        RUN_COMPUTER,
        SEND_AGAIN,
        END_WITH_STANDINGS,
        END_WITHOUT_RESULT,
        CANCEL,
        HIDE_LINE,
        SHOW_LINE,
        LOCK_TALK,
        UNLOCK_TALK,
        UNLIST,
        LIST,
        MAKE_UNRATED,
        DELETE,
        RESTORE,
    )
}
