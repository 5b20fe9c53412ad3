"""Options of Acquire: every difference between two games is one field of `Rules`."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal, get_args, get_type_hints

from games.engine.rules.acquire.chains import price_table


@dataclass(frozen=True, slots=True)
class Rules:
    """The options of one game; the defaults are those of the Avalon Hill rule book.

    Stored games name only the options that differ from the defaults, so fields may be
    added but a default must never change.
    """

    tiers: Literal["2008", "1962"] = "2008"
    starting_tiles: bool = True
    seating: Literal["dealt", "joining"] = "dealt"
    rounding: Literal["up100", "nearest1"] = "up100"
    payout: Literal["two", "four"] = "two"
    eighth_chain: Literal["blocked", "place"] = "blocked"
    safe_merger: bool = True
    dead_tiles: Literal["stay", "replace"] = "stay"
    redraw_hand: bool = True
    disposal: Literal["all", "hold"] = "all"
    holdings: Literal["open", "hidden"] = "open"
    teams: Literal["none", "two", "three"] = "none"
    prices: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, values in OPTIONS.items():
            value = getattr(self, name)
            if type(value) is not type(values[0]) or value not in values:
                raise ValueError(f"{name} is one of {', '.join(map(str, values))}, not {value!r}.")
        object.__setattr__(self, "prices", price_table(self.tiers))


def _values(hint: Any) -> tuple[Any, ...]:
    return (True, False) if hint is bool else get_args(hint)


OPTIONS: Final[dict[str, tuple[Any, ...]]] = {
    name: _values(hint) for name, hint in get_type_hints(Rules).items() if name != "prices"
}

PRESETS: Final = {
    "avalon-hill": Rules(),
    "classic": Rules(tiers="1962"),
    "quick-reference": Rules(dead_tiles="replace", redraw_hand=False),
    "course": Rules(
        starting_tiles=False,
        seating="joining",
        rounding="nearest1",
        eighth_chain="place",
        safe_merger=False,
        redraw_hand=False,
        disposal="hold",
    ),
}


def to_options(rules: Rules) -> dict[str, Any]:
    """The options that differ from the rule book's, by name."""
    return {
        option.name: getattr(rules, option.name)
        for option in fields(Rules)
        if option.init and getattr(rules, option.name) != option.default
    }


def from_options(options: Mapping[str, Any]) -> Rules:
    """The rules with these options, and the rule book's for the rest.

    Raises ValueError, with a sentence, for an unknown option or value.
    """
    for name in options:
        if name not in OPTIONS:
            raise ValueError(f"There is no option {name!r}; the options are {', '.join(OPTIONS)}.")
    return Rules(**options)
