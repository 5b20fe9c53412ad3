"""Names: which ones look alike, and which ones nobody may choose."""

import re
from typing import Any

from django.db import models

# Signs that a hurried reader takes for each other, in most type faces. The wide ones are written out,
# so that "vw" and "wv" come out the same.
_LOOKS_LIKE = str.maketrans(
    {"0": "o", "1": "l", "i": "l", "2": "z", "5": "s", "8": "b", "m": "rn", "w": "vv", "_": "-"}
)

# What stands between a skeleton and the number of an older account that had to share it.
_SEPARATORS = " "


def skeleton(name: str) -> str:
    """What is left of a name when look-alikes are made the same: names with one skeleton pass for each other.

    Case does not count, nor does how many dashes and underscores stand in a row or at an end.
    """
    folded = re.sub(r"-+", "-", name.lower().translate(_LOOKS_LIKE))
    return folded.strip("-") or folded


def unique_skeleton(bare: str, number: int | str = "") -> str:
    """The skeleton of an account that has the same one as `number - 1` older ones; no name leads to it.

    Without a number it is what all of these begin with.
    """
    return f"{bare}{_SEPARATORS}{number}"


class SkeletonField(models.CharField):
    """The skeleton of `username`, which follows the name whenever the row is written."""

    def pre_save(self, user: Any, add: bool) -> str:
        kept, bare = getattr(user, self.attname), skeleton(user.username)
        # An account that shares its skeleton with an older one keeps what tells the two apart.
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

# Guests and accounts that were given up are called so; see accounts.membership.
_GUEST = skeleton("guest") + "-"
# Programs of members are called so, and nobody else.
PROGRAM_ENDING = "-bot"
_PROGRAM = f"-{skeleton('bot')}"
_FORMER = (skeleton("formerguest"), skeleton("formerplayer"))


def reserve(*names: str) -> None:
    """From now on nobody can choose these names, or one that looks like them."""
    _kept_back.update(map(skeleton, names))


def is_bot_name(name: str) -> bool:
    """Whether a program of a member may be called so: its name tells what it is."""
    return skeleton(name).endswith(_PROGRAM)


def without_ending(name: str) -> str:
    """The name of a program without what all of them end with."""
    return name[: -len(PROGRAM_ENDING)]


def is_reserved(name: str) -> bool:
    """Whether the name, or one that looks like it, is the site's own."""
    bare = skeleton(name)
    return bare in _kept_back or is_guest_name(name) or bare.replace("-", "").startswith(_FORMER)


def is_guest_name(name: str) -> bool:
    """Whether a guest may be called so."""
    return skeleton(name).startswith(_GUEST)
