"""Data of earlier releases survive all migrations, and their games go on under today's rules."""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor

from accounts.models import User
from games.archive.replay import replay
from games.lobby.game_start import start_as_host
from games.lobby.join_game import join
from games.models import Channel, Game, Kind, LogEntry, MutedKind
from tests.support.games import play_to_the_end
from tests.tools.release_data import RELEASES, WAITING, facts, version

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases, pytest.mark.long]

STORED = sorted(RELEASES.glob("*.json.gz"))


def migrate(**targets: str) -> Any:
    """Migrate the named apps to these migrations, the others to their latest; return the models of then."""
    executor = MigrationExecutor(connection)
    latest = [node for node in executor.loader.graph.leaf_nodes() if node[0] not in targets]
    goal = [*targets.items(), *latest]
    executor.migrate(goal)
    return MigrationExecutor(connection).loader.project_state(goal).apps


def load(old: Any, rows: list[dict[str, Any]]) -> None:
    """Store these rows, and no others, in the models of their time."""
    models = [old.get_model(label) for label in {row["model"] for row in rows}]
    with transaction.atomic(), connection.constraint_checks_disabled():
        for model in models:
            model._base_manager.all()._raw_delete(connection.alias)
        for row in rows:
            model = old.get_model(row["model"])
            values = {"pk": row["pk"]}
            for field in model._meta.concrete_fields:
                if field.name in row["fields"]:
                    values[field.attname] = _value(field, row["fields"][field.name])
            model._base_manager.bulk_create([model(**values)])
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)


def _value(field: Any, value: Any) -> Any:
    return field.to_python(value) if value is not None and not field.is_relation else value


def check_rows_and_games(expected: Mapping[str, Any]) -> None:
    """Check that no row is lost, and that each game kept its log, seats and status and replays to it."""
    for label, rows in expected["rows"].items():
        now = apps.get_model(label)._base_manager.count()
        assert now >= rows, f"{label}: {rows - now} of {rows} rows are lost"
    for public_id, story in expected["games"].items():
        game = Game._base_manager.get(public_id=public_id)
        now = facts(game)
        assert {name: now[name] for name in ("log", "status", "seats")} == {
            name: story[name] for name in ("log", "status", "seats")
        }, f"{game} is another"
        if game.state is not None:
            assert replay(game).faults == [], f"{game} does not lead to its state"


def play_all_to_the_end(expected: Mapping[str, Any]) -> int:
    """Play every game that is not over to its end, and return how many moves were made."""
    moves = 0
    for public_id in expected["games"]:
        game = Game._base_manager.get(public_id=public_id)
        if game.name == WAITING:
            join(game_id=game.pk, user=User.objects.create_user("late-for-the-release"))
            start_as_host(game_id=game.pk, by=game.host)
            game.refresh_from_db()
        if not game.is_running or game.paused is not None:
            continue
        before = game.version
        after = play_to_the_end(game)
        assert after.is_finished, f"{after} does not end"
        assert replay(after).faults == [], f"{after} does not lead to its end"
        moves += after.version - before
    return moves


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.name.removesuffix(".json.gz"))
def test_data_of_a_release_survive_the_way_here_and_back_and_its_games_go_on(path: Path) -> None:
    """One test on the way, as it takes long; docs/rollback.md promises the way back."""
    kept = json.loads(gzip.decompress(path.read_bytes()))
    labels = {row["model"] for row in kept["rows"]} | {"games.mutedkind"}
    try:
        old = migrate(**kept["migrations"])
        load(old, kept["rows"])
        muted_by = mute_votes(old)
        before = rows_of(old, labels)
        migrate()
        check_all(kept["expected"], muted_by)
        assert rows_of(migrate(**kept["migrations"]), labels) == before
    finally:
        migrate()
    check_all(kept["expected"], muted_by)
    assert play_all_to_the_end(kept["expected"]) > 0


def mute_votes(old: Any) -> int | None:
    """Have somebody of a release mute a kind of news in all channels, while there was no choice of them.

    Returns whom, or None for a release with channels.
    """
    muted = old.get_model("games", "MutedKind")
    if any(field.name == "channel" for field in muted._meta.get_fields()):
        return None
    user: int = old.get_model("accounts", "User").objects.first().pk
    muted.objects.create(user_id=user, kind=Kind.VOTE)
    return user


def check_all(expected: Mapping[str, Any], muted_by: int | None) -> None:
    check_rows_and_games(expected)
    for damage, complaint in DAMAGES.items():
        with transaction.atomic():
            damage()
            with pytest.raises(AssertionError, match=complaint):
                check_rows_and_games(expected)
            transaction.set_rollback(True)
    if muted_by is not None:
        muted = set(MutedKind.objects.values_list("user", "kind", "channel"))
        assert muted == {(muted_by, Kind.VOTE, channel) for channel in Channel}


def alter_a_state() -> None:
    game = Game._base_manager.filter(state__isnull=False, system="acquire").first()
    assert game is not None
    game.state["cash"][0] += 100
    game.save(update_fields=["state"])


def lose_a_log_entry() -> None:
    last = LogEntry.objects.filter(game__version__gt=10).order_by("pk").last()
    assert last is not None
    LogEntry.objects.filter(pk=last.pk)._raw_delete(connection.alias)


# Damage that the check must notice: to migrate the data takes long, so each is done to the same rows.
DAMAGES = {alter_a_state: "does not lead to its state", lose_a_log_entry: r"1 of \d+ rows are lost"}


def rows_of(models: Any, labels: set[str]) -> dict[str, list[dict[str, Any]]]:
    return {label: list(models.get_model(label)._base_manager.order_by("pk").values()) for label in labels}


def test_file_with_the_data_of_this_release_exists() -> None:
    """Made before each release: `python -m tests.tools.release_data`."""
    assert RELEASES / f"{version()}.json.gz" in STORED


def test_files_cover_all_versions_of_the_stored_state() -> None:
    """A new version of the rules must read the states of all older ones, so each has a file."""
    from games.engine.rules.acquire.state_json import VERSION

    versions = {
        story["rules"]
        for path in STORED
        for story in json.loads(gzip.decompress(path.read_bytes()))["expected"]["games"].values()
    }
    assert versions - {None} >= set(range(1, VERSION)) | {VERSION}
