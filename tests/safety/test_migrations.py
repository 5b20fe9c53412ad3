"""What older versions have stored is migrated whole, and its games go on under today's rules."""

import gzip
import json
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Field

from games.models import Game, Move
from tests.games.test_migrations import migrate

from .stored_games import all_is_there, games_go_on

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

STORED = sorted((Path(__file__).parent / "stored").glob("*.json.gz"))


@pytest.fixture(params=STORED, ids=lambda path: path.name.split(".")[0])
def told(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    """A site as older code has left it, migrated; and what was in it."""
    kept = json.loads(gzip.decompress(request.param.read_bytes()))
    try:
        load(migrate(**kept["migrations"]), kept["rows"])
    finally:
        migrate()
    yield kept["told"]


def load(old: Any, rows: list[dict[str, Any]]) -> None:
    """Store the rows as they were, under the models of their time."""
    with transaction.atomic(), connection.constraint_checks_disabled():
        for row in rows:
            model = old.get_model(row["model"])
            values = {"pk": row["pk"]}
            for field in model._meta.concrete_fields:
                if field.name in row["fields"]:
                    values[field.attname] = _value(field, row["fields"][field.name])
            model._base_manager.bulk_create([model(**values)])
    with connection.cursor() as cursor:
        tables = [old.get_model(label) for label in {row["model"] for row in rows}]
        for statement in connection.ops.sequence_reset_sql(no_style(), tables):
            cursor.execute(statement)


def _value(field: Field, value: Any) -> Any:
    return field.to_python(value) if value is not None and not field.is_relation else value


def test_nothing_of_an_older_version_is_lost_and_its_games_go_on(told: dict[str, Any]) -> None:
    all_is_there(told)
    assert games_go_on(told) > 0


@pytest.mark.parametrize("told", STORED[-1:], ids=["newest"], indirect=True)
def test_what_is_lost_or_altered_would_be_noticed(told: dict[str, Any]) -> None:
    """The twins: somebody's money is another, and one entry of one log is gone."""
    game = Game.every.defer(None).filter(state__isnull=False).first()
    for more in (100, -100):
        with pytest.raises(AssertionError, match="does not lead to its state") if more > 0 else nullcontext():
            game.state["cash"][0] += more
            game.save(update_fields=["state"])
            all_is_there(told)
    last = Move.objects.filter(game__version__gt=10).order_by("pk").last()
    Move.objects.filter(pk=last.pk)._raw_delete("default")
    with pytest.raises(AssertionError, match=r"1 of \d+ rows are lost"):
        all_is_there(told)


def test_states_of_all_versions_of_the_rules_are_kept_here() -> None:
    """A new version of the rules reads what the older ones have stored: it comes with a file of theirs."""
    from games.rules.acquire.storage import VERSION

    versions = {
        story["rules"]
        for path in STORED
        for story in json.loads(gzip.decompress(path.read_bytes()))["told"]["games"].values()
    }
    assert versions - {None} >= set(range(1, VERSION)) | {1}
