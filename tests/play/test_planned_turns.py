"""Planned turns: kept, followed, stopped and dropped; and whole turns sent at once."""

from typing import Any

import pytest

from accounts.models import User
from games.engine.owner_must_decide import OwnerMustDecide
from games.engine.planned_turns.plan_errors import InvalidPlan, PlanView
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.board import SQUARE_NAMES
from games.lobby.departures import leave_all_games
from games.models import Game, Kind, LogEntry, Notification, PlannedTurn
from games.play.automation.plan_view import planned
from games.play.automation.planned_turns import keep_plan, play_turn, withdraw_plan
from games.play.automation.standing_orders import save_order
from games.play.takebacks import take_back
from games.refusals import NotSeated, NotYourDecision, StalePosition
from tests.engine.rules.acquire.acquire_positions import position
from tests.support.games import NewGame, play_on, put, seen_by, whole_record
from tests.support.mailboxes import with_mailbox
from tests.support.planned_turns import board, log_of, plan_of, play, who

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(start: NewGame, alice: User, bob: User, carol: User) -> Game:
    return start(alice, bob, carol)


@pytest.fixture
def waiting(game: Game) -> Game:
    """A game in which seat 0 places a tile next, and seat 1 holds 5A, which would found a chain."""
    return put(game, position({"lone": "4A"}, hands=("1I 2I", "5A 9I", "1C 2C"), turn=0))


def shown_to(game: Game, user: User) -> PlanView | None:
    return planned(seen_by(game, user))


WHOLE = {"found": ["found tower"], "buy": ["buy 2 tower"]}


# -- Followed ------------------------------------------------------------------------------------------------


def test_plan_is_played_when_its_turn_comes(waiting: Game) -> None:
    plan_of(waiting, 1, tile="5A", board=board(waiting), answers=WHOLE)
    game = play(waiting, "place 1I", "buy nothing")
    assert log_of(game)[2:] == [
        (1, "place 5A", "plan"),
        (1, "found tower", "plan"),
        (1, "buy 2 tower", "plan"),
    ]
    assert (game.seat_to_move, game.decision_kind) == (2, "place")
    entry = game.moves.get(text="place 5A")
    assert (entry.author, entry.user) == (LogEntry.Author.PERSON, who(game, 1))


def test_planned_moves_notify_nobody(waiting: Game) -> None:
    planner, other = with_mailbox(who(waiting, 1)), with_mailbox(who(waiting, 2))
    plan_of(waiting, 1, tile="5A", answers=WHOLE)
    game = play(waiting, "place 1I", "buy nothing")
    told = Notification.objects.filter(game=game, kind=Kind.DECISION, version__gt=0)
    assert list(told.values_list("user", "version")) == [(other.pk, 5)]
    assert planner != other


def test_plan_is_deleted_after_its_turn(waiting: Game) -> None:
    plan_of(waiting, 1, tile="5A", answers=WHOLE)
    play(waiting, "place 1I", "buy nothing")
    assert not PlannedTurn.objects.exists()


def test_decision_left_open_is_asked_before_the_plan_continues(waiting: Game) -> None:
    plan_of(waiting, 1, tile="5A", answers={"buy": ["buy 2 tower"]})
    game = play(waiting, "place 1I", "buy nothing")
    assert (game.seat_to_move, game.decision_kind) == (1, "found")
    game = play(game, "found tower")
    assert log_of(game)[-2:] == [(1, "found tower", ""), (1, "buy 2 tower", "plan")]


def test_planned_purchase_waits_for_the_disposals_of_others(game: Game) -> None:
    chains = {"tower": "2A-4A", "luxor": "6A-7A"}
    hands, shares = ("1I", "5A 9I", "1C"), {"luxor": [3, 0, 2]}
    game = put(game, position(chains, hands=hands, shares=shares, turn=0))
    plan_of(game, 1, tile="5A", answers={"buy": ["buy 3 tower"]})
    game = play(game, "place 1I", "buy nothing")
    assert (game.seat_to_move, game.decision_kind) == (2, "dispose")
    assert PlannedTurn.objects.get().stop_reason is None
    game = play(game, "dispose sell 2", "dispose sell 3")
    assert log_of(game)[-1] == (1, "buy 3 tower", "plan")


