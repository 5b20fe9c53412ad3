"""Conversion of posted forms to plans as plain values."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

# The purchases of a plan, in order of preference, and their shares: the fields are buy1a, buy1b, buy1c,
# buy2a, …
WISHES: Final = range(1, 4)
SHARES: Final = "abc"
NOTHING: Final = "nothing"


def read_plan(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the plan in a posted form as plain values; the engine checks them."""
    return {
        "tile": str(data.get("tile", "")),
        "board": str(data.get("board", "")) if data.get("unchanged") else "",
        "answers": {
            "found": _chosen("found", data, "found", "found2"),
            "survivor": _chosen("survivor", data, "survivor"),
            "next": _chosen("next", data, "next"),
            "buy": _wishes(data),
        },
        "end": bool(data.get("end")),
    }


def _chosen(kind: str, data: Mapping[str, Any], *fields: str) -> list[str]:
    names = dict.fromkeys(str(data.get(field, "")) for field in fields)
    return [f"{kind} {name}" for name in names if name]


def _wishes(data: Mapping[str, Any]) -> list[str]:
    wishes = []
    for number in WISHES:
        shares = Counter(str(data.get(f"buy{number}{letter}", "")) for letter in SHARES)
        del shares[""]
        if shares:
            wishes.append(f"buy {' '.join(f'{count} {name}' for name, count in shares.items())}")
    if data.get("otherwise") == NOTHING:
        wishes.append(f"buy {NOTHING}")
    return list(dict.fromkeys(wishes))
