"""Exports: what a spectator may know of a running game, everything of a finished one."""

import io
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.archive import game_export
from games.lobby.game_start import start_game
from games.models import Game, LogEntry
from games.play.seats.end_votes import propose_end, vote_on_end
from tests.archive.round_trip import exported, imported, with_takeback
from tests.support.clients import client_of
from tests.support.games import NewGame, make_room, play_on, play_to_the_end
from tests.support.hidden_state import permuted, redistributed
from tests.support.practice_tables import practise

pytestmark = pytest.mark.django_db

PUBLIC = {"visibility": "public"}
KINDS = ("export-json", "export-text")


@pytest.fixture
def running(start: NewGame, alice: User, bob: User) -> Game:
    return play_on(start(alice, bob, "random", terms=PUBLIC, holdings="hidden"), 40)


@pytest.fixture
def finished(start: NewGame, alice: User, bob: User) -> Game:
    return play_to_the_end(start(alice, bob, terms=PUBLIC))


def downloaded(game: Game, kind: str, user: User | None = None) -> str:
    client = client_of(user) if user else Client()
    answer = client.get(reverse(kind, args=[game.public_id]))
    assert answer.status_code == 200
    assert "attachment" in answer["Content-Disposition"]
    return answer.content.decode()


# -- Running games -------------------------------------------------------------------------------------


def test_export_of_running_game_is_the_same_for_all(running: Game, alice: User, bob: User) -> None:
    staff = User.objects.create_superuser("staff")
    for kind in KINDS:
        assert len({downloaded(running, kind, user) for user in (None, alice, bob, staff)}) == 1


def test_export_of_running_game_hides_secrets(running: Game, alice: User) -> None:
    """Other hands, bag, seed and money must not change a byte."""
    state, rng = running.state, Random(1)
    before = {kind: downloaded(running, kind, alice) for kind in KINDS}
    for number in range(5):
        other = redistributed(permuted(state, None, rng), None)
        seed = rng.randbytes(32)
        Game.all_games.filter(pk=running.pk).update(state=other, seed=seed)
        for kind in KINDS:
            assert downloaded(running, kind, alice) == before[kind], number
    record = json.loads(before["export-json"])
    assert "seed" not in record
    assert "standings" not in record
    assert record["position"]["hand"] is None
    assert record["position"]["cash"] == [None] * 3


