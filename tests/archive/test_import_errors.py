"""Faulty files are refused with a sentence, and nothing is stored."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import settings as trials
from hypothesis import strategies as st

from accounts.models import User
from games.archive import import_replay
from games.archive.game_import import forget_imported
from games.archive.import_errors import MAX_BYTES, ImportFailed, ImportFault
from games.models import Game
from tests.archive.round_trip import exported, imported, with_takeback
from tests.support.games import NewGame, play_on, play_to_the_end
from tests.support.proof import WITH_ONE_FIXTURE, examples

pytestmark = pytest.mark.django_db

IMPORT = "/games/import/"
Spoil = Callable[[dict[str, Any]], Any]


# Playing a game takes longer than refusing a hundred files.
_played: list[dict[str, Any]] = []


@pytest.fixture
def record(request: pytest.FixtureRequest) -> dict[str, Any]:
    """A finished game with a takeback, as a copy that the test may spoil."""
    if not _played:
        _played.append(played(request.getfixturevalue("start"), request.getfixturevalue("alice")))
    return deepcopy(_played[0])


def played(start: NewGame, alice: User) -> dict[str, Any]:
    return exported(play_to_the_end(with_takeback(play_on(start(alice, "random"), 40), alice)))


def container(record: Any, path: tuple[Any, ...]) -> Any:
    """The part of the record that holds the value at this path."""
    for step in path[:-1]:
        record = record[step]
    return record


def put(*path: Any, value: Any) -> Spoil:
    """Replace the value at this path."""

    def spoil(record: dict[str, Any]) -> dict[str, Any]:
        container(record, path)[path[-1]] = value
        return record

    return spoil


def drop(*path: Any) -> Spoil:
    def spoil(record: dict[str, Any]) -> dict[str, Any]:
        del container(record, path)[path[-1]]
        return record

    return spoil


def add(**facts: Any) -> Spoil:
    """Add an entry at the end of the log."""

    def spoil(record: dict[str, Any]) -> dict[str, Any]:
        number = len(record["log"]) + 1
        usual = {"number": number, "kind": "ruling", "seat": None, "author": "house"}
        record["log"].append({**usual, "made": record["game"]["finished"], **facts})
        return record

    return spoil


def ruling_first(text: str, seat: int | None = None) -> Spoil:
    """Begin the log with this ruling."""

    def spoil(record: dict[str, Any]) -> dict[str, Any]:
        made = record["game"]["started"]
        first = {"kind": "ruling", "seat": seat, "text": text, "author": "house", "made": made}
        log = [first, *record["log"]]
        for entry in record["log"]:
            if entry["text"].startswith("back to "):
                entry["text"] = f"back to {int(entry['text'].split()[-1]) + 1}"
        record["log"] = [{**entry, "number": number} for number, entry in enumerate(log, start=1)]
        return record

    return spoil


def cut(record: dict[str, Any]) -> dict[str, Any]:
    """Remove the last entry."""
    record["log"].pop()
    return record


def swapped(record: dict[str, Any]) -> dict[str, Any]:
    """Swap the two seats in the log."""
    for entry in record["log"]:
        if entry["seat"] is not None:
            entry["seat"] = 1 - entry["seat"]
    return record


FILES: dict[str, tuple[ImportFault, Spoil]] = {
    "bytes": (ImportFault.NO_TEXT, lambda record: b"\xff\xfe\x00"),
    "nothing": (ImportFault.NO_GAME, lambda record: b""),
    "prose": (ImportFault.NO_GAME, lambda record: b"once upon a time"),
    "a list": (ImportFault.NO_GAME, lambda record: [record]),
    "a number": (ImportFault.NO_GAME, lambda record: b"1"),
    "brackets": (ImportFault.NO_GAME, lambda record: b"[" * 100_000),
    "digits": (ImportFault.NO_GAME, lambda record: b'{"format": ' + b"9" * 10_000 + b"}"),
    "not a number": (ImportFault.NO_GAME, lambda record: b'{"format": NaN}'),
    "another format": (ImportFault.NO_GAME, put("format", value="chess")),
    "too big": (ImportFault.TOO_BIG, put("padding", value="x" * MAX_BYTES)),
    "a newer version": (ImportFault.NEWER, put("version", value=3)),
    "no version": (ImportFault.FIELD, drop("version")),
    "version true": (ImportFault.FIELD, put("version", value=True)),
    "no rules": (ImportFault.FIELD, drop("rules")),
    "another system": (ImportFault.SYSTEM, put("rules", "system", value="chess")),
    "newer rules": (ImportFault.RULES, put("rules", "version", value=99)),
    "another preset": (ImportFault.PRESET, put("rules", "preset", value="house")),
    "an unknown option": (ImportFault.OPTIONS, put("rules", "options", "speed", value=1)),
    "an unknown value": (ImportFault.OPTIONS, put("rules", "options", "holdings", value=[1])),
    "a running game": (ImportFault.NOT_OVER, put("game", "status", value="running")),
    "no seed": (ImportFault.NOT_OVER, drop("seed")),
    "a short seed": (ImportFault.FIELD, put("seed", value="00")),
    "a seed of letters": (ImportFault.FIELD, put("seed", value="x" * 64)),
    "another seed": (ImportFault.DEAL, put("seed", value="00" * 32)),
    "another fingerprint": (ImportFault.DEAL, put("commitment", value="00" * 32)),
    "no status": (ImportFault.NOT_OVER, drop("game", "status")),
    "no ending": (ImportFault.FIELD, drop("game", "ending")),
    "an ending there is not": (ImportFault.FIELD, put("game", "ending", value="flood")),
    "another ending": (ImportFault.ENDING, put("game", "ending", value="none")),
    "a long name of the game": (ImportFault.FIELD, put("game", "name", value="x" * 41)),
    "no time": (ImportFault.FIELD, drop("game", "finished")),
    "a time without zone": (ImportFault.FIELD, put("game", "finished", value="2026-11-20T12:00:00")),
    "a time to come": (ImportFault.FIELD, put("game", "finished", value="9999-12-31T23:59:59Z")),
    "a time before computers": (ImportFault.FIELD, put("game", "started", value="0001-01-01T00:00:00+14:00")),
    "seats as text": (ImportFault.FIELD, put("seats", value="alice")),
    "a seat as text": (ImportFault.FIELD, put("seats", 0, value="alice")),
    "no seats": (ImportFault.SEATS, put("seats", value=[])),
    "too many seats": (ImportFault.SEATS, put("seats", value=[{"name": "x"}] * 7)),
    "no name": (ImportFault.NAME, put("seats", 0, "name", value="")),
    "a long name": (ImportFault.NAME, put("seats", 0, "name", value="x" * 21)),
    "a name that turns the reading round": (ImportFault.NAME, put("seats", 0, "name", value="\u202eecila")),
    "a name with a zero": (ImportFault.NAME, put("seats", 0, "name", value="a\x00b")),
    "half a letter": (ImportFault.NAME, put("seats", 0, "name", value="\ud800")),
    "a strange level": (ImportFault.FIELD, put("seats", 1, "computer", value="<b>")),
    "a long level": (ImportFault.FIELD, put("seats", 1, "computer", value="x" * 21)),
    "conceded as text": (ImportFault.FIELD, put("seats", 0, "conceded", value="1")),
    "somebody conceded": (ImportFault.ENDING, put("seats", 0, "conceded", value=1)),
    "the log as text": (ImportFault.FIELD, put("log", value="")),
    "no log": (ImportFault.NOT_OVER, put("log", value=[])),
    "an entry as text": (ImportFault.ENTRY, put("log", 3, value="place 5A")),
    "an entry of no kind": (ImportFault.ENTRY, put("log", 3, "kind", value="wish")),
    "an entry by nobody": (ImportFault.ENTRY, drop("log", 3, "author")),
    "an entry at no time": (ImportFault.ENTRY, put("log", 3, "made", value="noon")),
    "a long entry": (ImportFault.ENTRY, put("log", 3, "text", value="x" * 201)),
    "events as text": (ImportFault.ENTRY, put("log", 3, "events", value="[]")),
    "a seat that is true": (ImportFault.ENTRY, put("log", 3, "seat", value=True)),
    "a way there is not": (ImportFault.ENTRY, put("log", 3, "origin", value="luck")),
    "forced though there was a choice": (ImportFault.ENTRY, put("log", 0, "origin", value="forced")),
    "numbers from elsewhere": (ImportFault.NUMBERS, put("log", 3, "number", value=7)),
    "an entry less": (ImportFault.NUMBERS, drop("log", 3)),
    "a seat that was not asked": (ImportFault.NOT_ASKED, swapped),
    "a move of no seat": (ImportFault.NOT_ASKED, put("log", 0, "seat", value=None)),
    "a move there is not": (ImportFault.ILLEGAL, put("log", 0, "text", value="castle")),
    "a move against the rules": (ImportFault.ILLEGAL, put("log", 0, "text", value="buy 3 tower")),
    "other events": (ImportFault.EVENTS, put("log", 2, "events", value=[])),
    "money from nowhere": (
        ImportFault.EVENTS,
        lambda record: put("log", 0, "events", 0, "seat", value=9)(record),
    ),
    "a ruling there is not": (ImportFault.RULING, ruling_first("moderator wins")),
    "a ruling about no seat": (ImportFault.RULING, ruling_first("computer takes 7", 7)),
    "a ruling about another seat": (ImportFault.RULING, ruling_first("computer takes 1", 0)),
    "a ruling by a seat that there cannot be": (ImportFault.RULING, ruling_first("halt", 0)),
    "a vote on something else": (ImportFault.RULING, ruling_first("0 proposes halt", 0)),
    "a vote on a vote": (ImportFault.RULING, ruling_first("vote on vote on halt", 0)),
    "a vote on somebody who is not there": (ImportFault.RULING, ruling_first("vote on computer keeps 9", 0)),
    "a vote on nothing": (ImportFault.RULING, ruling_first("0 proposes nothing", 0)),
    "back to what is to come": (ImportFault.BACK, ruling_first("back to 1", 0)),
    "back without end": (ImportFault.RULING, ruling_first("back to 999999999999", 0)),
    "over before it began": (ImportFault.AFTER_END, ruling_first("end without result")),
    "a move after the end": (ImportFault.AFTER_END, add(kind="move", seat=0, text="buy nothing")),
    "a vote after the end": (ImportFault.AFTER_END, add(text="0 proposes end with standings", seat=0)),
    "cut short": (ImportFault.NOT_OVER, cut),
    "another position": (ImportFault.POSITION, put("position", "bag_size", value=99)),
    "no position": (ImportFault.POSITION, drop("position")),
    "other standings": (ImportFault.STANDINGS, put("standings", 0, "points", value=1_000_000)),
    "no standings": (ImportFault.STANDINGS, drop("standings")),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_faulty_file_is_refused_with_sentence(name: str, record: dict[str, Any], bob: User) -> None:
    wrong, spoil = FILES[name]
    with pytest.raises(ImportFailed) as refused:
        imported(spoil(deepcopy(record)), bob)
    assert refused.value.wrong is wrong, refused.value
    said = str(refused.value.message)
    assert said[0].isupper() or said[0] == "“"
    assert said.endswith(".")
    assert "{" not in said
    assert not Game.all_games.filter(imported__isnull=False).exists()


def test_missing_comparison_is_detected(
    record: dict[str, Any], bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sabotage twin: standings are not compared with the replay."""
    monkeypatch.setattr(import_replay, "_compare", lambda written, played: None)
    wrong, spoil = FILES["other standings"]
    assert wrong is ImportFault.STANDINGS
    assert imported(spoil(record), bob).imported


