"""File with the finished games of a match, so that a run can be interrupted and continued.

The first line describes the match and the hardware, each further line one game, all in JSON.
"""

import fcntl
import json
import os
import platform
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from games.engine.bots.arena.match import Match, Result, frozen
from games.engine.compiled_modules import is_compiled


class ResultsError(Exception):
    """A file that cannot be used for a match; the message says why and what to do."""


@dataclass(frozen=True)
class Hardware:
    """The hardware and Python of a match; `compiled` if rules or bots do not run as plain Python."""

    cores: int
    python: str
    compiled: bool = False


def this_home() -> Hardware:
    return Hardware(os.cpu_count() or 1, platform.python_version(), is_compiled())


class Results:
    """The open results file, with its `games` by number; only one process may have it open.

    `home` is the hardware on which the match was started.
    """

    def __init__(self, path: Path, match: Match) -> None:
        self.path, self.match = path, match
        self.games: dict[int, Result] = {}
        self.home = this_home()

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self.path.open("a+b")
        try:
            self._lock()
            self._load()
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, result: Result) -> None:
        """Store a finished game."""
        self.games[result.game] = result
        self._write(asdict(result))

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ResultsError(
                f"{self.path} is being written by another run; wait for it or stop it."
            ) from None

    def _load(self) -> None:
        self._file.seek(0)
        data = self._file.read()
        if data:
            self.home, self.games = _parsed(data, self.path, self.match)
            # Cut off a line that was interrupted.
            self._file.truncate(data.rindex(b"\n") + 1)
        else:
            self._write({"match": asdict(self.match), "home": asdict(self.home)})

    def _write(self, record: dict[str, Any]) -> None:
        self._file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")
        self._file.flush()


def read(path: Path, match: Match) -> tuple[Hardware, dict[int, Result]]:
    """Read the hardware and the games by number, even while another process writes; {} without a file."""
    data = path.read_bytes() if path.exists() else b""
    return _parsed(data, path, match) if data else (this_home(), {})


def _parsed(data: bytes, path: Path, match: Match) -> tuple[Hardware, dict[int, Result]]:
    try:
        # Text after the last line break is an incomplete line.
        head, *games = [json.loads(line) for line in data.split(b"\n")[:-1]]
        begun = Match(**frozen(head["match"]))
        home = Hardware(**head["home"])
        found = [Result(**frozen(game)) for game in games]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ResultsError(f"{path} holds no results of a match; name another file.") from error
    if begun != match:
        other = begun.command(len(found))
        raise ResultsError(f"{path} holds games of another match ({other}); name another file or delete it.")
    return home, {result.game: result for result in found}
