"""The public API: every answer fits its description, and only public facts are told."""

import contextlib
import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.api_access import api_tokens
from accounts.models import Sanction, User
from accounts.moderation import sanctions
from games.archive.game_export import exported
from games.archive.game_import import import_game
from games.lobby.game_start import start_game
from games.models import Game, Rating
from games.play.deadlines.vacation_clocks import plan_vacation
from games.web.api.public import api_throttle
from games.web.api.public.openapi import PATHS, described
from tests.support.clients import client_of
from tests.support.games import NewGame, make_room, play_on, play_to_the_end
from tests.support.practice_tables import practise
from tests.web.api.public.schema_check import faults, schema_of

pytestmark = pytest.mark.django_db

ROOT = "/api/v1"
PUBLIC = {"visibility": "public"}


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    api_throttle.forget()


@pytest.fixture
def running(start: NewGame, alice: User, bob: User) -> Game:
    return play_on(start(alice, bob, "random", terms=PUBLIC), 25)


@pytest.fixture
def finished(start: NewGame, alice: User, bob: User) -> Game:
    return play_to_the_end(start(alice, bob, terms=PUBLIC))


def read(path: str, client: Client | None = None, **asked: Any) -> Any:
    """Return the API's answer at this path."""
    answer = (client or Client()).get(f"{ROOT}{path}", asked)
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "application/json"
    return answer.json()


def ids(path: str = "/games", **asked: Any) -> list[str]:
    return [game["id"] for game in read(path, **asked)["games"]]


def refused(path: str, status: int, /, **asked: Any) -> str:
    """Return the sentence of a refusal."""
    answer = Client().get(f"{ROOT}{path}", asked)
    assert answer.status_code == status, answer.content
    assert list(faults(answer.json(), {"$ref": "#/components/schemas/Problem"})) == []
    sentence: str = answer.json()["problem"]
    assert sentence.endswith(".")
    return sentence


# -- The description -----------------------------------------------------------------------------------


def test_every_answer_fits_its_description(
    running: Game, finished: Game, create: NewGame, alice: User, bob: User, carol: User
) -> None:
    create(carol)
    plan_vacation(user=alice, first=timezone.localdate(), last=timezone.localdate())
    parks = start_game(
        system="acquisition", preset="standard", host=alice, players=[alice, "random"], visibility="public"
    )
    asked: dict[str, list[tuple[str, dict[str, Any]]]] = {
        "/games": [("/games", {"status": status}) for status in ("finished", "running", "open")],
        "/games/{id}": [(f"/games/{game.public_id}", {}) for game in (running, finished, parks)],
        "/games/{id}/positions/{number}": [
            (f"/games/{game.public_id}/positions/{number}", {})
            for game, number in ((running, 0), (running, 20), (finished, 0), (finished, finished.version),
                                 (parks, 0))
        ],
        "/players/{name}": [("/players/alice", {}), ("/players/BOB", {})],
        "/leaderboards/{system}": [
            ("/leaderboards/acquire", {}),
            ("/leaderboards/acquire", {"players": 2}),
            ("/leaderboards/acquire", {"players": 1}),
            ("/leaderboards/acquisition", {"month": "2026-11", "who": "programs"}),
        ],
    }  # fmt: skip
    assert set(asked) == set(PATHS)
    for path, requests in asked.items():
        for address, parameters in requests:
            found = list(faults(read(address, **parameters), schema_of(path), address))
            assert found == []


def test_description_is_served_and_linked(client: Client, settings: Any) -> None:
    assert read("/openapi.json") == json.loads(json.dumps(described()))
    settings.API_PER_MINUTE = 77
    page = client.get("/api/").content.decode()
    for path in PATHS:
        assert f"GET /api/v1{path}" in page
    assert "77 requests a minute" in page


def test_every_reference_in_the_description_resolves() -> None:
    text = json.dumps(described())
    for name in described()["components"]["schemas"]:
        assert f"#/components/schemas/{name}" in text
    assert text.count('"$ref"') == sum(
        text.count(f'"#/components/schemas/{name}"') for name in described()["components"]["schemas"]
    )


