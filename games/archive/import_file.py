"""Parser of exported games; checks the types of all values, but not the game.

Any input results in an ImportedGame or in ImportFailed.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.utils import timezone

from games.archive.import_errors import MAX_BYTES, ImportFailed, ImportFault
from games.engine.rules.seeded_random import SEED_BYTES
from games.models import Game, LogEntry
from games.models.game import MAX_NAME_LENGTH
from games.models.log_entry import MAX_REASON_LENGTH
from games.models.playable_systems import playable_systems

# The format of docs/export.md; the version rises when older readers would misunderstand a file. A game has
# the first one unless it went on after its end.
FORMAT: Final = "acquire-game"
FIRST_VERSION: Final = 1
VERSION: Final = 2

_NAME, _LEVEL, _TEXT = 20, 20, 200

_OLDEST: Final = datetime(1990, 1, 1, tzinfo=UTC)
_AHEAD: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class WrittenSeat:
    name: str
    computer: str
    conceded: int | None


@dataclass(frozen=True, slots=True)
class ImportedEntry:
    """An entry of the log; `events` are as in the file."""

    number: int
    kind: str
    seat: int | None
    text: str
    author: str
    origin: str
    reason: str
    made: datetime
    events: list[Any]


@dataclass(frozen=True, slots=True)
class ImportedGame:
    """A game as parsed from a file: its `rules` are known to exist, all else has only the right type.

    `redeals` are the seeds of redeals by the number of their entry.
    """

    system: str
    preset: str
    rules: Any
    name: str
    started: datetime
    finished: datetime
    ending: str
    seed: bytes
    commitment: str
    redeals: dict[int, bytes]
    seats: tuple[WrittenSeat, ...]
    log: tuple[ImportedEntry, ...]
    position: Any
    standings: Any


def read(data: bytes) -> ImportedGame:
    """Parse a file. Raises ImportFailed."""
    record = _parsed(data)
    system, preset, rules = _rules(_dict(record, "rules"))
    about = _dict(record, "game")
    if about.get("status") != Game.Status.FINISHED or "seed" not in record:
        raise ImportFailed(ImportFault.NOT_OVER)
    ending = _text(about, "ending")
    if ending not in ("rules", *Game.Ending.values) or not ending:
        raise ImportFailed(ImportFault.FIELD, field="ending")
    return ImportedGame(
        system=system,
        preset=preset,
        rules=rules,
        name=_safe_text(about, "name", MAX_NAME_LENGTH),
        started=_moment(about, "started"),
        finished=_moment(about, "finished"),
        ending=Game.Ending.RULES.value if ending == "rules" else ending,
        seed=_seed(record),
        commitment=_text(record, "commitment"),
        redeals=dict(map(_redeal, _list(record, "redeals", []))),
        seats=tuple(map(_seat, _list(record, "seats"))),
        log=tuple(_entry(entry, number) for number, entry in enumerate(_list(record, "log"), start=1)),
        position=record.get("position"),
        standings=record.get("standings"),
    )


def _parsed(data: bytes) -> dict[str, Any]:
    if len(data) > MAX_BYTES:
        raise ImportFailed(ImportFault.TOO_BIG)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ImportFailed(ImportFault.NO_TEXT) from None
    try:
        record = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):  # also for a number of ten thousand digits, or ten thousand brackets
        raise ImportFailed(ImportFault.NO_GAME) from None
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise ImportFailed(ImportFault.NO_GAME)
    version: Any = record.get("version")
    if not _is_number(version) or version < 1:
        raise ImportFailed(ImportFault.FIELD, field="version")
    if version > VERSION:
        raise ImportFailed(ImportFault.NEWER)
    return record


def _no_number(name: str) -> None:
    raise ValueError(f"JSON has no {name}.")


def _rules(record: dict[str, Any]) -> tuple[str, str, Any]:
    name, here = _text(record, "system"), playable_systems()
    if name not in here:
        raise ImportFailed(ImportFault.SYSTEM)
    system, preset = here[name], _text(record, "preset")
    if record.get("version") != system.VERSION:
        raise ImportFailed(ImportFault.RULES)
    if preset not in system.PRESETS:
        raise ImportFailed(ImportFault.PRESET)
    try:
        return name, preset, system.from_options(_dict(record, "options"))
    except (ValueError, TypeError):
        raise ImportFailed(ImportFault.OPTIONS) from None


def _seed(record: dict[str, Any]) -> bytes:
    try:
        seed = bytes.fromhex(_text(record, "seed"))
    except ValueError:
        raise ImportFailed(ImportFault.FIELD, field="seed") from None
    if len(seed) != SEED_BYTES:
        raise ImportFailed(ImportFault.FIELD, field="seed")
    return seed


def _redeal(value: Any) -> tuple[int, bytes]:
    record = _as_dict(value, "redeals")
    entry: Any = record.get("entry")
    if not _is_number(entry):
        raise ImportFailed(ImportFault.FIELD, field="redeals")
    return entry, _seed(record)


def _seat(value: Any) -> WrittenSeat:
    record = _as_dict(value, "seats")
    name = record.get("name")
    # Not printable: letters that change the direction of text or have no width.
    if not isinstance(name, str) or not 0 < len(name) <= _NAME or not name.isprintable():
        raise ImportFailed(ImportFault.NAME)
    computer, conceded = record.get("computer"), record.get("conceded")
    if computer is not None and not (isinstance(computer, str) and _is_level(computer)):
        raise ImportFailed(ImportFault.FIELD, field="computer")
    if conceded is not None and not _is_number(conceded):
        raise ImportFailed(ImportFault.FIELD, field="conceded")
    return WrittenSeat(name, computer or "", conceded)


def _is_level(text: str) -> bool:
    return len(text) <= _LEVEL and text.isascii() and text.replace("-", "").isalnum()


def _entry(value: Any, number: int) -> ImportedEntry:
    try:
        record = _as_dict(value, "log")
        if record.get("number") != number:
            raise ImportFailed(ImportFault.NUMBERS, entry=number)
        seat, events = record.get("seat"), record.get("events", [])
        if not (seat is None or _is_number(seat)) or not isinstance(events, list):
            raise ImportFailed(ImportFault.FIELD, field="seat")
        return ImportedEntry(
            number=number,
            kind=_one_of(record, "kind", LogEntry.Kind.values),
            seat=seat,
            text=_safe_text(record, "text", _TEXT),
            author=_one_of(record, "author", LogEntry.Author.values),
            origin=_one_of(record, "origin", ["", *LogEntry.Origin.values], ""),
            reason=_safe_text(record, "reason", MAX_REASON_LENGTH, ""),
            made=_moment(record, "made"),
            events=events,
        )
    except ImportFailed as error:
        if error.wrong is ImportFault.FIELD:
            raise ImportFailed(ImportFault.ENTRY, entry=number) from None
        raise


# -- Values of one kind --------------------------------------------------------------------------------


def _as_dict(value: Any, field: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ImportFailed(ImportFault.FIELD, field=field)
    return value


def _dict(record: Mapping[str, Any], field: str) -> dict[str, Any]:
    return _as_dict(record.get(field), field)


def _list(record: Mapping[str, Any], field: str, default: list[Any] | None = None) -> list[Any]:
    value = record.get(field, default)
    if not isinstance(value, list):
        raise ImportFailed(ImportFault.FIELD, field=field)
    return value


def _text(record: Mapping[str, Any], field: str, default: str | None = None) -> str:
    value = record.get(field, default)
    if not isinstance(value, str):
        raise ImportFailed(ImportFault.FIELD, field=field)
    return value


def _safe_text(record: Mapping[str, Any], field: str, most: int, default: str | None = None) -> str:
    """A text that is safe to store and to show, without hidden characters."""
    text = _text(record, field, default)
    if len(text) > most:
        raise ImportFailed(ImportFault.FIELD, field=field)
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _one_of(record: Mapping[str, Any], field: str, values: list[str], default: str | None = None) -> str:
    text = _text(record, field, default)
    if text not in values:
        raise ImportFailed(ImportFault.FIELD, field=field)
    return text


def _moment(record: Mapping[str, Any], field: str) -> datetime:
    try:
        when = datetime.fromisoformat(_text(record, field))
        if when.tzinfo is not None and _OLDEST <= when <= timezone.now() + _AHEAD:
            return when.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise ImportFailed(ImportFault.FIELD, field=field)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
