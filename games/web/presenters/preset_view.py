"""Presets as shown to people."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Preset:
    """A preset: its name in URLs, its title, a line about it, and a line of credit."""

    name: str
    title: str
    line: str
    credit: str