def test_differences_from_the_description_are_detected(finished: Game) -> None:
    """A field too many, one missing, and a value of another type."""
    schema = schema_of("/games/{id}")
    for spoil in (
        lambda record: record.update(hands=[]),
        lambda record: record.pop("log"),
        lambda record: record["seats"][0].update(name=7),
        lambda record: record["game"].update(started="yesterday at noon"),
        lambda record: record["log"][0].update(author="nobody"),
    ):
        record = read(f"/games/{finished.public_id}")
        assert not list(faults(record, schema))
        spoil(record)
        with contextlib.suppress(ValueError):  # no time at all
            assert list(faults(record, schema))


# -- Which games ---------------------------------------------------------------------------------------


def test_only_public_games_are_told(
    start: NewGame, finished: Game, running: Game, alice: User, bob: User, carol: User
) -> None:
    make_room(alice, bob)
    hidden = [
        play_to_the_end(start(alice, bob, terms={"visibility": "unlisted"})),
        start(alice, bob, terms={"visibility": "invited"}),
        practise(carol),
        import_game(json.dumps(exported(finished.public_id, carol)).encode(), by=carol),
    ]
    Game.all_games.filter(pk=start(alice, bob, terms=PUBLIC).pk).update(deleted=timezone.now())
    assert ids() == [finished.public_id]
    assert ids(status="running") == [running.public_id]
    for game in [*hidden, Game.all_games.get(deleted__isnull=False)]:
        refused(f"/games/{game.public_id}", 404)
        refused(f"/games/{game.public_id}/positions/0", 404)


def test_withheld_game_is_not_found(alice: User, client: Client, settings: Any) -> None:
    game = start_game(
        system="acquisition", preset="standard", host=alice, players=[alice, "random"], visibility="public"
    )
    assert ids(status="running") == [game.public_id]
    settings.ACQUISITION_PERMISSION = ""
    assert ids(status="running") == []
    refused(f"/games/{game.public_id}", 404)
    assert "acquisition" not in refused("/games", 400, system="acquisition")
    assert "acquisition" not in json.dumps(read("/openapi.json"))
    assert "acquisition" not in client.get("/api/").content.decode().lower()


def test_games_are_filtered(
    start: NewGame, running: Game, finished: Game, alice: User, bob: User, carol: User
) -> None:
    other = play_to_the_end(start(carol, "random", preset="classic", terms=PUBLIC))
    assert ids() == [other.public_id, finished.public_id]
    assert ids(system="acquire", preset="classic") == [other.public_id]
    assert ids(system="acquisition") == []
    assert ids(player="carol") == [other.public_id]
    assert ids(player="ALICE") == [finished.public_id]
    assert ids(player="alice", status="running") == [running.public_id]
    assert ids(player="alice", preset="classic") == []
    assert other.finished is not None
    assert ids(since=other.finished.isoformat()) == [other.public_id]
    assert ids(since="2099-01-01") == []
    assert len(ids(since="2020-01-01")) == 2


def test_pages_follow_each_other_without_a_gap(
    start: NewGame, create: NewGame, alice: User, carol: User
) -> None:
    for _ in range(5):
        create(carol)
    play_to_the_end(start(alice, "random", terms=PUBLIC))
    filters: list[dict[str, Any]] = [{}, {"player": "carol"}]
    for more in filters:
        whole = ids(status="open", **more)
        found, after = [], ""
        while True:
            page = read("/games", status="open", limit=2, after=after, **more)
            found += [game["id"] for game in page["games"]]
            after = page["next"]
            if after is None:
                break
        assert found == whole
        assert len(set(found)) == 5


