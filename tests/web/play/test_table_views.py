"""Pages of the table, as browsers and strangers use them."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Game
from games.play.visits import record_visit
from games.refusals import NotSeated, NotYourDecision, NotYourSeat, TooManyGames
from games.web.play import move_views
from tests.engine.rules.acquire.acquire_positions import position
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import (
    NewGame,
    legal_move,
    play_on,
    play_to_the_end,
    play_until_asked,
    put,
    whole_record,
)
from tests.support.htmx import HTMX
from tests.support.merger_game import SEATED, TILE, before_a_merger, move

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return start(alice, bob, "random", preset="course")


@pytest.fixture
def player(game: Game) -> Client:
    """The player to move: in this preset, alice begins."""
    return client_of(game.seats.get(number=game.seat_to_move).user)


def move_url(game: Game, number: int | None = None) -> str:
    return reverse("move", args=[game.public_id, game.version + 1 if number is None else number])


# -- New games -----------------------------------------------------------------------------------------


def test_stranger_plays_now_as_a_guest(client: Client) -> None:
    answer = client.post(reverse("play-now"))
    game = Game.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, game.get_absolute_url())
    guest = game.seats.exclude(user=None).get().user
    assert guest.is_guest
    assert game.seats.filter(bot_level="easy").count() == 3
    assert game.preset == "avalon-hill"
    page = client.get(answer["Location"])
    assert page.status_code == 200
    lobby = client.get("/").context
    assert [card.url for card in [*lobby["waiting"], *lobby["others"]]] == [game.get_absolute_url()]


def test_preset_number_and_level_of_bots_can_be_chosen(client: Client) -> None:
    client.post(reverse("play-now"), {"preset": "classic", "opponents": "5", "level": "random"})
    game = Game.objects.get()
    assert (game.preset, game.seats.filter(bot_level="random").count()) == ("classic", 5)


@pytest.mark.parametrize(
    "field, value",
    [("preset", "none"), ("opponents", "6"), ("opponents", "0"), ("opponents", "x"), ("level", "\x00"),
     ("level", "god")],
)  # fmt: skip
def test_unknown_choice_starts_nothing_and_is_refused(field: str, value: str, client: Client) -> None:
    answer = client.post(reverse("play-now"), {field: value})
    assert 400 <= answer.status_code < 500
    assert not Game.objects.exists()
    assert not User.objects.exists()


def test_sixth_guest_of_an_hour_is_told_to_sign_up(client: Client) -> None:
    for _ in range(5):
        assert Client().post(reverse("play-now")).status_code == 302
    answer = client.post(reverse("play-now"))
    assert answer.status_code == 429
    assert "sign up" in answer.content.decode()
    assert Game.objects.count() == 5


def test_twenty_first_game_is_refused_with_a_message(alice: User, start: NewGame) -> None:
    for _ in range(20):
        start(alice, "random")
    answer = client_of(alice).post(reverse("play-now"))
    assert answer.status_code == 429
    assert TooManyGames(20).message in answer.content.decode()


def test_reading_the_lobby_creates_no_guest(client: Client) -> None:
    assert client.get("/").status_code == 200
    assert client.get(reverse("play-now")).status_code == 405
    assert not User.objects.exists()


# -- Moves ---------------------------------------------------------------------------------------------


def test_move_without_htmx_redirects_to_the_game(game: Game, player: Client) -> None:
    answer = player.post(move_url(game), {"move": legal_move(game)})
    assert (answer.status_code, answer["Location"]) == (302, game.get_absolute_url())
    game.refresh_from_db()
    assert game.version == 1


def test_move_with_htmx_returns_the_fresh_table(game: Game, player: Client) -> None:
    answer = player.post(move_url(game), {"move": legal_move(game)}, **HTMX)
    assert answer.status_code == 200
    body = answer.content.decode()
    assert 'data-version="1"' in body
    assert "<html" not in body


def test_decision_form_makes_the_move_it_shows(game: Game, player: Client) -> None:
    tile = legal_move(game).removeprefix("place ")
    player.post(move_url(game), {"kind": "place", "tile": tile})
    assert game.moves.get().text == f"place {tile}"


def test_double_click_is_one_move_with_the_same_answer_twice(game: Game, player: Client) -> None:
    move = legal_move(game)
    answers = [player.post(move_url(game, 1), {"move": move}, **HTMX) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert game.moves.count() == 1


def test_stale_move_gets_409_with_the_fresh_table_and_a_message(game: Game, player: Client) -> None:
    player.post(move_url(game), {"move": legal_move(game)})
    before = whole_record(game)
    for headers in (HTMX, {}):
        answer = player.post(move_url(game, 1), {"move": "pass"}, **headers)
        assert answer.status_code == 409
        body = answer.content.decode()
        assert wording.GAME_HAS_MOVED_ON in body
        assert 'data-version="1"' in body
    assert whole_record(game) == before


def test_player_who_loses_the_seat_meanwhile_can_only_watch(
    game: Game, player: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def handed_over(**_: Any) -> None:
        raise NotYourSeat

    monkeypatch.setattr(move_views, "play_move", handed_over)
    answer = player.post(move_url(game), {"move": legal_move(game)})
    assert answer.status_code == 403
    assert "You no longer have this seat. You can only watch." in answer.content.decode()


def test_move_out_of_turn_gets_409(game: Game) -> None:
    other = game.seats.exclude(number=game.seat_to_move).exclude(user=None).first().user
    answer = client_of(other).post(move_url(game), {"move": legal_move(game)}, **HTMX)
    assert answer.status_code == 409
    assert str(NotYourDecision.message) in answer.content.decode()


BAD_FORMS = [
    {},
    {"move": ""},
    {"move": "buy nothing"},
    {"move": "place 13Z"},
    {"move": "dispose sell 99"},
    {"move": "x" * 10_000},
    {"move": "🏨\u202e\u0301"},
    {"kind": "buy", "tower": "-1"},
    {"kind": "buy", "tower": "9" * 5_000},
    {"kind": "buy", "tower": "٣"},
    {"kind": "dispose", "sell": "1e3", "trade": "NaN"},
    {"kind": "found", "chain": "../../etc"},
    {"kind": "__class__", "tile": "5A"},
    {"kind": "place", "tile": ["13A", "0A"]},
]


@pytest.mark.parametrize("form", BAD_FORMS, ids=lambda form: str(form)[:40])
def test_illegal_move_gets_422_with_a_message_and_changes_nothing(
    form: dict[str, Any], game: Game, player: Client
) -> None:
    before = whole_record(game)
    for headers in (HTMX, {}):
        answer = player.post(move_url(game), form, **headers)
        assert answer.status_code == 422
        assert 'role="alert"' in answer.content.decode()
        assert "data-version" in answer.content.decode()
    assert whole_record(game) == before


@pytest.fixture
def late_game(start: NewGame, alice: User, bob: User) -> Game:
    """alice buys, and may declare the end."""
    state = position({"tower": "1A-12A", "american": "1C-11C"}, hands=("12I", "11I"), decision="buy 0")
    return put(start(alice, bob, **SEATED), state)


def sent(late_game: Game, alice: User, **form: str) -> str:
    """The page that refuses this form, which nothing else comes of."""
    before = whole_record(late_game)
    answer = client_of(alice).post(move_url(late_game), form)
    assert answer.status_code == 422
    assert whole_record(late_game) == before
    return answer.content.decode()


def test_purchase_without_a_choice_is_refused_and_keeps_the_rest(late_game: Game, alice: User) -> None:
    page = sent(late_game, alice, kind="buy", tower="", american="", end="1")
    assert wording.NO_SHARES_CHOSEN in page
    assert re.search(r'name="end"[^>]*checked', page)


def test_purchase_that_is_refused_stays_in_the_form(late_game: Game, alice: User) -> None:
    page = sent(late_game, alice, kind="buy", tower="2", american="2")
    assert re.search(r'name="tower"[^>]*value="2"', page)
    assert re.search(r'name="american"[^>]*value="2"', page)


def test_choice_that_came_too_late_is_not_kept(late_game: Game, alice: User) -> None:
    answer = client_of(alice).post(move_url(late_game, 9), {"kind": "buy", "tower": "2"})
    assert answer.status_code == 409
    assert not re.search(r'name="tower"[^>]*value="2"', answer.content.decode())


def test_shares_of_a_defunct_chain_without_a_choice_stay(start: NewGame, alice: User, bob: User) -> None:
    game = move(before_a_merger(start(alice, bob, User.objects.create_user("carol"), **SEATED)), TILE)
    assert wording.NO_DISPOSAL_CHOSEN in sent(game, alice, kind="dispose", sell="")
    page = sent(game, alice, kind="dispose", move="", trade="1", sell="9")
    assert re.search(r'id="way-mix"[^>]*checked', page)
    assert re.search(r'name="sell"[^>]*value="9"', page)


@pytest.mark.parametrize(
    "body, content_type",
    [
        (b"\xff\xfe\x00\x01" * 1000, "application/octet-stream"),
        (b"move=" + b"a" * 100_000, "application/x-www-form-urlencoded"),
        (b"&".join(b"f%d=1" % number for number in range(200)), "application/x-www-form-urlencoded"),
        (b"move=%00%00", "application/x-www-form-urlencoded"),
        (b"{not json", "application/json"),
        (b"--x\r\nbroken", "multipart/form-data; boundary=x"),
        (b"--x\r\n", "multipart/form-data"),
        (b"move=%ff%fe", "application/x-www-form-urlencoded"),
    ],
)
def test_huge_binary_or_broken_body_is_refused(
    body: bytes, content_type: str, game: Game, player: Client
) -> None:
    before = whole_record(game)
    answer = player.post(move_url(game), body, content_type=content_type)
    assert 400 <= answer.status_code < 500
    assert whole_record(game) == before


def test_numbers_beyond_the_log_are_stale_or_not_found(game: Game, player: Client) -> None:
    move = {"move": legal_move(game)}
    assert player.post(move_url(game, 0), move).status_code == 409
    assert player.post(move_url(game, 2), move).status_code == 409
    assert player.post(move_url(game, 10**18), move).status_code == 409
    assert player.post(move_url(game, 10**200), move).status_code == 409
    assert player.post(f"/games/{game.public_id}/moves/-1/", move).status_code == 404
    assert player.post(f"/games/{game.public_id}/moves/{'9' * 5000}/", move).status_code == 404
    assert not game.moves.exists()


def test_only_players_at_the_table_may_move(game: Game, client: Client) -> None:
    watcher = client_of(User.objects.create_user("carol"))
    answer = watcher.post(move_url(game), {"move": legal_move(game)})
    assert answer.status_code == 403
    assert str(NotSeated.message) in answer.content.decode()
    asked = client.post(move_url(game), {"move": legal_move(game)})
    assert (asked.status_code, asked.headers["Location"].partition("?")[0]) == (302, reverse("account_login"))
    assert not game.moves.exists()


def test_move_without_the_token_is_refused(game: Game) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(game.seats.get(number=game.seat_to_move).user)
    assert client.post(move_url(game), {"move": legal_move(game)}).status_code == 403
    assert not game.moves.exists()


# -- Reading -------------------------------------------------------------------------------------------


def test_unknown_games_are_not_found(client: Client, db: None) -> None:
    for name in ("game", "table", "log", "deal-check"):
        assert client.get(reverse(name, args=["nowhere"])).status_code == 404
    member = client_of(User.objects.create_user("carol"))
    assert member.post(reverse("move", args=["nowhere", 1]), {"move": "pass"}).status_code == 404
    assert client.get("/games/%00/").status_code in (400, 404)
    assert client.get(f"/games/{'a' * 3000}/").status_code == 404


def test_every_page_answers_wrong_methods_with_405(game: Game, player: Client) -> None:
    for name in ("game", "table", "log", "deal-check"):
        address = reverse(name, args=[game.public_id])
        for method in (player.post, player.put, player.delete):
            assert method(address).status_code == 405
    for method in (player.put, player.delete):
        assert method(move_url(game)).status_code == 405
    assert player.get(move_url(game))["Location"] == game.get_absolute_url()
    assert not game.moves.exists()


def test_table_without_news_answers_204(game: Game, client: Client) -> None:
    play_on(game, 3)
    address = reverse("table", args=[game.public_id])
    assert client.get(address, {"after": "3"}).status_code == 204
    assert client.get(address, {"after": "2"}).status_code == 200
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("after", ["", "x", "-5", "1.5", "٣", "9" * 400, "null"])
def test_invalid_version_returns_the_table(after: str, game: Game, client: Client) -> None:
    assert client.get(reverse("table", args=[game.public_id]), {"after": after}).status_code == 200


def test_pages_of_a_game_are_never_cached(game: Game, player: Client) -> None:
    for name in ("game", "table", "log", "deal-check"):
        stored = player.get(reverse(name, args=[game.public_id]))["Cache-Control"]
        assert "no-store" in stored
        assert "private" in stored


def test_missed_moves_can_be_replayed_by_a_link(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob, terms={"skips": False}), 12)
    record_visit(game.pk, bob, game.version)
    first = reverse("past-position", args=[game.public_id, game.version + 1])
    missed = play_until_asked(play_on(game, 2), alice)
    link = f'href="{first}">Replay {missed.version - game.version} moves</a>'
    waiting = client_of(bob).get(game.get_absolute_url()).content.decode()
    log, bar = waiting.split('id="panel-log"')[1].split('class="decision-bar"')
    assert link in log.split("Already seen")[1]
    assert link in bar


def test_single_missed_move_needs_no_replay(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob, terms={"skips": False}), 12)
    record_visit(game.pk, bob, game.version)
    game = play_on(game, 1)
    assert "Already seen" in client_of(bob).get(game.get_absolute_url()).content.decode()
    assert "replay-link" not in client_of(bob).get(game.get_absolute_url()).content.decode()


def test_seed_is_shown_after_the_end_only(game: Game, player: Client, client: Client) -> None:
    seed = bytes(Game.with_secrets.get(pk=game.pk).seed).hex()
    address = reverse("deal-check", args=[game.public_id])
    for reader in (player, client):
        page = reader.get(address).content.decode()
        assert game.seed_hash in page
        assert seed not in page
    play_to_the_end(game)
    page = client.get(address).content.decode()
    assert game.seed_hash in page
    assert seed in page


def test_end_shows_standings_sources_and_the_chart(game: Game, client: Client) -> None:
    play_to_the_end(game)
    page = client.get(game.get_absolute_url()).content.decode()
    assert "<svg" in page
    for player in game.seats.all():
        assert player.name in page


def test_names_are_escaped_everywhere(start: NewGame, client: Client) -> None:
    villain = User.objects.create_user("<b>x</b>&\"'")
    game = play_to_the_end(start(villain, "random"))
    for address in (game.get_absolute_url(), reverse("log", args=[game.public_id])):
        page = client.get(address).content.decode()
        assert "<b>x" not in page
        assert "&lt;b&gt;x" in page


@pytest.mark.parametrize("preset", ["avalon-hill", "classic", "quick-reference", "course"])
def test_price_chart_is_where_the_table_links_to_it(start: NewGame, alice: User, preset: str) -> None:
    game, browser = start(alice, "random", preset=preset), client_of(alice)
    link = re.search(r'href="([^"]+)#prices"', browser.get(game.get_absolute_url()).content.decode())
    assert link is not None
    page = browser.get(link[1]).content.decode()
    assert 'id="prices"' in page
    assert f"Low: {'Luxor' if preset == 'classic' else 'Worldwide'}, " in page


def test_every_preset_has_a_rules_page(client: Client, db: None) -> None:
    assert client.get(reverse("rules")).status_code == 200
    for preset in ("avalon-hill", "classic", "quick-reference", "course"):
        assert client.get(reverse("preset", args=[preset])).status_code == 200
    assert client.get(reverse("preset", args=["poker"])).status_code == 404
