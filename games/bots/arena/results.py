"""The finished games of a match in a file, so that a run can be broken off and gone on with.

The first line says which match it is and on what it is played, each other one is a game, all in JSON.
"""

import fcntl
import json
import os
import platform
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from .matches import Match, Result, frozen, is_compiled


class ResultsError(Exception):
    """A file that cannot be used for a match; the message says why and what to do."""


@dataclass(frozen=True)
class Home:
    """On what a match is played; `compiled` if the rules or the players are not run as plain Python."""

    cores: int
    python: str
    compiled: bool = False


def this_home() -> Home:
    return Home(os.cpu_count() or 1, platform.python_version(), is_compiled())


class Results:
    """The file while games are added to it: `games` by number. One process at a time may have it open.

    `home` says on what the match was begun.
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
        """Keep a finished game."""
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
            # What was broken off in the middle of a line is written anew.
            self._file.truncate(data.rindex(b"\n") + 1)
        else:
            self._write({"match": asdict(self.match), "home": asdict(self.home)})

    def _write(self, record: dict[str, Any]) -> None:
        self._file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")
        self._file.flush()


def read(path: Path, match: Match) -> tuple[Home, dict[int, Result]]:
    """On what it is played and the games by number, while others may write; no games without a file."""
    data = path.read_bytes() if path.exists() else b""
    return _parsed(data, path, match) if data else (this_home(), {})


def _parsed(data: bytes, path: Path, match: Match) -> tuple[Home, dict[int, Result]]:
    try:
        # What stands behind the last line break is no whole line.
        head, *games = [json.loads(line) for line in data.split(b"\n")[:-1]]
        begun = Match(**frozen(head["match"]))
        home = Home(**head["home"])
        found = [Result(**frozen(game)) for game in games]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ResultsError(f"{path} holds no results of a match; name another file.") from error
    if begun != match:
        other = begun.command(len(found))
        raise ResultsError(f"{path} holds games of another match ({other}); name another file or delete it.")
    return home, {result.game: result for result in found}
