"""Sets of rules for people, whatever the rule system."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Preset:
    """A preset for people: the name in addresses, its title, what it is in a line, and whom it is owed to."""

    name: str
    title: str
    line: str
    credit: str
