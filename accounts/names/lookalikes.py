"""Look-alike names and reserved names."""

import re
from typing import Any

from django.db import models

# Characters that are confused in most typefaces. Wide ones are spelt out, so that "vw" and "wv" give the same
# skeleton.
_LOOKS_LIKE = str.maketrans(
    {"0": "o", "1": "l", "i": "l", "2": "z", "5": "s", "8": "b", "m": "rn", "w": "vv", "_": "-"}
)

# Separates a skeleton from the number of an older account that shares it.
_SEPARATORS = " "


def skeleton(name: str) -> str:
    """Return the name with confusable characters unified; names with equal skeletons look alike.

    Ignores case, and the number of dashes and underscores in a row or at an end.
    """
    folded = re.sub(r"-+", "-", name.lower().translate(_LOOKS_LIKE))
    return folded.strip("-") or folded


def unique_skeleton(bare: str, number: int | str = "") -> str:
    """Return a skeleton for an account whose skeleton `number - 1` older ones have; no name maps to it.

    Without a number, the prefix that all of these share.
    """
    return f"{bare}{_SEPARATORS}{number}"


class SkeletonField(models.CharField):
    """The skeleton of `username`, updated whenever the row is saved."""

    def pre_save(self, user: Any, add: bool) -> str:
        kept, bare = getattr(user, self.attname), skeleton(user.username)
        # Keep the number of an account that shares its skeleton with an older one.
        if re.sub(rf"{_SEPARATORS}\d+\Z", "", kept) != bare:
            setattr(user, self.attname, bare)
        return getattr(user, self.attname)


_kept_back = {
    skeleton(name)
    for name in (
        *("acquire", "admin", "administrator", "bot", "computer", "everybody", "former", "guest", "host"),
        *("moderator", "nobody", "operator", "player", "root", "staff", "support", "system", "you"),
    )
}

# Names of guests and deleted accounts; see accounts.membership.
_GUEST = skeleton("guest") + "-"
# Ending of the names of bot accounts, which nobody else may use.
PROGRAM_ENDING = "-bot"
_PROGRAM = f"-{skeleton('bot')}"
_FORMER = (skeleton("formerguest"), skeleton("formerplayer"))


def reserve(*names: str) -> None:
    """Reserve these names and those that look like them."""
    _kept_back.update(map(skeleton, names))


def is_bot_name(name: str) -> bool:
    """Return whether a bot account may have this name."""
    return skeleton(name).endswith(_PROGRAM)


def without_ending(name: str) -> str:
    """The name of a bot account without the ending."""
    return name[: -len(PROGRAM_ENDING)]


def is_reserved(name: str) -> bool:
    """Return whether the name, or one that looks like it, is reserved for the site."""
    bare = skeleton(name)
    return bare in _kept_back or is_guest_name(name) or bare.replace("-", "").startswith(_FORMER)


def is_guest_name(name: str) -> bool:
    """Return whether the name is that of a guest."""
    return skeleton(name).startswith(_GUEST)
