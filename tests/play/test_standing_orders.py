"""Standing orders answer for their owner, once, and as long as they stand."""

from random import Random
from typing import Any

import pytest

from accounts.models import User
from games.archive.replay import replay
from games.engine.standing_orders.acquire import order_system as acquire
from games.engine.standing_orders.acquire.merger_order import order_to_json
from games.engine.standing_orders.order_errors import InvalidOrder
from games.lobby.departures import leave_all_games
from games.log import positions
from games.models import Game, Kind, LogEntry, Notification, StandingOrder
from games.play.automation.automatic_moves import play_automatic_moves
from games.play.automation.order_view import order_that_asks, orders_of, takes_orders
from games.play.automation.standing_orders import save_order, withdraw_order
from games.play.seats.concession import concede
from games.play.takebacks import take_back
from games.privacy import personal_data
from games.refusals import BotIsPlaying, GameNotRunning, NoStandingOrders, NotSeated
from tests.engine.rules.acquire.acquire_positions import position
from tests.support.games import NewGame, play_on, play_to_the_end, put, seen_by
from tests.support.mailboxes import with_mailbox
from tests.support.merger_game import SEATED, TILE, before_a_merger, move
from tests.support.planned_turns import somebody_plans
from tests.support.standing_orders import random_order

pytestmark = pytest.mark.django_db

SELL = {"trade": 0}
TRADE = {"trade": "most"}


@pytest.fixture
def game(start: NewGame, alice: User, bob: User, carol: User) -> Game:
    return before_a_merger(start(alice, bob, carol, **SEATED))


def give(game: Game, user: User, terms: Any = None, *, once: bool = False) -> StandingOrder:
    return save_order(game_id=game.pk, by=user, terms=terms or SELL, once=once)


def log_of(game: Game) -> list[tuple[str, str]]:
    return list(game.moves.values_list("text", "origin"))


# -- Answers ---------------------------------------------------------------------------------------------


def test_order_answers_when_its_owner_is_next(game: Game, bob: User, carol: User) -> None:
    give(game, bob)
    give(game, carol, {"hold": 1})
    game = move(game, TILE)
    assert log_of(game) == [(TILE, "")]  # alice, who merged, decides first
    game = move(game, "dispose nothing")
    assert log_of(game)[2:] == [("dispose sell 5", "order"), ("dispose trade 2", "order")]
    answered = game.moves.get(number=3)
    assert (answered.seat, answered.author, answered.user) == (1, LogEntry.Author.PERSON, bob)
    assert (game.seat_to_move, game.decision_kind) == (0, "buy")


