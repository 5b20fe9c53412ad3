"""What was stored before a migration is there after it."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Game, Move, Report, ReportAnswer, Seat

pytestmark = pytest.mark.django_db(transaction=True)


def migrate(**targets: str) -> Any:
    """The models as they are once the named apps are at these migrations and the others at their latest."""
    executor = MigrationExecutor(connection)
    latest = [node for node in executor.loader.graph.leaf_nodes() if node[0] not in targets]
    goal = [*targets.items(), *latest]
    executor.migrate(goal)
    return MigrationExecutor(connection).loader.project_state(goal).apps


@pytest.fixture
def before_the_lobby() -> Any:
    """The models of a site whose games all began at once; everything is migrated again afterwards."""
    yield migrate(games="0001_initial")
    migrate()


def test_games_from_before_the_lobby_survive(before_the_lobby: Any) -> None:
    old_game, old_seat, old_user = (
        before_the_lobby.get_model(*name)
        for name in (("games", "Game"), ("games", "Seat"), ("accounts", "User"))
    )
    now = timezone.now()
    alice = old_user.objects.create(username="alice")
    for number, status in enumerate(("running", "running", "finished")):
        game = old_game.objects.create(
            public_id=f"game{number}", system="acquire", preset="classic", options={"tiers": "1962"},
            host=alice, status=status, seed=b"s" * 32, commitment="c" * 64, state={"bag": [1]},
            version=number, decider=number if status == "running" else None,
            started=now - timedelta(days=2), moved=now, finished=now if status == "finished" else None,
        )  # fmt: skip
        old_seat.objects.create(game=game, number=0, user=alice)
        old_seat.objects.create(game=game, number=1, computer="random", nickname="Rook")

    migrate()

    mine, computers, over = Game.with_secrets.order_by("public_id")
    assert [game.asked_id for game in (mine, computers, over)] == [alice.pk, None, None]
    assert [game.status for game in (mine, computers, over)] == ["running", "running", "finished"]
    for game in (mine, computers, over):
        assert (game.least, game.most, game.taken, game.free) == (2, 2, 2, 0)
        assert game.visibility == Game.Visibility.UNLISTED
        assert (bytes(game.seed), game.state, game.opened) == (b"s" * 32, {"bag": [1]}, game.started)
    assert len({game.invite_code for game in (mine, computers, over)}) == 3
    assert set(Seat.objects.filter(game=over).values_list("ended", flat=True)) == {over.finished}
    assert set(Seat.objects.exclude(game=over).values_list("ended", flat=True)) == {None}


@pytest.fixture
def with_deadlines_in_the_log() -> Any:
    """The models of a site whose log told deadlines; everything is migrated again afterwards."""
    yield migrate(games="0015_endings")
    migrate()


def test_what_was_left_when_a_move_was_made_is_known_after_its_deadline_is_forgotten(
    with_deadlines_in_the_log: Any,
) -> None:
    old_game, old_move, old_user = (
        with_deadlines_in_the_log.get_model(*name)
        for name in (("games", "Game"), ("games", "Move"), ("accounts", "User"))
    )
    now, hour = timezone.now(), timedelta(hours=1)
    game = old_game.objects.create(
        public_id="game", system="acquire", preset="classic", options={}, status="running", started=now,
        host=old_user.objects.create(username="alice"), seed=b"s" * 32, commitment="c" * 64, state={},
    )  # fmt: skip
    for number, deadline in enumerate((now + hour, now - hour, None)):
        old_move.objects.create(game=game, number=number, text="pass", made=now, deadline=deadline)

    migrate()

    assert list(Move.objects.values_list("left", flat=True)) == [hour, -hour, None]


@pytest.fixture
def before_reports_of_all_kinds() -> Any:
    """The models of a site where only lines were reported."""
    yield migrate(games="0024_moderating")
    migrate()


def test_reports_of_lines_from_before_say_now_about_what_they_are(before_reports_of_all_kinds: Any) -> None:
    old = before_reports_of_all_kinds.get_model
    now = timezone.now()
    alice, bob = (
        old("accounts", "User").objects.create(username=name, skeleton=name) for name in ("ann", "ben")
    )
    game = old("games", "Game").objects.create(
        public_id="game", system="acquire", preset="classic", options={}, host=alice, least=2, most=2
    )
    lines = [
        old("games", "Line").objects.create(game=game, channel="players", user=bob, text=text)
        for text in ("one", "two")
    ]
    old("games", "Report").objects.create(line=lines[0], by=alice, reason="Rude.", made=now)
    old("games", "Report").objects.create(line=lines[1], by=alice, made=now, settled=now, outcome="kept")

    migrate()

    waiting, settled = Report.objects.order_by("pk")
    for report, line in ((waiting, lines[0]), (settled, lines[1])):
        assert (report.about, report.subject, report.trouble) == ("line", f"line {line.pk}", "other")
        assert (report.line_id, report.game_id, report.person_id) == (line.pk, game.pk, bob.pk)
        assert (report.by_id, report.made) == (alice.pk, now)
    assert (waiting.reason, waiting.settled, settled.outcome) == ("Rude.", None, "kept")
    assert ReportAnswer.objects.exists()


def keys_and_indexes_of_the_log() -> tuple[set[str], set[str]]:
    """The columns of the log that are foreign keys, and those that have an index of their own."""
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, Move._meta.db_table).values()
    alone = [one for one in found if len(one["columns"]) == 1 and not one["primary_key"]]
    keys, indexed = ([one for one in alone if one[kind]] for kind in ("foreign_key", "index"))
    return {one["columns"][0] for one in keys}, {one["columns"][0] for one in indexed}


def test_indexes_of_the_log_go_and_come_back_and_its_foreign_keys_stay() -> None:
    both = {"game_id", "user_id"}
    try:
        migrate(games="0028_indexes_beside_play")
        assert keys_and_indexes_of_the_log() == (both, both)
    finally:
        with CaptureQueriesContext(connection) as asked:
            migrate()
    assert keys_and_indexes_of_the_log() == (both, set())
    if connection.vendor == "postgresql":
        # To add one reads the whole log, and nobody moves meanwhile.
        log = f"ALTER TABLE {connection.ops.quote_name(Move._meta.db_table)} "
        changes = [query["sql"] for query in asked if query["sql"].startswith(log)]
        assert not [change for change in changes if "FOREIGN KEY" in change]
