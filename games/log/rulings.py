"""Rulings: log entries outside the rules, and their notation."""

import re
from dataclasses import dataclass
from typing import Any, Final

# The notation of each kind. {number} is a seat, or for the kinds in GOES_BACK the entry to whose position the
# game returns; {what} is the notation of another ruling; {name} tells the two holders of a seat, or a pace;
# {seed_hash} is that of the seed from which the hidden tiles are dealt again.
RULING_KINDS: Final = {
    "back": "back to {number}",
    "concede": "concede {number}",
    "takes": "computer takes {number}",
    "keeps": "computer keeps {number}",
    "leaves": "{number} is away",
    "returns": "{number} is back",
    "adopts": "seat {number} to {name}",
    "standings": "end with standings",
    "none": "end without result",
    "unrated": "end unrated",
    "grace": "grace {number}",
    "halt": "halt",
    "goes on": "go on",
    "paces": "pace {name}",
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
    "redeals": "moderator goes back to {number} and deals again by {seed_hash}",
    "reopens": "moderator reopens at {number}",
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

# Kinds that return to an earlier position.
GOES_BACK: Final = frozenset(("back", "rolls", "redeals", "reopens"))

# Kinds that can let a game go on after its end. "redeals" also goes back behind another redeal.
REOPENS: Final = frozenset(("redeals", "reopens"))

# Kinds that may follow the end of a game, which stays over.
AFTER_END: Final = frozenset(("unrates", "deletes", "restores"))

_PATTERNS: Final = {
    kind: re.compile(
        re.escape(text)
        .replace(r"\{number\}", r"(?P<number>0|[1-9]\d{0,8})")
        .replace(r"\{name\}", r"(?P<name>.+)")
        .replace(r"\{what\}", r"(?P<what>.+)")
        .replace(r"\{seed_hash\}", r"(?P<seed_hash>[0-9a-f]{64})"),
        re.ASCII,
    )
    for kind, text in RULING_KINDS.items()
}


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling: its kind (of RULING_KINDS) and what the notation of that kind names.

    The name in "adopts" and "appoints" tells the new and the former holder (see `handover_ruling`), that in
    "paces" is one of PACES (see `games.log.pace_proposals`).
    """

    kind: str
    number: int = 0
    name: str = ""
    what: str = ""
    seed_hash: str = ""

    def __str__(self) -> str:
        return RULING_KINDS[self.kind].format(
            number=self.number, name=self.name, what=self.what, seed_hash=self.seed_hash
        )


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
            facts: dict[str, Any] = found.groupdict()
            facts["number"] = int(facts.get("number", 0))
            return Ruling(kind, **facts)
    raise ValueError(f"There is no ruling {text!r}.")