def test_every_fault_is_tried() -> None:
    assert {wrong for wrong, _ in FILES.values()} == set(ImportFault) - {ImportFault.NO_FILE}


def test_harmless_oddities_are_accepted(record: dict[str, Any], bob: User) -> None:
    """Invisible characters in the name, unknown fields, and a byte-order mark."""
    record["game"]["name"] = "Friday\u200b night\x00"
    record["more"] = {"than": "was asked"}
    game = imported(b"\xef\xbb\xbf" + json.dumps(record).encode(), bob)
    assert game.name == "Friday  night "


@trials(max_examples=examples(15, 40), suppress_health_check=WITH_ONE_FIXTURE)
@given(data=st.data())
def test_changed_file_is_refused_or_same_game(record: dict[str, Any], bob: User, data: st.DataObject) -> None:
    """No value anywhere crashes the import or makes another game."""
    spoilt, place = deepcopy(record), None
    value: Any = spoilt
    while isinstance(value, dict | list) and value:
        keys = list(value) if isinstance(value, dict) else range(len(value))
        place, key = value, data.draw(st.sampled_from(keys))
        value = place[key]
    junk = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just([]) | st.just({})
    place[key] = data.draw(junk)
    try:
        game = imported(spoilt, bob)
    except ImportFailed as error:
        assert str(error.message)
        return
    told = exported(game, bob)
    for part in ("rules", "seed", "position", "standings"):
        assert told[part] == record[part]
    forget_imported(game=game, by=bob)


