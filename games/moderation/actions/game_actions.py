"""The registry of staff actions on games.

They use the same locks and log as play. None of them reveals hands, bag or seed of a running game.
"""

from typing import Final

from accounts.moderation.staff_actions import Action
from games.moderation.actions.chat_actions import HIDE_LINE, LOCK_TALK, SHOW_LINE, UNLOCK_TALK
from games.moderation.actions.deadline_actions import MORE_TIME
from games.moderation.actions.deletion_actions import DELETE, RESTORE
from games.moderation.actions.ending_actions import CANCEL, END_WITH_STANDINGS, END_WITHOUT_RESULT
from games.moderation.actions.listing_actions import LIST, MAKE_UNRATED, UNLIST
from games.moderation.actions.pause_actions import PAUSE, RESUME
from games.moderation.actions.retry_actions import RUN_COMPUTER, SEND_AGAIN
from games.moderation.actions.rollback_action import ROLL_BACK
from games.moderation.actions.seat_actions import REPLACE_BY_COMPUTER, REPLACE_BY_MEMBER

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
