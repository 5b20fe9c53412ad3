"""The people at a table, and their names in sentences."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

COMPUTER = "⚙"


@dataclass(frozen=True, slots=True)
class Person:
    """The occupant of a seat: the name, whether it is a bot, and the bot's level.

    A `program` is a bot account. `replaced` means that a stand-in plays for this person. `conceded` is the
    position among the table's concessions, None without one. `points` is the rating shown in lists, None
    without one. `team` is the number of the team from 0, None for who plays alone.
    """

    name: str
    computer: bool = False
    level: str = ""
    conceded: int | None = None
    replaced: bool = False
    program: bool = False
    points: int | None = None
    team: int | None = None

    def __str__(self) -> str:
        return f"{self.name} {COMPUTER}" if self.is_machine else self.name

    @property
    def is_machine(self) -> bool:
        """Return whether a bot or a bot account sits here."""
        return self.computer or self.program


@dataclass(frozen=True, slots=True)
class TablePeople:
    """Everybody at a table, in the order of the seats, for one reader.

    `reader` is the reader's seat, which sentences call "you" (None without a seat). With `html`, sentences
    are safe HTML with the names in bold, else plain text. `acts_for` is the seat whose decisions the reader
    makes, if it is another one; sentences still use that seat's name.
    """

    persons: tuple[Person, ...]
    reader: int | None = None
    html: bool = False
    acts_for: int | None = None

    def __getitem__(self, seat: int) -> Person:
        return self.persons[seat]

    @property
    def conceded(self) -> dict[int, int]:
        """The seats that conceded, with the order of their concessions."""
        return {
            seat: person.conceded for seat, person in enumerate(self.persons) if person.conceded is not None
        }

    def __len__(self) -> int:
        return len(self.persons)

    def decides(self, seat: int | None) -> bool:
        """Return whether the reader makes this seat's decisions; not while a stand-in plays."""
        mine = self.reader if self.acts_for is None else self.acts_for
        return seat is not None and seat == mine and not self.persons[seat].replaced

    @property
    def is_away(self) -> bool:
        """Return whether a stand-in plays for the reader."""
        return self.reader is not None and self.persons[self.reader].replaced

    def winner(self, seat: int) -> str:
        """The name at the beginning of a sentence on the end, marked if a stand-in has played to it."""
        return self._shown(str(self[seat])) if self[seat].replaced else self.sentence_start(seat)

    def other_winner(self, seat: int) -> str:
        """The same inside a sentence."""
        return self.winner(seat) if self[seat].replaced else self.name(seat)

    @property
    def teams(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each team; empty if everybody plays alone."""
        numbers = [person.team for person in self.persons]
        return tuple(
            tuple(seat for seat, number in enumerate(numbers) if number == team)
            for team in sorted({number for number in numbers if number is not None})
        )

    def partners(self, team: int) -> str:
        """A team with its people, for lists and the beginning of a sentence: "Team 1: Ann and Bob"."""
        return self.sides([str(person) for person in self.persons])[team]

    def team_in_sentence(self, team: int) -> str:
        """A team with its people as a part of a sentence: "Team 1 (Ann and Bob)"."""
        names = join_list([self.other_winner(seat) for seat in self.teams[team]])
        return self.say(_("{team} ({names})"), team=team_name(team), names=names)

    def sides(self, names: Sequence[str]) -> list[str]:
        """The names of those who win together, from names by seat: the teams, or the seats themselves."""
        if not self.teams:
            return list(names)
        return [
            _("{team}: {names}").format(
                team=team_name(team), names=join_list([names[seat] for seat in self.teams[team]])
            )
            for team in range(len(self.teams))
        ]

    def is_own_side(self, side: int) -> bool:
        """Return whether the reader plays on this side, one of those that `sides` names."""
        return self.reader in self.teams[side] if self.teams else side == self.reader

    def is_machine(self, side: int) -> bool:
        """Return whether this side is a bot or a bot account; a team is not."""
        return not self.teams and self.persons[side].is_machine

    def at_the_end(self, seat: int, name: str) -> str:
        """The name in the final standings, which mark teams and concessions."""
        name = self.in_list(seat, name)
        return _("{name} (conceded)").format(name=name) if seat in self.conceded else name

    def in_list(self, seat: int, name: str) -> str:
        """The name in a list of the table's players, which marks teams."""
        team = self.persons[seat].team
        return name if team is None else _("{name} ({team})").format(name=name, team=team_name(team))

    def name(self, seat: int) -> str:
        """The name inside a sentence."""
        return self._shown(
            pgettext("inside a sentence", "you") if seat == self.reader else self.persons[seat].name
        )

    def sentence_start(self, seat: int) -> str:
        """The name at the beginning of a sentence."""
        return self._shown(
            pgettext("beginning of a sentence", "You") if seat == self.reader else self.persons[seat].name
        )

    def say(self, sentence: str, **facts: Any) -> str:
        """The translated sentence with its facts filled in."""
        if not self.html:
            return sentence.format(**facts)
        return format_html(sentence, **facts) if facts else escape(sentence)

    def paragraph(self, sentences: Iterable[str]) -> str:
        """Join sentences made by `say` into a paragraph."""
        if self.html:
            return format_html_join(" ", "{}", ((sentence,) for sentence in sentences))
        return " ".join(sentences)

    def _shown(self, name: str) -> str:
        return format_html("<b>{}</b>", name) if self.html else name


def team_name(team: int) -> str:
    """The name of the team with this number, counted from 0."""
    return _("Team {n}").format(n=team + 1)


def people(persons: Iterable[Person], reader: int | None = None, *, html: bool = False) -> TablePeople:
    """The people of a table for one reader."""
    return TablePeople(tuple(persons), reader, html)


def say_with_name(sentence: str, name: str, **facts: Any) -> SafeString:
    """The translated sentence as HTML, with its `{name}` in bold and its facts filled in."""
    return format_html(sentence, name=format_html("<b>{}</b>", name), **facts)


def join_alternatives(items: Sequence[str]) -> str:
    """Join choices in the order of preference: "Tower, otherwise Luxor"."""
    first, *others = items
    for other in others:
        # Translators: two entries of a list, the second in case the first is not possible.
        first = _("{one}, otherwise {other}").format(one=first, other=other)
    return first


def join_choices(items: Sequence[str]) -> str:
    """Join two choices, or name the only one: "4 or 6"."""
    if len(items) == 1:
        return items[0]
    # Translators: two choices.
    return _("{one} or {other}").format(one=items[0], other=items[1])


def join_list(items: Sequence[str]) -> str:
    """Join the items: "a", "a and b", "a, b and c"; safe HTML stays safe."""
    if len(items) < 2:
        return items[0] if items else ""
    safe = all(isinstance(item, SafeString) for item in items)
    join = format_html if safe else str.format
    # Translators: the last two items of a list.
    last = join(_("{one} and {other}"), one=items[-2], other=items[-1])
    return join(", ".join(["{}"] * (len(items) - 1)), *items[:-2], last)


def money(dollars: int) -> str:
    """Format dollars: "$1,700"."""
    return f"−${-dollars:,}" if dollars < 0 else f"${dollars:,}"