def test_rest_of_the_turn_can_be_planned_during_disposals(game: Game) -> None:
    chains = {"tower": "2A-4A", "luxor": "6A-7A"}
    shares = {"luxor": [0, 0, 2]}
    game = put(game, position(chains, hands=("1I", "5A 9I", "1C"), shares=shares, turn=1))
    game = play(game, "place 5A")
    plan_of(game, 1, answers={"buy": ["buy 3 tower"]})
    game = play(game, "dispose sell 2")
    assert log_of(game)[-1] == (1, "buy 3 tower", "plan")


def test_plan_may_declare_the_end(game: Game) -> None:
    game = put(game, position({"tower": "1A-11A"}, hands=("1I", "5E", "1C"), turn=0))
    plan_of(game, 1, tile="5E", answers={"buy": ["buy nothing"]}, end=True)
    plan_of(game, 2, tile="1C")
    game = play(game, "place 1I", "buy nothing")
    assert game.is_finished
    assert not PlannedTurn.objects.exists()


def test_plan_kept_after_its_turn_began_is_followed_at_once(waiting: Game) -> None:
    """It was written while the turn before was ending."""
    seen = board(waiting)
    game = play(waiting, "place 1I", "buy nothing")
    assert game.seat_to_move == 1
    plan_of(game, 1, tile="5A", board=seen, answers=WHOLE)
    game = Game.with_secrets.get(pk=game.pk)
    assert [text for _seat, text, _origin in log_of(game)[2:]] == ["place 5A", "found tower", "buy 2 tower"]
    assert game.seat_to_move == 2


def test_later_plan_replaces_the_earlier_one(waiting: Game) -> None:
    plan_of(waiting, 1, tile="9I")
    plan_of(waiting, 1, tile="5A", answers=WHOLE)
    game = play(waiting, "place 1I", "buy nothing")
    assert log_of(game)[2][1] == "place 5A"


def test_withdrawn_plan_is_not_followed(waiting: Game) -> None:
    plan_of(waiting, 1, tile="5A", answers=WHOLE)
    for _ in range(2):
        withdraw_plan(game_id=waiting.pk, user=who(waiting, 1))
    game = play(waiting, "place 1I", "buy nothing")
    assert (game.seat_to_move, game.version) == (1, 2)


def test_standing_order_answers_between_the_parts_of_a_plan(game: Game) -> None:
    chains = {"tower": "2A-4A", "luxor": "6A-7A"}
    shares = {"luxor": [0, 4, 0]}
    game = put(game, position(chains, hands=("1I", "5A 9I", "1C"), shares=shares, turn=0))
    save_order(game_id=game.pk, by=who(game, 1), terms={"hold": 0}, once=False)
    plan_of(game, 1, tile="5A", answers={"buy": ["buy 1 tower"]})
    game = play(game, "place 1I", "buy nothing")
    assert log_of(game)[2:] == [
        (1, "place 5A", "plan"),
        (1, "dispose trade 4", "order"),
        (1, "buy 1 tower", "plan"),
    ]


# -- Stopped -------------------------------------------------------------------------------------------------


def test_new_neighbour_of_the_tile_stops_the_plan(waiting: Game) -> None:
    game = put(waiting, position({"lone": "4A"}, hands=("6A 2I", "5A 9I", "1C"), turn=0))
    plan_of(game, 1, tile="5A", board=board(game), answers=WHOLE)
    game = play(game, "place 6A", "buy nothing")
    assert (game.seat_to_move, game.decision_kind, game.version) == (1, "place", 2)
    planned = shown_to(game, who(game, 1))
    assert planned is not None and planned.stopped is not None
    assert (planned.stopped.reason, planned.stopped.facts) == ("changed", {"tile": "5A", "square": "6A"})