def test_export_of_player_view_is_detected(
    running: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sabotage twin: the export shows the view of the player on turn."""
    monkeypatch.setattr(
        game_export,
        "spectator_view",
        lambda game: game.rule_system.observe(game.rule_system.state_from_json(game.state), 0),
    )
    state = Game.with_secrets.get(pk=running.pk).state
    before = downloaded(running, "export-json", alice)
    Game.all_games.filter(pk=running.pk).update(state=permuted(state, None, Random(1)))
    assert downloaded(running, "export-json", alice) != before


def test_origin_of_moves_is_exported_after_end_only(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob, terms=PUBLIC), 20)
    # Any two entries will do.
    LogEntry.objects.filter(game=game, number=7).update(origin="order")
    LogEntry.objects.filter(game=game, number=8).update(origin="plan")
    assert not [entry for entry in exported(game)["log"] if "origin" in entry]
    propose_end(game_id=game.pk, by=alice, kind="none")
    vote_on_end(game_id=game.pk, by=bob, kind="none", yes=True)
    told = {entry["number"]: entry["origin"] for entry in exported(game)["log"] if "origin" in entry}
    assert told == {7: "order", 8: "plan"}


# -- Finished games ------------------------------------------------------------------------------------


def test_export_of_finished_game_is_complete(finished: Game, alice: User) -> None:
    record = exported(finished)
    assert (record["format"], record["version"]) == ("acquire-game", 1)
    assert record["rules"] == {
        "system": "acquire", "version": 1, "preset": "avalon-hill", "options": finished.options
    }  # fmt: skip
    assert record["seed"] == bytes(finished.seed).hex()
    assert [seat["name"] for seat in record["seats"]] == [
        seat.name for seat in finished.seats.select_related("user")
    ]
    assert [entry["number"] for entry in record["log"]] == list(range(1, finished.version + 1))
    assert record["log"][0]["text"] == finished.moves.first().text
    assert {place["seat"] for place in record["standings"]} == {0, 1}
    assert record["game"]["ending"] == "rules"


def test_text_has_every_turn_and_position(finished: Game) -> None:
    text = downloaded(finished, "export-text")
    boards = len(re.findall(r"^A +[·oA-Z]", text, re.MULTILINE))
    turns = len(re.findall(r"^\d+(–\d+)?\. ", text, re.MULTILINE))
    assert boards >= 20
    assert boards <= turns
    assert "alice" in text
    assert f"Seed: {bytes(finished.seed).hex()}" in text
    assert re.search(r"^1\. (alice|bob), \$[\d,]+$", text, re.MULTILINE)
    assert "<" not in text


def test_text_marks_takebacks(start: NewGame, alice: User) -> None:
    game = with_takeback(start(alice, "random", terms=PUBLIC), alice)
    text = downloaded(game, "export-text")
    assert re.search(r"Taken back later\.\s+alice", text)
    assert "<s>" not in text


def test_acquisition_is_exported_as_text(alice: User) -> None:
    game = start_game(
        system="acquisition", preset="standard", host=alice, players=[alice, "random"], visibility="public"
    )
    assert "alice" in downloaded(play_on(game, 20), "export-text")
    game = play_to_the_end(game)
    text = downloaded(game, "export-text")
    assert "Phil Leduc" in text
    assert "large building" in text


# -- Access --------------------------------------------------------------------------------------------


def test_export_is_open_to_viewers_of_table(
    create: NewGame, finished: Game, alice: User, carol: User
) -> None:
    private = practise(carol)
    for kind in KINDS:
        assert Client().get(reverse(kind, args=[create(alice).public_id])).status_code == 404
        assert Client().get(reverse(kind, args=[private.public_id])).status_code == 404
        downloaded(private, kind, carol)
        Game.all_games.filter(pk=finished.pk).update(deleted=timezone.now())
        assert Client().get(reverse(kind, args=[finished.public_id])).status_code == 404
        Game.all_games.filter(pk=finished.pk).update(deleted=None)


def test_pages_link_to_export(running: Game, finished: Game) -> None:
    address = reverse("export-json", args=[finished.public_id])
    for name in ("game", "log"):
        assert address in Client().get(reverse(name, args=[finished.public_id])).content.decode()
    log = Client().get(reverse("log", args=[running.public_id])).content.decode()
    assert reverse("export-text", args=[running.public_id]) in log


def test_export_queries_do_not_depend_on_length(start: NewGame, alice: User, bob: User) -> None:
    for kind in KINDS:
        counts = []
        for moves in (5, 90, 10_000):
            game = play_on(start(alice, bob, terms=PUBLIC), moves)
            with CaptureQueriesContext(connection) as found:
                downloaded(game, kind)
            counts.append(len(found))
            make_room(alice, bob)
        assert counts[0] == counts[1] <= 6
        assert counts[2] <= counts[1] + 2


# -- The command ---------------------------------------------------------------------------------------


def written_out(*arguments: str, **options: Any) -> list[dict[str, Any]]:
    out = io.StringIO()
    call_command("export_games", *arguments, stdout=out, **options)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_command_writes_finished_public_games(
    start: NewGame, running: Game, finished: Game, alice: User, bob: User, carol: User
) -> None:
    make_room(alice, bob)
    unlisted = play_to_the_end(start(alice, bob, terms={"visibility": "unlisted"}))
    imported(exported(finished), carol)
    assert [record["game"]["id"] for record in written_out()] == [finished.public_id]
    assert written_out() == [exported(finished)]
    every = [record["game"]["id"] for record in written_out("--all")]
    assert every == [finished.public_id, unlisted.public_id]
    assert written_out("--all", "--game", unlisted.public_id) == [exported(unlisted)]
    assert written_out("--since", "2099-01-01") == []
    assert written_out("--until", "2020-01-01T12:00") == []
    assert len(written_out("--since", "2020-01-01", "--until", "2099-01-01")) == 1
    for wrong in (running.public_id, unlisted.public_id, "nosuchgame"):
        with pytest.raises(CommandError, match=wrong):
            written_out("--game", wrong)


def test_command_writes_new_file(finished: Game, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    call_command("export_games", "--out", str(out), stdout=io.StringIO())
    assert [json.loads(line) for line in out.read_text().splitlines()] == [exported(finished)]
    with pytest.raises(CommandError, match="already"):
        call_command("export_games", "--out", str(out))
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export_games", "--out", str(tmp_path / "no" / "such"))
    with pytest.raises(CommandError, match="no day"):
        call_command("export_games", "--since", "noon")


def test_output_of_command_can_be_imported(finished: Game, carol: User) -> None:
    [record] = written_out()
    assert imported(record, carol).version == finished.version


def test_command_queries_are_fixed_per_batch(
    start: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.management.commands.export_games.BATCH", 2)
    for _ in range(4):
        make_room(alice, bob)
        play_on(start(alice, bob, terms=PUBLIC), 3)
    running = list(Game.objects.filter(status="running"))
    for game in running:
        propose_end(game_id=game.pk, by=alice, kind="none")
        vote_on_end(game_id=game.pk, by=bob, kind="none", yes=True)
    with CaptureQueriesContext(connection) as found:
        assert len(written_out()) == 4
    assert len(found) <= 1 + 2 * 2, [query["sql"][:80] for query in found]


def test_every_field_is_documented(finished: Game) -> None:
    page = (Path(__file__).parents[2] / "docs" / "export.md").read_text()
    record = exported(finished)
    for part in (*record, *record["game"], *record["seats"][0], *record["log"][0], "origin", "reason"):
        assert f"`{part}`" in page, part