def test_list_takes_the_same_few_queries_for_any_length(start: NewGame, alice: User, bob: User) -> None:
    taken: dict[str, list[int]] = {}
    for count in (1, 4):
        for _ in range(count):
            make_room(alice, bob)
            play_to_the_end(start(alice, bob, terms=PUBLIC))
        for address in ("/games", "/games?player=alice", "/players/alice"):
            with CaptureQueriesContext(connection) as found:
                assert Client().get(f"{ROOT}{address}").status_code == 200
            taken.setdefault(address, []).append(len(found))
            if address.startswith("/games"):
                assert all('"state"' not in query["sql"].partition("FROM")[0] for query in found)
                assert all('"seed"' not in query["sql"].partition("FROM")[0] for query in found)
    assert all(few == many for few, many in taken.values()), taken
    assert max(taken["/games"]) <= 2
    assert max(taken["/games?player=alice"]) <= 4


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"status": "closed"}, "finished, running, open"),
        ({"system": "chess"}, "acquire"),
        ({"preset": "house"}, "avalon-hill"),
        ({"player": "nobody-here"}, "no player"),
        ({"since": "yesterday"}, "2026-11-20"),
        ({"since": "2026-11-20", "status": "open"}, "only for finished games"),
        ({"since": "9999-12-31T23:59:59-23:59"}, "2026-11-20"),
        ({"limit": "0"}, "1 to 100"),
        ({"limit": "101"}, "1 to 100"),
        ({"limit": "many"}, "1 to 100"),
        ({"sort": "name"}, "status"),
    ],
)
def test_invalid_parameter_is_refused_with_a_message(asked: dict[str, str], said: str) -> None:
    assert said in refused("/games", 400, **asked)


# -- One game ------------------------------------------------------------------------------------------


def test_game_is_told_as_it_is_exported(running: Game, finished: Game, alice: User) -> None:
    for game in (running, finished):
        assert read(f"/games/{game.public_id}") == json.loads(json.dumps(exported(game.public_id, alice)))


def test_position_is_a_spectators_and_shows_all_hands_after_the_end(running: Game, finished: Game) -> None:
    now = read(f"/games/{running.public_id}/positions/{running.version}")
    assert now["position"]["hand"] is None
    assert now["uncovered"] is None
    assert now["entry"]["number"] == now["number"] == now["last"] == running.version
    past = read(f"/games/{finished.public_id}/positions/0")
    assert past["entry"] is None
    assert len(past["uncovered"]["hands"]) == 2
    assert len(past["uncovered"]["bag"]) > 80
    assert "entries" in refused(f"/games/{finished.public_id}/positions/9999", 404)


def test_waiting_game_is_in_the_list_only(create: NewGame, alice: User) -> None:
    game = create(alice)
    assert ids(status="open") == [game.public_id]
    refused(f"/games/{game.public_id}", 404)


# -- Players -------------------------------------------------------------------------------------------


def test_player_is_told_as_on_the_public_page(running: Game, finished: Game, guest: User) -> None:
    told = read("/players/Alice")
    assert told["name"] == "alice"
    assert told["games"] == {"running": 1, "finished": 1}
    assert [result["game"] for result in told["results"]] == [finished.public_id]
    for name in (guest.username, "nobody-here"):
        refused(f"/players/{name}", 404)


# -- Leaderboards --------------------------------------------------------------------------------------


def test_leaderboard_lists_the_best_players(alice: User, bob: User, carol: User) -> None:
    for user, standing, ranked in ((alice, 20.0, True), (bob, 25.0, True), (carol, 30.0, False)):
        Rating.objects.create(
            user=user,
            system="acquire",
            players=0,
            month="",
            mu=30,
            sigma=1,
            games=9,
            wins=4,
            standing=standing,
            ranked=ranked,
        )
    board = read("/leaderboards/acquire")
    assert [(line["place"], line["name"]) for line in board["lines"]] == [(1, "bob"), (2, "alice")]
    assert "expert" in [one["level"] for one in board["computers"]]
    assert list(faults(board, schema_of("/leaderboards/{system}"))) == []
    assert read("/leaderboards/acquire", players=3)["lines"] == []
    told = read("/players/carol")["ratings"]
    assert [(one["system"], one["players"], one["provisional"]) for one in told] == [("acquire", None, True)]