# -- Upload ----------------------------------------------------------------------------------------------


def sent(client: Client, data: bytes) -> Any:
    return client.post(IMPORT, {"file": SimpleUploadedFile("game.json", data)})


def test_uploaded_file_becomes_game_or_sentence(record: dict[str, Any], bob: User, client: Client) -> None:
    client.force_login(bob)
    answer = sent(client, json.dumps(record).encode())
    game = Game.objects.get(imported__isnull=False)
    assert answer["Location"] == game.get_absolute_url()
    answer = sent(client, b"{}")
    assert answer.status_code == 422
    assert "not an exported game" in answer.content.decode()
    answer = sent(client, b"x" * (MAX_BYTES + 5))
    assert answer.status_code == 422
    assert "too big" in answer.content.decode()
    assert "Choose a file first" in client.post(IMPORT).content.decode()


def test_upload_needs_csrf_token(record: dict[str, Any], bob: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(bob)
    assert sent(strict, json.dumps(record).encode()).status_code == 403
    assert not Game.all_games.filter(imported__isnull=False).exists()


def test_only_members_in_good_standing_can_import(
    record: dict[str, Any], guest: User, bob: User, client: Client
) -> None:
    data = json.dumps(record).encode()
    assert "/accounts/login/" in sent(client, data)["Location"]
    client.force_login(guest)
    assert sent(client, data).status_code == 403
    User.objects.filter(pk=bob.pk).update(has_unread_warning=True)
    client.force_login(bob)
    assert sent(client, data).status_code == 403
    assert not Game.all_games.filter(imported__isnull=False).exists()


def test_uploads_are_rate_limited(bob: User, client: Client, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "import": "2/h/user"}
    client.force_login(bob)
    assert [sent(client, b"{}").status_code for _ in range(3)] == [422, 422, 429]
    assert client.get(IMPORT).status_code == 200


def test_imported_games_are_limited(
    record: dict[str, Any], bob: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.archive.game_import.MAX_IMPORTED", 2)
    first, _second = (imported(record, bob) for _ in range(2))
    client.force_login(bob)
    answer = sent(client, json.dumps(record).encode())
    assert answer.status_code == 429
    assert "2 imported games" in answer.content.decode()
    client.post(reverse("delete-import", args=[first.public_id]))
    assert sent(client, json.dumps(record).encode()).status_code == 302
