"""The texts of the bot levels, listed for `makemessages`.

They come from the engine, which does not know Django, and are translated where they are shown.
"""

from typing import Final

from django.utils.translation import gettext_noop

LEVEL_TEXTS: Final = (
    gettext_noop("Random"),
    gettext_noop("plays any legal move."),
    gettext_noop("Easy"),
    gettext_noop("estimates roughly and makes a careless move now and then."),
    gettext_noop("Medium"),
    gettext_noop("looks one move ahead and picks the best immediate result."),
    gettext_noop("Hard"),
    gettext_noop("plays out its moves 100 times in all and picks the best result."),
    gettext_noop("plays out its best moves for six rounds."),
    gettext_noop("Expert"),
    gettext_noop("plans whole turns, and has learned from thousands of games which positions win."),
    gettext_noop("Master"),
    gettext_noop("plans like Expert, and predicts what the others will buy."),
)