def test_order_trades_with_the_bank_as_it_is_then(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    shares = {"luxor": [4, 5, 3], "tower": [0, 20, 2]}
    game = before_a_merger(start(alice, bob, carol, **SEATED), shares=shares)
    give(game, bob, TRADE)
    game = move(move(game, TILE), "dispose trade 4")
    assert log_of(game)[2] == ("dispose sell 3 trade 2", "order")


def test_order_answers_the_own_merger_too(game: Game, alice: User) -> None:
    give(game, alice)
    game = move(game, TILE)
    assert log_of(game) == [(TILE, ""), ("dispose sell 2", "order")]


def test_order_for_the_chain_precedes_the_general_one(game: Game, bob: User) -> None:
    give(game, bob, {"hold": "all"})
    give(game, bob, {"chain": "luxor", **SELL})
    game = move(move(game, TILE), "dispose nothing")
    assert log_of(game)[2] == ("dispose sell 5", "order")


def test_order_that_does_not_apply_may_defer_to_the_general_one(game: Game, bob: User) -> None:
    give(game, bob, SELL, once=True)
    give(game, bob, {"chain": "luxor", "survivor": "american", "otherwise": "any"}, once=True)
    game = move(move(game, TILE), "dispose nothing")
    assert log_of(game)[2] == ("dispose sell 5", "order")
    assert {order.occasion for order in game.orders.all()} == {"4A"}


def test_reason_for_asking_is_that_of_the_last_order(game: Game, bob: User) -> None:
    give(game, bob, {"hold": 6})
    give(game, bob, {"chain": "luxor", "survivor": "american", "otherwise": "any"})
    game = move(move(game, TILE), "dispose nothing")
    assert game.waiting_for == bob
    ask = order_that_asks(seen_by(game, bob))
    assert ask is not None
    assert ask.reason == "too few held"


def test_order_for_another_chain_does_not_answer(game: Game, bob: User) -> None:
    give(game, bob, {"chain": "tower", **SELL})
    game = move(move(game, TILE), "dispose nothing")
    assert game.waiting_for == bob


def test_new_order_replaces_one_about_the_same(game: Game, bob: User) -> None:
    give(game, bob)
    give(game, bob, {"hold": "all"})
    game = move(move(game, TILE), "dispose nothing")
    assert log_of(game)[2] == ("dispose nothing", "order")
    assert game.orders.count() == 1


def test_order_given_while_its_owner_is_asked_answers_at_once(game: Game, bob: User, carol: User) -> None:
    game = move(move(game, TILE), "dispose nothing")
    assert game.waiting_for == bob
    give(game, bob)
    game.refresh_from_db()
    assert log_of(game)[2:] == [("dispose sell 5", "order")]
    assert game.waiting_for == carol


def test_answer_by_an_order_notifies_nobody(game: Game, bob: User, carol: User) -> None:
    for user in (bob, carol):
        with_mailbox(user)
    give(game, bob)
    move(move(game, TILE), "dispose nothing")
    asked = Notification.objects.filter(kind=Kind.DECISION, version__gt=0)
    assert [row.user for row in asked] == [carol]


def test_order_survives_a_restart(game: Game, bob: User) -> None:
    """It is kept in the database alone."""
    give(game, bob, {"hold": 2})
    del game
    fresh = Game.objects.get()
    game = move(move(fresh, TILE), "dispose nothing")
    assert log_of(game)[2] == ("dispose sell 1 trade 2", "order")


# -- Orders that ask -------------------------------------------------------------------------------------


def test_order_that_cannot_be_carried_out_asks_with_the_reason(game: Game, bob: User) -> None:
    give(game, bob, {"hold": 6})
    game = move(move(game, TILE), "dispose nothing")
    assert game.waiting_for == bob
    ask = order_that_asks(seen_by(game, bob))
    assert ask is not None
    assert (ask.reason, ask.facts["held"]) == ("too few held", 5)


def test_order_whose_condition_fails_asks(game: Game, bob: User) -> None:
    give(game, bob, {"survivor": "american"})
    game = move(move(game, TILE), "dispose nothing")
    assert game.waiting_for == bob


def test_order_is_not_mentioned_while_somebody_else_decides(game: Game, bob: User) -> None:
    give(game, bob, {"hold": 6})
    assert order_that_asks(seen_by(move(game, TILE), bob)) is None


def test_bot_in_the_seat_follows_no_order(game: Game, bob: User) -> None:
    give(game, bob)
    leave_all_games(bob)
    assert not StandingOrder.objects.exists()
    game = move(move(game, TILE), "dispose nothing")
    assert game.waiting_for is None
    assert game.bot_due_at is not None


# -- Once, and withdrawn ---------------------------------------------------------------------------------


def merge_again(game: Game) -> Game:
    """Bring about the next merger of the same two chains by another tile."""
    chains = {"tower": "1C-3C", "luxor": "5C 6C"}
    shares = {"luxor": [2, 5, 3], "tower": [0, 1, 3]}
    return put(game, position(chains, hands=["4C 12H", "12I", "12G"], shares=shares))


def test_standing_order_answers_every_time(game: Game, bob: User) -> None:
    give(game, bob)
    game = move(move(game, TILE), "dispose nothing")
    game = move(move(merge_again(game), "place 4C"), "dispose nothing")
    assert [text for text, origin in log_of(game) if origin] == ["dispose sell 5"] * 2


def test_order_for_once_answers_once(game: Game, bob: User) -> None:
    give(game, bob, once=True)
    game = move(move(game, TILE), "dispose nothing")
    game = move(move(merge_again(game), "place 4C"), "dispose nothing")
    assert [text for text, origin in log_of(game) if origin] == ["dispose sell 5"]
    assert game.waiting_for == bob
    assert orders_of(seen_by(game, bob)) == []


def test_order_for_once_ends_with_a_merger_in_which_it_asked(game: Game, bob: User) -> None:
    give(game, bob, {"hold": 5, "trade": 0, "bank": 22}, once=True)
    game = move(move(game, TILE), "dispose nothing")
    assert game.waiting_for == bob
    assert len(orders_of(seen_by(game, bob))) == 1
    game = move(game, "dispose nothing")
    game = move(move(merge_again(game), "place 4C"), "dispose nothing")
    assert game.waiting_for == bob
    assert order_that_asks(seen_by(game, bob)) is None


def test_order_for_once_returns_when_its_merger_is_taken_back(
    game: Game, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = game.state
    monkeypatch.setattr(positions, "initial_state", lambda game: game.rule_system.state_from_json(began))
    give(game, alice, once=True)
    give(game, bob, {"chain": "tower"}, once=True)
    game = move(game, TILE)
    assert orders_of(seen_by(game, alice))[0].occasion == "4A"
    # Her merger is answered; nobody else has decided, so she takes the tile back.
    take_back(game_id=game.pk, number=game.version + 1, to=0, by=alice)
    assert [(order.occasion, order.topic) for order in orders_of(seen_by(game, alice))] == [("", "")]
    game = move(move(game, "place 12H"), "buy nothing")
    assert len(orders_of(seen_by(game, alice))) == 1


def test_order_for_once_answers_for_every_chain_of_one_merger(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    chains = {"tower": "1A-3A", "luxor": "5A 6A", "worldwide": "4B 4C"}
    shares = {"luxor": [0, 5, 0], "worldwide": [0, 4, 0]}
    state = position(chains, hands=["4A", "12I", "12G"], shares=shares)
    game = put(start(alice, bob, carol, **SEATED), state)
    give(game, bob, once=True)
    game = move(move(game, TILE), "next luxor")
    assert log_of(game)[2:] == [("dispose sell 5", "order"), ("dispose sell 4", "order")]


def test_withdrawn_order_does_not_answer(game: Game, bob: User) -> None:
    give(game, bob)
    assert withdraw_order(game_id=game.pk, by=bob, topic="")
    assert not withdraw_order(game_id=game.pk, by=bob, topic="")
    game = move(move(game, TILE), "dispose nothing")
    assert game.waiting_for == bob


def test_order_of_another_player_cannot_be_withdrawn(game: Game, alice: User, bob: User) -> None:
    give(game, bob)
    assert not withdraw_order(game_id=game.pk, by=alice, topic="")
    assert game.orders.get().user == bob


# -- Refusals --------------------------------------------------------------------------------------------


def test_only_players_of_a_running_game_give_orders(game: Game, bob: User) -> None:
    dora = User.objects.create_user("dora")
    with pytest.raises(NotSeated):
        give(game, dora)
    play_to_the_end(game)
    with pytest.raises(GameNotRunning):
        give(game, bob)


def test_player_with_a_stand_in_cannot_give_orders(game: Game, bob: User) -> None:
    seen = seen_by(game, bob)
    assert takes_orders(seen)
    concede(game_id=game.pk, by=bob)
    assert not takes_orders(seen_by(game, bob))
    with pytest.raises(BotIsPlaying):
        give(game, bob)


def test_preset_without_disposals_takes_no_orders(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, preset="course")
    with pytest.raises(NoStandingOrders):
        give(game, alice)
    assert not takes_orders(seen_by(game, alice))


def test_invalid_order_is_refused_and_not_stored(game: Game, bob: User) -> None:
    with pytest.raises(InvalidOrder):
        give(game, bob, {"trade": 3})
    assert not StandingOrder.objects.exists()


def test_personal_data_contain_own_orders_only(game: Game, alice: User, bob: User) -> None:
    give(game, bob, {"chain": "luxor", **SELL})
    files = {user: dict(personal_data.my_data(user))["orders.json"].decode() for user in (alice, bob)}
    assert "luxor" in files[bob]
    assert files[alice] == "[]"


# -- Exactly once ----------------------------------------------------------------------------------------


def test_order_for_once_survives_a_failed_move(
    game: Game, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(game, bob, once=True)
    game = move(game, TILE)
    illegal = game.rule_system.parse_move("dispose sell 7")
    with monkeypatch.context() as patch:
        patch.setattr(acquire, "answer", lambda order, seen: illegal)
        game = move(game, "dispose nothing")
    assert game.waiting_for == bob
    assert game.orders.get().occasion == ""
    play_automatic_moves(game)
    assert log_of(game)[2:] == [("dispose sell 5", "order")]


@pytest.mark.parametrize("preset", ["avalon-hill", "classic"])
def test_games_with_random_orders_and_plans_end_and_replay(
    preset: str, start: NewGame, alice: User, bob: User, carol: User
) -> None:
    rng = Random(preset)
    game = start(alice, bob, carol, preset=preset, terms={"skips": True})
    while game.is_running:
        if rng.random() < 0.2:
            somebody_plans(game, rng)
        if rng.random() < 0.2:
            # Mostly orders that can be followed.
            terms = rng.choice([order_to_json(random_order(rng)), SELL, TRADE])
            give(game, rng.choice([alice, bob, carol]), terms, once=rng.random() < 0.3)
        game = play_on(game, 1, seed=rng.randrange(1 << 30))
    assert game.is_finished
    assert replay(game).faults == []
    assert list(game.moves.values_list("number", flat=True)) == list(range(1, game.version + 1))
    assert set(game.moves.values_list("origin", flat=True)) == {"", "order", "plan", "forced"}