def test_stopped_plan_leaves_the_whole_turn_to_its_owner(waiting: Game) -> None:
    game = put(waiting, position({"lone": "4A"}, hands=("6A 2I", "5A 9I", "1C"), turn=0))
    plan_of(game, 1, tile="5A", board=board(game), answers={"buy": ["buy nothing"], **WHOLE})
    game = play(game, "place 6A", "buy nothing", "place 5A")
    assert (game.seat_to_move, game.decision_kind) == (1, "found")
    game = play(game, "found tower", "buy nothing")
    assert not PlannedTurn.objects.exists()


def test_unaffordable_purchase_after_a_merger_stops_the_plan(game: Game) -> None:
    chains = {"tower": "2A-4A", "luxor": "6A-7A"}
    state = position(chains, hands=("1I", "5A 9I", "1C"), cash=[0, 0, 0], turn=0)
    game = put(game, state)
    plan_of(game, 1, tile="5A", answers={"buy": ["buy 3 tower"]})
    game = play(game, "place 1I", "buy nothing")
    assert (game.seat_to_move, game.decision_kind) == (1, "buy")
    planned = shown_to(game, who(game, 1))
    assert planned is not None and planned.stopped is not None
    assert planned.stopped.reason == "too dear"


def test_failing_plan_leaves_the_decision_to_its_owner(
    waiting: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from games.play.automation import automatic_moves

    plan_of(waiting, 1, tile="5A", answers=WHOLE)
    monkeypatch.setattr(automatic_moves, "PLANS", {"acquire": None})
    game = play(waiting, "place 1I", "buy nothing")
    assert (game.seat_to_move, game.version) == (1, 2)
    assert "5A" not in caplog.text and "tower" not in caplog.text


def test_plan_that_was_taken_back_is_not_followed_again(game: Game) -> None:
    state = acquire.state_from_json(Game.with_secrets.get(pk=game.pk).state)
    tile = SQUARE_NAMES[state.hands[1][0]]
    plan_of(game, 1, tile=tile)
    # The first player has already used it.
    while game.seat_to_move != 1 and log_of(game)[-1:] != [(1, f"place {tile}", "plan")]:
        game = play_on(game, 1)
    game = Game.with_secrets.get(pk=game.pk)
    assert log_of(game)[-1] == (1, f"place {tile}", "plan")
    before, number, user = game.version - 1, game.version + 1, who(game, 1)
    take_back(game_id=game.pk, number=number, to=before, by=user)
    game = Game.with_secrets.get(pk=game.pk)
    assert (game.seat_to_move, game.decision_kind, game.version) == (1, "place", number)
    planned = shown_to(game, user)
    assert planned is not None and planned.stopped == OwnerMustDecide("taken back")


# -- Refused -------------------------------------------------------------------------------------------------


def test_stranger_may_not_plan(waiting: Game, db: None) -> None:
    with pytest.raises(NotSeated):
        keep_plan(game_id=waiting.pk, user=User.objects.create_user("dora"), plan={"tile": "5A"})


def test_tile_not_in_hand_cannot_be_planned(waiting: Game) -> None:
    for tile in ("1C", "1I", "12I"):
        with pytest.raises(InvalidPlan, match="not in hand"):
            plan_of(waiting, 1, tile=tile)
    assert not PlannedTurn.objects.exists()


def test_refused_plan_keeps_the_earlier_one(waiting: Game) -> None:
    plan_of(waiting, 1, tile="5A")
    with pytest.raises(InvalidPlan):
        plan_of(waiting, 1, tile="1C")
    assert PlannedTurn.objects.get().plan_json["tile"] == "5A"


def test_finished_game_takes_no_plans(waiting: Game) -> None:
    Game.objects.filter(pk=waiting.pk).update(status=Game.Status.FINISHED, finished=waiting.last_change_at)
    with pytest.raises(NotYourDecision):
        plan_of(waiting, 1, tile="5A")


# -- A whole turn at once ------------------------------------------------------------------------------------


def turn_of(game: Game, user: User, number: int | None = None, **plan: Any) -> LogEntry:
    number = game.version + 1 if number is None else number
    return play_turn(game_id=game.pk, number=number, plan=plan, by=user)


@pytest.fixture
def asked(game: Game) -> Game:
    """A game in which seat 1 places a tile: 5A would found a chain."""
    return put(game, position({"lone": "4A"}, hands=("1I 2I", "5A 9I", "1C 2C"), turn=1))


def test_whole_turn_is_played_at_once(asked: Game) -> None:
    first = turn_of(asked, who(asked, 1), tile="5A", answers=WHOLE)
    game = Game.with_secrets.get(pk=asked.pk)
    assert (first.number, first.text, first.origin) == (1, "place 5A", "")
    assert [text for _seat, text, _origin in log_of(game)] == ["place 5A", "found tower", "buy 2 tower"]
    assert game.seat_to_move == 2
    assert not PlannedTurn.objects.exists()


def test_repeated_turn_is_the_same_success(asked: Game) -> None:
    user = who(asked, 1)
    first = turn_of(asked, user, tile="5A", answers=WHOLE)
    before = whole_record(asked)
    assert turn_of(asked, user, tile="5A", answers=WHOLE) == first
    assert whole_record(asked) == before
    assert not PlannedTurn.objects.exists()


def test_different_turn_for_the_same_place_is_stale(asked: Game) -> None:
    turn_of(asked, who(asked, 1), tile="5A", answers=WHOLE)
    with pytest.raises(StalePosition):
        turn_of(asked, who(asked, 1), tile="9I")


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        ({"tile": "1C"}, "not in hand"),
        ({"tile": ""}, "choose a tile"),
        ({"tile": "5A", "answers": {"found": ["found moon"]}}, "no plan"),
        ({"tile": "9I", "answers": {"buy": ["buy 1 tower"]}}, "not on the board"),
        ({"tile": "5A", "answers": {"found": ["found tower"], "buy": ["buy 1 luxor"]}}, "not on the board"),
    ],
)
def test_illegal_turn_is_refused_as_a_whole(plan: dict[str, Any], reason: str, asked: Game) -> None:
    before = whole_record(asked)
    with pytest.raises(InvalidPlan, match=reason):
        turn_of(asked, who(asked, 1), **plan)
    assert whole_record(asked) == before
    assert not PlannedTurn.objects.exists()


