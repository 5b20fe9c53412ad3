"""Data of a release, kept for tests of later migrations: `python -m tests.tools.release_data`.

To be run once for each release, before its tag. Fills a new SQLite database by the code of the release and
writes all rows, the latest migrations and what must be there after every later migration to
`tests/models/releases/VERSION.json.gz`.
"""

import contextlib
import gzip
import json
import os
import sys
import tempfile
import tomllib
from io import StringIO
from pathlib import Path
from typing import Any

ROOT = next(folder for folder in Path(__file__).resolve().parents if (folder / "manage.py").exists())
RELEASES = ROOT / "tests" / "models" / "releases"
APPS = ("accounts", "games", "account")

# The name of a game that has not been started.
WAITING = "Waits in the release"


def main() -> int:
    """Write the file of the version in pyproject.toml; returns the exit code for the shell."""
    with tempfile.TemporaryDirectory(prefix="acquire-release-") as folder:
        os.environ |= {"DATABASE_URL": f"sqlite:///{folder}/release.sqlite3", "DATA_DIR": folder}
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "acquire_site.settings",
            "REDIS_URL": "",
            "LOG_LEVEL": "ERROR",
            "MOVES_PER_MINUTE": "100000",
            "ACQUISITION_PERMISSION": "Nobody, for the data of a release",
        }
        kept = stored_by_this_code()
    # Without a date in it the same data make the same file.
    path = RELEASES / f"{version()}.json.gz"
    path.write_bytes(gzip.compress(json.dumps(kept).encode(), mtime=0))
    print(f"{path}: {len(kept['rows'])} rows, {len(kept['expected']['games'])} games")
    return 0


def version() -> str:
    """The version of the project."""
    project: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    return project


def stored_by_this_code() -> dict[str, Any]:
    """Fill the database of the settings; return the migrations, the rows, and what is expected of them."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.recorder import MigrationRecorder

    from tests.safety import populated_site

    settings.ALLOWED_HOSTS = ["*"]
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    with contextlib.redirect_stderr(StringIO()):
        populated_site.build()
    play_games()
    rows = StringIO()
    call_command("dumpdata", *APPS, all=True, stdout=rows)
    applied = sorted(MigrationRecorder(connection).applied_migrations())
    latest = {app: name for app, name in applied if app in ("accounts", "games")}
    return {"migrations": latest, "expected": expected(), "rows": json.loads(rows.getvalue())}


def play_games() -> None:
    """Create games in every phase: waiting, begun, in the middle, over; with people, a guest and bots."""
    from accounts.models import User
    from games.lobby.game_start import create_game, start_game
    from games.lobby.game_terms import GameTerms
    from games.play.automation.standing_orders import save_order
    from tests.support.games import play_on

    anna, ben, carl = (User.objects.create_user(f"{name}-of-the-release") for name in ("anna", "ben", "carl"))
    guest = User.objects.create_user("Guest-of-the-release", is_guest=True)
    acquire: dict[str, Any] = {"system": "acquire", "host": anna}
    play_on(start_game(**acquire, preset="course", players=[anna, ben]), 10_000)
    start_game(system="acquire", host=carl, preset="classic", players=[carl, "random", "random"])
    middle = play_on(start_game(**acquire, preset="avalon-hill", players=[anna, ben, carl], skips=False), 60)
    save_order(game_id=middle.pk, by=ben, terms={"trade": 0}, once=True)
    players: list[User | str] = [anna, carl, "random"]
    play_on(start_game(**acquire, preset="quick-reference", players=players, pace=86400), 45)
    play_on(start_game(system="acquire", host=guest, preset="classic", players=[guest, "random"]), 30)
    play_on(start_game(system="acquisition", host=anna, preset="standard", players=[anna, ben]), 40)
    waits = GameTerms(system="acquire", preset="classic", name=WAITING, least=2, most=3)
    create_game(host=ben, terms=waits)


def expected() -> dict[str, Any]:
    """Return how many rows each table has, and of each game its log, seats and status."""
    from django.apps import apps

    from games.models import Game

    tables = [model for name in ("accounts", "games") for model in apps.get_app_config(name).get_models()]
    return {
        "rows": {model._meta.label: model._base_manager.count() for model in tables},
        "games": {game.public_id: facts(game) for game in Game._base_manager.all()},
    }


def facts(game: Any) -> dict[str, Any]:
    """Return the facts of a game that must not change."""
    return {
        "log": [list(entry) for entry in game.moves.order_by("number").values_list("number", "seat", "text")],
        "rules": None if game.state is None else game.state["version"],
        "status": game.status,
        "seats": [
            list(seat) for seat in game.seats.order_by("number").values_list("user__username", "bot_level")
        ],
    }


if __name__ == "__main__":
    sys.exit(main())
