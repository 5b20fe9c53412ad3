"""Progress bar of long commands."""

import shutil
from collections.abc import Callable
from time import monotonic
from typing import Final, Self, TextIO

# Seconds between two lines when there is no terminal.
LINE_SECONDS: Final = 30.0
MAX_BAR_WIDTH: Final = 30


class Progress:
    """A bar redrawn in place on a terminal, which leaving the context clears; elsewhere an occasional line.

    `total` is the number of pieces of work, `done` the number done before the start.
    """

    def __init__(
        self, stream: TextIO, total: int, done: int = 0, clock: Callable[[], float] = monotonic
    ) -> None:
        self._stream, self._total, self._done_before, self._clock = stream, total, done, clock
        self._started_at = self._last_line_at = clock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Clear the bar from the terminal."""
        if self._stream.isatty():
            width = shutil.get_terminal_size().columns - 1
            self._write(f"\r{'':{width}}\r")

    def show(self, done: int, note: str) -> None:
        """Show the number of pieces done, followed by the note."""
        text = f"{done}/{self._total}{self._time_left(done)}  {note}"
        if self._stream.isatty():
            width = shutil.get_terminal_size().columns - 1
            self._write(f"\r{f'{self._bar(done)} {text}'[:width]:{width}}")
        elif self._clock() - self._last_line_at >= LINE_SECONDS:
            self._last_line_at = self._clock()
            self._write(f"{text}\n")

    def _bar(self, done: int) -> str:
        filled = MAX_BAR_WIDTH * done // max(1, self._total)
        return f"[{'#' * filled}{'.' * (MAX_BAR_WIDTH - filled)}]"

    def _time_left(self, done: int) -> str:
        new = done - self._done_before
        if not new:
            return ""
        seconds = (self._clock() - self._started_at) / new * (self._total - done)
        return f"  {seconds / 60:.0f} min left" if seconds >= 90 else f"  {seconds:.0f} s left"

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