def test_turn_of_another_seat_is_refused(asked: Game) -> None:
    with pytest.raises(NotYourDecision):
        turn_of(asked, who(asked, 0), tile="1I")
    assert not PlannedTurn.objects.exists()


def test_turn_during_disposals_is_refused(game: Game) -> None:
    chains = {"tower": "2A-4A", "luxor": "6A-7A"}
    shares = {"luxor": [0, 0, 2]}
    game = put(game, position(chains, hands=("1I", "5A 9I", "1C"), shares=shares, turn=1))
    game = play(game, "place 5A")
    assert (game.seat_to_move, game.decision_kind) == (2, "dispose")
    with pytest.raises(NotYourDecision):
        turn_of(game, who(game, 2), tile="1C")
    assert not PlannedTurn.objects.exists()


def test_turn_with_a_merger_continues_after_the_disposals(game: Game) -> None:
    chains = {"tower": "2A-4A", "luxor": "6A-7A"}
    shares = {"luxor": [0, 0, 2]}
    game = put(game, position(chains, hands=("1I", "5A 9I", "1C"), shares=shares, turn=1))
    turn_of(game, who(game, 1), tile="5A", answers={"buy": ["buy 3 tower"]})
    game = play(game, "dispose sell 2")
    assert log_of(game)[-1] == (1, "buy 3 tower", "plan")
    assert game.seat_to_move == 2


# -- Departures ----------------------------------------------------------------------------------------------


def test_plan_is_deleted_when_its_owner_leaves_the_site(waiting: Game) -> None:
    user = who(waiting, 1)
    plan_of(waiting, 1, tile="5A", answers=WHOLE)
    leave_all_games(user)
    assert not PlannedTurn.objects.exists()
    game = play_on(waiting, 2)
    assert all(origin != "plan" for _seat, _text, origin in log_of(game))
