"""The order in which `manage.py play` makes a new site ready."""

from typing import Any

import pytest
from django.core.management import call_command

from acquire_site.management.commands import play as play_command
from games.lobby import demo_games


class RecordedSupervisor:
    """Records what it should start, and starts nothing."""

    started: list[str]

    def __init__(self, say: Any) -> None:
        pass

    def start(self, program: Any) -> None:
        self.started.append(program.name)

    def stop_on_signals(self) -> None:
        pass

    def watch(self, until: Any = None) -> None:
        """Return as if the web server had answered and the site had ended."""

    def stop(self) -> None:
        pass


@pytest.mark.django_db
def test_first_games_are_made_while_the_web_server_starts(
    monkeypatch: pytest.MonkeyPatch, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.REDIS_URL = "redis://localhost:1/0"
    happened = RecordedSupervisor.started = []
    monkeypatch.setattr(play_command, "Supervisor", RecordedSupervisor)
    monkeypatch.setattr(demo_games, "create_demo_games", lambda: happened.append("first games"))
    with pytest.raises(SystemExit):
        call_command("play", port=0)
    assert happened[:2] == ["The web server", "first games"]
    said = capsys.readouterr().out.strip().splitlines()
    assert "Log in as admin" in said[0]
    assert "is open at" in said[-1]
