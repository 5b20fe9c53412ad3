"""Exploration: moves tried beside a game, invisible to everybody else."""

import re
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.analysis import exploration_steps
from games.analysis.exploration_steps import try_move
from games.analysis.exploration_view import explored
from games.engine.bots import bot_levels
from games.lobby.game_start import start_game
from games.lobby.practice_table import end_practice
from games.models import Exploration, Game
from games.privacy import retention
from games.privacy.personal_data import my_data
from games.realtime import ticks, worker_queue
from tests.engine.rules.acquire.acquire_positions import position
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, play_on, play_to_the_end, put
from tests.support.hidden_state import permuted, stored
from tests.support.htmx import HTMX
from tests.support.practice_tables import decide, practise

pytestmark = pytest.mark.django_db

TOKEN = re.compile(r"[0-9A-Za-z]{64}")


@pytest.fixture(autouse=True)
def chance(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Fixed random numbers for explorations, and no rate limit."""
    monkeypatch.setattr(exploration_steps, "draw_chance", lambda: Random(7))
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "explore": ""}


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return play_on(start(alice, bob, "random", preset="course"), 12)


@pytest.fixture
def at_alice(alice: User) -> Client:
    return client_of(alice)


def address(game: Game) -> str:
    return reverse("explore", args=[game.public_id])


def step_address(game: Game, number: int) -> str:
    return reverse("explore-move", args=[game.public_id, number])


def begin(client: Client, game: Game, **form: str) -> Any:
    return client.post(address(game), form, follow=True)


def steps(game: Game) -> list[str]:
    return [step["move"] for step in Exploration.objects.get(game=game).steps]


def state_of(game: Game, user: User) -> Any:
    return exploration_steps.position(Exploration.objects.select_related("game").get(game=game, user=user))


def some_move(game: Game, user: User, rng: Random | None = None) -> str:
    """A legal move in the user's exploration."""
    moves = game.rule_system.legal_moves(state_of(game, user))
    return str((rng or Random(3)).choice(list(moves)))


def try_on(game: Game, user: User, moves: int, seed: int = 5) -> None:
    """Try this number of random moves, or until the end."""
    rng = Random(seed)
    for _ in range(moves):
        number = len(Exploration.objects.get(game=game, user=user).steps) + 1
        if game.rule_system.decider(state_of(game, user)) is None:
            return
        try_move(game=game, user=user, number=number, move=some_move(game, user, rng))


def decide_for_self(client: Client, game: Game, user: User) -> int:
    """Try moves while the user's own seat is asked; return their number."""
    mine, number = game.seats.get(user=user).number, 0
    while game.rule_system.decider(state_of(game, user)) == mine:
        number += 1
        client.post(step_address(game, number), {"move": some_move(game, user)})
    return number


# -- Steps -------------------------------------------------------------------------------------------


def test_table_page_starts_exploration(game: Game, at_alice: Client) -> None:
    assert f'action="{address(game)}"' in at_alice.get(game.get_absolute_url()).content.decode()
    page = begin(at_alice, game)
    assert page.redirect_chain == [(address(game), 302)]
    assert wording.EXPLORING_A_COPY in page.content.decode()
    assert page.context["headline"] in page.content.decode()


def test_opened_address_asks_first(game: Game, at_alice: Client) -> None:
    assert "This does not affect the game" in at_alice.get(address(game)).content.decode()
    assert not Exploration.objects.exists()


def test_explorer_decides_for_every_seat(game: Game, alice: User, at_alice: Client) -> None:
    begin(at_alice, game)
    decided_for = set()
    for number in range(1, 30):
        asked = game.rule_system.decider(state_of(game, alice))
        decided_for.add(asked)
        page = at_alice.get(address(game))
        assert page.context["decision"] is not None
        seat = game.seats.get(number=asked)
        assert page.context["decides_for"] == ("" if seat.user == alice else seat.name)
        form = {"move": some_move(game, alice)}
        assert at_alice.post(step_address(game, number), form).status_code == 302
    assert decided_for == {0, 1, 2}


def test_page_names_other_players(game: Game, alice: User, bob: User, at_alice: Client) -> None:
    mine = game.seats.get(user=alice).number
    begin(at_alice, game)
    decide_for_self(at_alice, game, alice)
    page = at_alice.get(address(game))
    other = game.seats.get(number=game.rule_system.decider(state_of(game, alice)))
    assert page.context["headline"].startswith(f"{other.name} ")
    names = [seat.name for seat in page.context["stocks"].seats]
    assert names[mine] == "you" and names[other.number] == other.name


def test_bots_answer_until_own_seat(game: Game, alice: User, at_alice: Client) -> None:
    mine = game.seats.get(user=alice).number
    begin(at_alice, game)
    number = decide_for_self(at_alice, game, alice)
    answer = at_alice.post(step_address(game, number + 1), {"computers": "1"}, **HTMX)
    assert answer.status_code == 200
    assert game.rule_system.decider(state_of(game, alice)) in (mine, None)
    made = Exploration.objects.get().steps[number:]
    assert made and {step["by"] for step in made} <= {"computer", "forced"}
    assert all(step["seat"] != mine for step in made)


def test_bot_does_not_answer_for_own_seat(game: Game, alice: User, at_alice: Client) -> None:
    mine = game.seats.get(user=alice).number
    begin(at_alice, game)
    if game.seat_to_move != mine:
        at_alice.post(step_address(game, 1), {"computers": "1"})
    number = len(steps(game)) + 1
    assert 'name="computers"' not in at_alice.get(address(game)).content.decode()
    answer = at_alice.post(step_address(game, number), {"computers": "1"}, **HTMX)
    assert answer.status_code == 409
    assert "It is your own turn here." in answer.content.decode()
    assert len(steps(game)) == number - 1


def test_answers_per_request_are_limited(
    game: Game, at_alice: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exploration_steps, "MAX_ANSWERS", 1)
    begin(at_alice, game)
    number = decide_for_self(at_alice, game, alice) + 1
    at_alice.post(step_address(game, number), {"computers": "1"})
    assert len(steps(game)) == number


def test_failing_bot_is_replaced_by_random_move(
    game: Game, at_alice: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError

    bots = bot_levels.BOTS["acquire"]
    monkeypatch.setitem(bots, "medium", type(bots["medium"])("Medium", "", fails))
    begin(at_alice, game)
    number = decide_for_self(at_alice, game, alice) + 1
    assert at_alice.post(step_address(game, number), {"computers": "1"}).status_code == 302
    assert len(steps(game)) >= number


def test_steps_are_taken_back(game: Game, alice: User, at_alice: Client) -> None:
    begin(at_alice, game)
    start = game.rule_system.state_to_json(state_of(game, alice))
    try_on(game, alice, 5)
    tried = steps(game)
    page = at_alice.get(address(game))
    at_alice.post(address(game), {"to": str(page.context["one_step"])})
    assert steps(game) == tried[:-1]
    at_alice.post(address(game), {"to": "0"})
    assert steps(game) == []
    assert game.rule_system.state_to_json(state_of(game, alice)) == start


def test_forced_step_is_taken_back_with_step_before(start: NewGame, alice: User, at_alice: Client) -> None:
    """With nothing to buy, the placed tile ends the turn."""
    game = start(alice, "random", terms={"skips": True})
    me = game.seats.get(user=alice).number
    hands = ["", ""]
    hands[me] = "1I 5A"
    game = put(game, position({"lone": "4C"}, hands=tuple(hands), turn=me))
    begin(at_alice, game)
    at_alice.post(step_address(game, 1), {"kind": "place", "tile": "1I"})
    assert [(step["move"], step["by"]) for step in Exploration.objects.get().steps] == [
        ("place 1I", "hand"),
        ("buy nothing", "forced"),
    ]
    page = at_alice.get(address(game))
    assert "could not buy any shares, so this move was automatic." in page.content.decode()
    at_alice.post(address(game), {"to": str(page.context["one_step"])})
    assert steps(game) == []


def test_new_deal_keeps_own_hand(
    game: Game, alice: User, at_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = game.seats.get(user=alice).number
    begin(at_alice, game)
    first = state_of(game, alice)
    try_on(game, alice, 3)
    monkeypatch.setattr(exploration_steps, "draw_chance", lambda: Random(8))
    at_alice.post(address(game), {"deal": "1"})
    again = state_of(game, alice)
    assert steps(game) == []
    assert sorted(again.hands[mine]) == sorted(first.hands[mine])
    assert [sorted(hand) for hand in again.hands] != [sorted(hand) for hand in first.hands]
    assert again.board == first.board


def test_exploration_reaches_final_standings(game: Game, alice: User, at_alice: Client) -> None:
    begin(at_alice, game)
    try_on(game, alice, 1000)
    page = at_alice.get(address(game))
    assert wording.FINAL_STANDINGS in page.content.decode()
    assert page.context["decision"] is None
    number = len(steps(game)) + 1
    for form in ({"move": "pass"}, {"computers": "1"}):
        assert at_alice.post(step_address(game, number), form, **HTMX).status_code == 409
    game.refresh_from_db()
    assert game.is_running


def test_merger_asks_every_shareholder(start: NewGame, alice: User, bob: User, at_alice: Client) -> None:
    game = start(alice, bob, "random")
    me, other = game.seats.get(user=alice).number, game.seats.get(user=bob).number
    hands = ["", "", ""]
    hands[me] = "4A 9I"
    holders = {me: 3, other: 2}
    state = position(
        {"tower": "1A-3A", "american": "5A-9A"},
        shares={"tower": [holders.get(seat, 0) for seat in range(3)], "american": [1, 1, 1]},
        hands=tuple(hands),
        turn=me,
    )
    game = put(game, state)
    begin(at_alice, game)
    at_alice.post(step_address(game, 1), {"kind": "place", "tile": "4A"})
    seen = []
    for number in range(2, 4):
        page = at_alice.get(address(game))
        assert page.context["decision"].kind == "dispose"
        assert page.context["merger"].defunct.name == "tower"
        seen.append(game.rule_system.decider(state_of(game, alice)))
        at_alice.post(step_address(game, number), {"kind": "dispose", "trade": "2"})
    assert seen == [me, other]
    assert steps(game)[1:] == ["dispose trade 2", "dispose trade 2"]


def test_stopped_exploration_is_deleted(game: Game, at_alice: Client) -> None:
    begin(at_alice, game)
    answer = at_alice.post(address(game), {"leave": "1"})
    assert answer["Location"] == game.get_absolute_url()
    assert not Exploration.objects.exists()
    for number in (1, 2):
        answer = at_alice.post(step_address(game, number), {"move": "place 1A"}, **HTMX)
        assert (answer.status_code, answer["HX-Retarget"]) == (409, "body")
        assert "You are no longer exploring this game." in answer.content.decode()


def test_spectator_can_explore(game: Game, carol: User) -> None:
    client = client_of(carol)
    begin(client, game)
    assert Exploration.objects.get().seat is None
    assert client.post(step_address(game, 1), {"computers": "1"}).status_code == 302
    assert len(steps(game)) >= 1
    turn = state_of(game, carol).turn
    assert turn != Game.with_secrets.get(pk=game.pk).state["turn"]


def test_guest_can_explore(start: NewGame, guest: User) -> None:
    game = start(guest, "random", "random")
    assert wording.EXPLORING_A_COPY in begin(client_of(guest), game).content.decode()


def test_visitor_must_log_in(game: Game) -> None:
    assert address(game) not in Client().get(game.get_absolute_url()).content.decode()
    for answer in (Client().get(address(game)), Client().post(address(game))):
        assert answer["Location"].startswith(reverse("account_login"))


# -- Starting positions --------------------------------------------------------------------------------


def test_page_offers_new_start_after_game_moved_on(game: Game, alice: User, at_alice: Client) -> None:
    begin(at_alice, game)
    try_on(game, alice, 2)
    assert wording.MOVED_ON_WHILE_EXPLORING not in at_alice.get(address(game)).content.decode()
    game = play_on(game, 1)
    assert wording.MOVED_ON_WHILE_EXPLORING in at_alice.get(address(game)).content.decode()
    begin(at_alice, game)
    assert len(steps(game)) == 2, "what was tried is not lost by looking at the table"
    begin(at_alice, game, now="1")
    assert Exploration.objects.get().version == game.version
    assert steps(game) == []


def test_empty_exploration_follows_game(game: Game, at_alice: Client) -> None:
    begin(at_alice, game)
    game = play_on(game, 1)
    begin(at_alice, game)
    assert Exploration.objects.get().version == game.version


def test_running_game_is_explored_from_present_only(game: Game, at_alice: Client) -> None:
    begin(at_alice, game, at="3")
    assert Exploration.objects.get().version == game.version


def test_finished_game_has_its_review_instead(game: Game, at_alice: Client) -> None:
    begin(at_alice, game)
    game = play_to_the_end(game)
    review = reverse("game-review", args=[game.public_id])
    step = reverse("explore-move", args=[game.public_id, 1])
    for answer in (at_alice.get(address(game)), at_alice.post(address(game)), at_alice.post(step)):
        assert answer.headers["Location"] == review
    for answer in (at_alice.post(address(game), **HTMX), at_alice.post(step, **HTMX)):
        assert answer.headers["HX-Redirect"] == review
    assert address(game) not in at_alice.get(game.get_absolute_url()).content.decode()


def test_practice_table_is_not_explored(alice: User, at_alice: Client) -> None:
    game = decide(practise(alice))
    for answer in (at_alice.get(address(game)), at_alice.post(address(game))):
        assert answer.status_code == 404
    end_practice(game_id=game.pk, by=alice, kind="standings")
    assert address(game) not in at_alice.get(game.get_absolute_url()).content.decode()


def test_hidden_holdings_are_not_explored(start: NewGame, alice: User, bob: User, at_alice: Client) -> None:
    game = play_on(start(alice, bob, holdings="hidden"), 20)
    assert address(game) not in at_alice.get(game.get_absolute_url()).content.decode()
    assert at_alice.post(address(game)).status_code == 409


# -- Refusals ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [{"move": "place 13K"}, {"move": "found tower"}, {"kind": "place"}, {}])
def test_illegal_step_is_refused_with_sentence(form: dict[str, str], game: Game, at_alice: Client) -> None:
    begin(at_alice, game)
    answer = at_alice.post(step_address(game, 1), form, **HTMX)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert steps(game) == []


def test_repeated_step_counts_once_and_stale_step_is_refused(
    game: Game, alice: User, at_alice: Client
) -> None:
    begin(at_alice, game)
    move = some_move(game, alice)
    for _ in range(2):
        assert at_alice.post(step_address(game, 1), {"move": move}, **HTMX).status_code == 200
    assert steps(game) == [move]
    for number, form in ((1, {"move": "pass"}), (9, {"move": "pass"}), (9, {"computers": "1"})):
        answer = at_alice.post(step_address(game, number), form, **HTMX)
        assert answer.status_code == 409
        assert "on another page" in answer.content.decode()
    assert at_alice.post(address(game), {"to": "7"}, **HTMX).status_code == 409


def test_exploration_of_other_user_is_unreachable(
    game: Game, alice: User, at_alice: Client, bob: User
) -> None:
    begin(at_alice, game)
    move = some_move(game, alice)
    other = client_of(bob)
    assert "This does not affect the game" in other.get(address(game)).content.decode()
    assert other.post(step_address(game, 1), {"move": move}).status_code == 409
    assert other.post(address(game), {"to": "0"}).status_code == 409
    other.post(address(game), {"leave": "1"})
    assert Exploration.objects.filter(user=alice).exists()


def test_steps_are_rate_limited(game: Game, at_alice: Client, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "explore": "2/m/user"}
    answers = [at_alice.post(address(game), {"to": "0"}).status_code for _ in range(3)]
    assert answers[2] == 429


def test_withheld_system_is_not_explored(alice: User, bob: User, at_alice: Client, settings: Any) -> None:
    game = start_game(system="acquisition", preset="standard", host=alice, players=[alice, bob])
    begin(at_alice, game)
    settings.ACQUISITION_PERMISSION = ""
    for answer in (
        at_alice.get(address(game)),
        at_alice.post(address(game)),
        at_alice.post(step_address(game, 1), {"move": "park a1"}),
    ):
        assert wording.EXPLORING_A_COPY not in answer.content.decode()
        assert answer.status_code != 302
    assert steps(game) == []


def test_open_game_is_not_explored(create: Any, alice: User, at_alice: Client) -> None:
    assert at_alice.get(address(create(alice))).status_code == 404


# -- Acquisition ---------------------------------------------------------------------------------------


def test_acquisition_is_explored_to_end(alice: User, at_alice: Client) -> None:
    game = start_game(
        system="acquisition", preset="standard", host=alice, players=[alice, "medium"], options={"tiles": 8}
    )
    page = begin(at_alice, game).content.decode()
    assert "dealt at random" not in page
    try_on(game, alice, 1000)
    assert wording.FINAL_STANDINGS in at_alice.get(address(game)).content.decode()


# -- Secrecy ---------------------------------------------------------------------------------------------


def everything_else() -> dict[str, list[Any]]:
    """All rows of all tables but explorations, sessions, access traces and users."""
    own = {"exploration", "session", "usersession", "user", "accesstrace"}
    return {
        model._meta.label: list(model._base_manager.order_by("pk").values())
        for model in apps.get_models()
        if model._meta.model_name not in own
    }


def test_exploration_leaves_no_trace(
    game: Game,
    alice: User,
    at_alice: Client,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    for module, name in (
        (ticks, "send_tick"),
        (worker_queue, "request_bot_move"),
        (worker_queue, "request_advice"),
    ):
        monkeypatch.setattr(module, name, lambda *_, **__: pytest.fail("somebody was told"))
    before = everything_else()
    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        begin(at_alice, game)
        try_on(game, alice, 12)
        at_alice.post(address(game), {"to": "4"})
        at_alice.post(step_address(game, 5), {"computers": "1"})
        at_alice.post(address(game), {"deal": "1"})
        at_alice.get(address(game))
        at_alice.post(address(game), {"leave": "1"})
    assert callbacks == []
    assert everything_else() == before


def test_exploration_is_deleted_with_user_and_after_two_weeks(
    game: Game, alice: User, at_alice: Client
) -> None:
    begin(at_alice, game)
    soon = timezone.now() + timedelta(days=13)
    assert retention.delete_expired(soon)["explorations"] == 0
    assert retention.delete_expired(soon + timedelta(days=2))["explorations"] == 1
    begin(at_alice, game)
    retention.forget_user(alice)
    assert not Exploration.objects.exists()


def test_oldest_exploration_gives_way(
    start: NewGame, alice: User, bob: User, at_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exploration_steps, "MAX_EXPLORED", 2)
    first, second, third = [start(alice, bob) for _ in range(3)]
    for game in (first, second):
        begin(at_alice, game)
    at_alice.post(step_address(first, 1), {"move": some_move(first, alice)})
    begin(at_alice, third)
    assert {found.game for found in Exploration.objects.all()} == {first, third}


def test_personal_data_has_steps_without_hands(game: Game, alice: User, at_alice: Client) -> None:
    begin(at_alice, game)
    move = some_move(game, alice)
    at_alice.post(step_address(game, 1), {"move": move})
    files = dict(my_data(alice))
    assert move in files["explorations.json"].decode()
    assert "bag" not in files["explorations.json"].decode()


# -- Independence of hidden tiles ------------------------------------------------------------------------


def explored_pages(game: Game, client: Client, user: User) -> list[str]:
    """All pages of an exploration of ten steps, some by bots."""
    begin(client, game, now="1")
    sent = [client.get(address(game)).content.decode()]
    rng = Random(11)
    for _ in range(10):
        number = len(Exploration.objects.get(user=user).steps) + 1
        if game.rule_system.decider(state_of(game, user)) is None:
            break
        form = {"computers": "1"} if number % 3 == 0 else {"move": some_move(game, user, rng)}
        sent.append(client.post(step_address(game, number), form, **HTMX).content.decode())
    client.post(address(game), {"deal": "1"})
    sent.append(client.get(address(game)).content.decode())
    sent.append(str(Exploration.objects.get(user=user).start))
    client.post(address(game), {"leave": "1"})
    return [TOKEN.sub("", page) for page in sent]


def compare_with_permuted_tiles(game: Game, client: Client, user: User) -> None:
    state = Game.with_secrets.get(pk=game.pk).state
    seat = game.seats.filter(user=user).values_list("number", flat=True).first()
    before = explored_pages(game, client, user)
    with stored(game, permuted(state, seat, Random(2))):
        after = explored_pages(game, client, user)
    assert len(before) > 5
    for one, other in zip(before, after, strict=True):
        assert one == other


@pytest.mark.parametrize("who", ["player", "watcher"])
def test_exploration_does_not_depend_on_hidden_tiles(who: str, game: Game, alice: User, carol: User) -> None:
    explorer = alice if who == "player" else carol
    for moves in (0, 2, 15):
        game = play_on(game, moves)
        compare_with_permuted_tiles(game, client_of(explorer), explorer)


def test_exploration_of_real_state_is_detected(
    game: Game, alice: User, at_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sabotage twin: the exploration starts from the real state."""

    def true_state(seen: Any, rng: Any) -> Any:
        return game.rule_system.state_from_json(Game.with_secrets.get(pk=game.pk).state)

    monkeypatch.setattr(game.rule_system, "sample_state", true_state)
    with pytest.raises(AssertionError):
        compare_with_permuted_tiles(game, at_alice, alice)


def test_exploration_does_not_load_state(game: Game, alice: User, at_alice: Client) -> None:
    begin(at_alice, game)
    loaded = explored(game.public_id, alice)
    assert loaded is not None
    assert loaded.look.game.get_deferred_fields() >= {"state", "seed"}


def test_repr_of_exploration_names_no_tile(game: Game, at_alice: Client) -> None:
    begin(at_alice, game)
    assert not re.search(r"\d[A-I]\b", repr(Exploration.objects.get()))