@pytest.mark.parametrize(
    "asked", [{"players": "9"}, {"month": "May"}, {"who": "me"}, {"players": "2", "month": "2026-11"}]
)
def test_unknown_leaderboard_is_refused(asked: dict[str, str]) -> None:
    refused("/leaderboards/acquire", 400, **asked)
    refused("/leaderboards/chess", 404)


# -- Requests ------------------------------------------------------------------------------------------


def test_unchanged_answer_is_304(running: Game, finished: Game, client: Client) -> None:
    for game, kept in ((running, "no-cache"), (finished, "public, max-age=60")):
        address = f"{ROOT}/games/{game.public_id}"
        first = client.get(address)
        assert first["Cache-Control"] == kept
        again = client.get(address, headers={"If-None-Match": first["ETag"]})
        assert again.status_code == 304
        assert again["ETag"] == first["ETag"]
        assert not again.content
        assert again["Access-Control-Allow-Origin"] == "*"
    play_on(running, 1)
    first = client.get(f"{ROOT}/games/{running.public_id}")
    assert client.get(f"{ROOT}/games/{running.public_id}", headers={"If-None-Match": '"x"'}).content
    assert first.status_code == 200


def test_any_origin_may_read_and_cookies_are_ignored(finished: Game, alice: User) -> None:
    client = client_of(alice)
    answer = client.get(f"{ROOT}/games")
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer
    assert "Set-Cookie" not in answer
    assert "Cookie" not in answer.get("Vary", "")
    before = client.options(f"{ROOT}/games")
    assert before.status_code == 204
    assert "Authorization" in before["Access-Control-Allow-Headers"]


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_api_is_read_only(method: str) -> None:
    answer = getattr(Client(enforce_csrf_checks=True), method)(f"{ROOT}/games")
    assert answer.status_code == 405
    assert answer["Allow"] == "GET, HEAD, OPTIONS"
    assert answer.json()["problem"].endswith(".")


def test_unknown_address_answers_in_json() -> None:
    refused("/nothing/here", 404)
    refused("/games/nosuchgame", 404)


def test_requests_per_minute_are_limited_and_higher_with_a_token(alice: User, settings: Any) -> None:
    settings.API_PER_MINUTE, settings.API_PER_MINUTE_WITH_TOKEN = 3, 5
    _row, token = api_tokens.make_token(alice, "my page")
    client, bearer = Client(), {"Authorization": f"Bearer {token}"}
    assert [client.get(f"{ROOT}/games").status_code for _ in range(4)] == [200, 200, 200, 429]
    late = client.get(f"{ROOT}/games")
    assert 1 <= int(late["Retry-After"]) <= 60
    assert late["Retry-After"] in late.json()["problem"]
    assert late["Access-Control-Allow-Origin"] == "*"
    # Another address and a token are counted separately.
    assert client.get(f"{ROOT}/games", REMOTE_ADDR="192.0.2.9").status_code == 200
    found = [client.get(f"{ROOT}/games", headers=bearer).status_code for _ in range(6)]
    assert found == [200] * 5 + [429]


def test_ipv6_network_has_one_count(settings: Any) -> None:
    settings.API_PER_MINUTE = 2
    addresses = ("2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2:ffff::3", "2001:db8:1:3::1")
    found = [Client().get(f"{ROOT}/games", REMOTE_ADDR=address).status_code for address in addresses]
    assert found == [200, 200, 429, 200]


def test_token_of_a_banned_member_is_refused_as_described(alice: User) -> None:
    _row, token = api_tokens.make_token(alice, "my page")
    sanctions.impose(alice, Sanction.Kind.SUSPENSION, reason="Rude.", by=None)
    answer = Client().get(f"{ROOT}/games", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 403
    for told in PATHS.values():
        schema = told["get"]["responses"]["403"]["content"]["application/json"]["schema"]
        assert list(faults(answer.json(), schema)) == []


def test_invalid_token_is_refused_and_counted(settings: Any) -> None:
    settings.API_PER_MINUTE = 2
    bearer = {"Authorization": f"Bearer acquire_{'x' * 43}"}
    found = [Client().get(f"{ROOT}/games", headers=bearer).status_code for _ in range(3)]
    assert found == [401, 401, 429]
