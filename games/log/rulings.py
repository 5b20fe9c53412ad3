"""Rulings: log entries outside the rules, and their notation."""

import re
from dataclasses import dataclass
from typing import Final

# The notation of each kind. {number} is a seat, or for "back" and "rolls" the entry to whose position
# the game returns; {what} is the notation of another ruling; {name} tells the two holders of a seat.
RULING_KINDS: Final = {
    "back": "back to {number}",
    "concede": "concede {number}",
    "takes": "computer takes {number}",
    "keeps": "computer keeps {number}",
    "returns": "{number} is back",
    "adopts": "seat {number} to {name}",
    "standings": "end with standings",
    "none": "end without result",
    "grace": "grace {number}",
    "halt": "halt",
    "goes on": "go on",
    "question": "vote on {what}",
    "extends": "more time for {number}",
    "pause": "pause",
    "resume": "resume",
    "proposes": "{number} proposes {what}",
    "agrees": "{number} agrees to {what}",
    "refuses": "{number} refuses {what}",
    "withdraws": "{number} withdraws {what}",
    # Rulings of moderators.
    "holds": "moderator pauses",
    "releases": "moderator resumes",
    "rolls": "moderator goes back to {number}",
    "lengthens": "moderator gives {number} more time",
    "lengthens all": "moderator gives more time",
    "stands in": "moderator lets a computer play {number}",
    "appoints": "moderator gives seat {number} to {name}",
    "ends": "moderator ends with standings",
    "voids": "moderator ends without result",
    "unrates": "moderator makes unrated",
    "deletes": "moderator deletes",
    "restores": "moderator restores",
}

_PATTERNS: Final = {
    kind: re.compile(
        re.escape(text)
        .replace(r"\{number\}", r"(?P<number>0|[1-9]\d{0,8})")
        .replace(r"\{name\}", r"(?P<name>.+)")
        .replace(r"\{what\}", r"(?P<what>.+)"),
        re.ASCII,
    )
    for kind, text in RULING_KINDS.items()
}


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling: its kind (of RULING_KINDS) and what the notation of that kind names.

    The name in "adopts" and "appoints" tells the new and the former holder (see `handover_ruling`).
    """

    kind: str
    number: int = 0
    name: str = ""
    what: str = ""

    def __str__(self) -> str:
        return RULING_KINDS[self.kind].format(number=self.number, name=self.name, what=self.what)


def handover_ruling(number: int, to: int | str, before: int | str, kind: str = "adopts") -> Ruling:
    """The ruling that hands over a seat; people are given by key, bots by nickname.

    It is "adopts" when a member takes over the seat, and "appoints" when a moderator gives it to somebody.
    """
    return Ruling(kind, number, f"{to} from {before}")


def previous_holder(ruling: Ruling) -> int | str | None:
    """The former holder of the seat that a ruling hands over; None if an old log does not tell."""
    _to, _from, before = ruling.name.partition(" from ")
    return int(before) if before.isascii() and before.isdigit() else before or None


def parse_ruling(text: str) -> Ruling:
    """Return the ruling of a text in the notation of the log; raise ValueError if it is none."""
    for kind, pattern in _PATTERNS.items():
        if found := pattern.fullmatch(text):
            facts = found.groupdict()
            number, name, what = facts.get("number", 0), facts.get("name", ""), facts.get("what", "")
            return Ruling(kind, int(number), name, what)
    raise ValueError(f"There is no ruling {text!r}.")
