"""A composed account mail, or why there is none."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Letter:
    """A plain text mail to one address."""

    address: str
    subject: str
    text: str


class NotWanted(Exception):
    """The mail is not wanted any more; its text says why, for operators."""
