"""The people at a table, and how sentences name them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

COMPUTER = "⚙"


@dataclass(frozen=True, slots=True)
class Person:
    """Who sits on a seat: the name for people, and whether a computer plays, and of which level.

    A `program` is a member's: it plays by itself, but the site does not play for it.

    `replaced` tells that a computer plays in this person's place, `conceded` is the how-manyth of the
    table this person was to concede, None for who has not. `points` is the person's rating in lists, None
    without one.
    """

    name: str
    computer: bool = False
    level: str = ""
    conceded: int | None = None
    replaced: bool = False
    program: bool = False
    points: int | None = None

    def __str__(self) -> str:
        return f"{self.name} {COMPUTER}" if self.is_machine else self.name

    @property
    def is_machine(self) -> bool:
        """Whether no person decides here, but a computer of the site or a member's program."""
        return self.computer or self.program


@dataclass(frozen=True, slots=True)
class TablePeople:
    """Everybody at a table, in the order of the seats, for one reader.

    `reader` is the seat that reads, whom sentences call "you" (None: somebody without a seat).
    With `html` sentences are safe HTML with the names in bold, else plain text. `acts_for` is the seat
    whose decisions are the reader's, where that is not the own one: of that seat sentences still speak by
    its name.
    """

    persons: tuple[Person, ...]
    reader: int | None = None
    html: bool = False
    acts_for: int | None = None

    def __getitem__(self, seat: int) -> Person:
        return self.persons[seat]

    @property
    def conceded(self) -> dict[int, int]:
        """The seats that conceded, each with the how-manyth it was."""
        return {
            seat: person.conceded for seat, person in enumerate(self.persons) if person.conceded is not None
        }

    def __len__(self) -> int:
        return len(self.persons)

    def decides(self, seat: int | None) -> bool:
        """Whether what a seat is asked is for the reader to decide; not while a computer plays for them."""
        mine = self.reader if self.acts_for is None else self.acts_for
        return seat is not None and seat == mine and not self.persons[seat].replaced

    @property
    def is_away(self) -> bool:
        """Whether a computer plays in the reader's place."""
        return self.reader is not None and self.persons[self.reader].replaced

    def at_the_end(self, seat: int, name: str) -> str:
        """The name of a seat in the final standings, which say who conceded."""
        return _("{name}, conceded").format(name=name) if seat in self.conceded else name

    def name(self, seat: int) -> str:
        """The name inside a sentence."""
        return self._shown(_("you") if seat == self.reader else self.persons[seat].name)

    def sentence_start(self, seat: int) -> str:
        """The name at the beginning of a sentence."""
        return self._shown(_("You") if seat == self.reader else self.persons[seat].name)

    def without_name(self, seat: int, text: str) -> str:
        """The text without the name if it begins with it: it goes on with what the same person did."""
        bare = text.removeprefix(f"{self.sentence_start(seat)} ")
        # Safe HTML without a whole name at its beginning is safe HTML.
        return SafeString(bare) if isinstance(text, SafeString) else bare

    def say(self, sentence: str, **facts: Any) -> str:
        """The translated sentence with its facts filled in."""
        if not self.html:
            return sentence.format(**facts)
        return format_html(sentence, **facts) if facts else escape(sentence)

    def paragraph(self, sentences: Iterable[str]) -> str:
        """Sentences, as `say` makes them, one after the other."""
        if self.html:
            return format_html_join(" ", "{}", ((sentence,) for sentence in sentences))
        return " ".join(sentences)

    def _shown(self, name: str) -> str:
        return format_html("<b>{}</b>", name) if self.html else name


def people(persons: Iterable[Person], reader: int | None = None, *, html: bool = False) -> TablePeople:
    """The people of a table for one reader."""
    return TablePeople(tuple(persons), reader, html)


def join_list(items: Sequence[str]) -> str:
    """The items as people list them: "a", "a and b", "a, b and c"; safe HTML stays so."""
    if len(items) < 2:
        return items[0] if items else ""
    safe = all(isinstance(item, SafeString) for item in items)
    join = format_html if safe else str.format
    # Translators: the last two items of a list.
    last = join(_("{one} and {other}"), one=items[-2], other=items[-1])
    return join(", ".join(["{}"] * (len(items) - 1)), *items[:-2], last)


def money(dollars: int) -> str:
    """Dollars as the site writes them: "$1,700"."""
    return f"−${-dollars:,}" if dollars < 0 else f"${dollars:,}"
