"""Games of bots among themselves in a file, which grows by a line for each game."""

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from games.engine.bots.acquire.self_play import PlayedGame


class StoredGamesError(Exception):
    """A file that holds other games than those asked for; the message is a sentence."""


class StoredGames:
    """The games from number `first` on in steps, as NAME.jsonl in a folder; NAME.jsonl.gz once packed.

    The first line is the header: the seed, and everything else that the games follow from. Raises
    StoredGamesError if the file has another one.
    """

    def __init__(
        self, folder: Path, name: str, first: int, header: Mapping[str, Any], *, step: int = 1
    ) -> None:
        self._file = folder / f"{name}.jsonl"
        self._packed = folder / f"{name}.jsonl.gz"
        self._seed = header["seed"]
        self._numbers = count(first, step)
        self.games: list[PlayedGame] = []
        self._read(json.dumps(dict(header)))

    def add(self, played: Iterable[PlayedGame]) -> Iterator[PlayedGame]:
        """Store each of these games, which follow those before, and yield it."""
        with self._file.open("a", encoding="utf-8") as file:
            for game in played:
                file.write(_line(game))
                file.flush()
                self.games.append(game)
                yield game

    def pack(self) -> None:
        """Pack the games, which then need a tenth of the room."""
        self._packed.write_bytes(gzip.compress(self._file.read_bytes(), mtime=0))
        self._file.unlink()

    def _read(self, header: str) -> None:
        text = ""
        if self._file.exists():
            text = self._file.read_text(encoding="utf-8")
        elif self._packed.exists():
            text = gzip.decompress(self._packed.read_bytes()).decode()
        found, *lines = text.split("\n")
        if lines and found != header:
            raise StoredGamesError(
                f"{self._file} holds games of {found}, not of {header}: name another folder with --folder,"
                " or delete the file to play them anew."
            )
        # The last piece is empty, or a line that was cut off.
        for number, line in zip(self._numbers, lines[:-1], strict=False):
            self.games.append(PlayedGame(self._seed, number, tuple(json.loads(line))))
        unfinished = self._file.with_suffix(".new")
        unfinished.write_text(f"{header}\n" + "".join(map(_line, self.games)), encoding="utf-8")
        unfinished.replace(self._file)


def _line(game: PlayedGame) -> str:
    return json.dumps(game.moves) + "\n"
