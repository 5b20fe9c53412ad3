"""Progress: a bar on a terminal, an occasional line elsewhere."""

from io import StringIO

import pytest

from games.engine.bots.arena.progress_bar import Progress


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "81")


def test_terminal_shows_bar_redrawn_in_place() -> None:
    terminal, clock = Terminal(), Clock()
    with Progress(terminal, 40, clock=clock) as progress:
        clock.now = 10
        progress.show(10, "medium 90%")
        clock.now = 20
        progress.show(20, "medium 95%")
        first, second = terminal.getvalue().split("\r")[1:]
    assert first.rstrip() == "[#######.......................] 10/40  30 s left  medium 90%"
    assert second.rstrip() == "[###############...............] 20/40  20 s left  medium 95%"
    assert len(first) == len(second) == 80
    assert terminal.getvalue().endswith(f"\r{' ' * 80}\r")


def test_bar_is_cleared_when_the_work_fails() -> None:
    terminal = Terminal()
    with pytest.raises(KeyboardInterrupt), Progress(terminal, 40) as progress:
        progress.show(10, "medium 90%")
        raise KeyboardInterrupt
    assert terminal.getvalue().endswith(f"\r{' ' * 80}\r")


def test_log_gets_occasional_lines() -> None:
    log, clock = StringIO(), Clock()
    with Progress(log, 1000, clock=clock) as progress:
        for second in range(100):
            clock.now = second
            progress.show(second, "going on")
    assert log.getvalue().splitlines() == [
        "30/1000  16 min left  going on",
        "60/1000  16 min left  going on",
        "90/1000  15 min left  going on",
    ]


def test_work_done_before_does_not_count_for_speed() -> None:
    log, clock = StringIO(), Clock()
    progress = Progress(log, 100, done=80, clock=clock)
    clock.now = 40
    progress.show(80, "before")
    clock.now = 80
    progress.show(90, "after")
    assert log.getvalue().splitlines() == ["80/100  before", "90/100  80 s left  after"]
