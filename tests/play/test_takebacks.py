"""Takebacks of steps of the own turn, until something was revealed or somebody else has acted."""

from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.archive.replay import replay, worth_by_turn
from games.lobby.departures import leave_all_games
from games.log import positions
from games.models import Game, LogEntry, Notification, Reliability
from games.play import takebacks
from games.play.deadlines.outages import extend
from games.play.deadlines.vacation_clocks import plan_vacation
from games.play.seats.absence_vote import vote_on_absent
from games.play.takebacks import take_back, takeback_targets
from games.refusals import DecisionTimedOut, NotSeated, NotYourDecision, StalePosition, TakebackExpired
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, play_on, play_to_the_end, seen_by
from tests.support.mailboxes import with_mailbox
from tests.support.merger_game import SEATED, TILE, before_a_merger, move
from tests.support.proof import seeds
from tests.support.timed_games import sweep

pytestmark = pytest.mark.django_db

# Every decision is asked, so each turn consists of several steps.
ASKED = {"skips": False}
HOUR = timedelta(hours=1)


def reload(game: Game) -> Game:
    return Game.with_secrets.get(pk=game.pk)


def asked(game: Game) -> User:
    return game.seats.get(number=reload(game).seat_to_move).user


def goals(game: Game, user: User) -> list[int]:
    look = seen_by(game, user)
    return takeback_targets(look.game, look.seats[look.seat], look.seen.turn, look.entries)


def back(game: Game, user: User, to: int, number: int | None = None) -> LogEntry:
    version = reload(game).version
    return take_back(game_id=game.pk, number=number or version + 1, to=to, by=user)


def until(game: Game, decision: str) -> Game:
    """Play until this kind of decision is asked for the first time."""
    seed = 0
    while game.seat_to_move is not None and game.decision_kind != decision:
        game, seed = play_on(game, 1, seed), seed + 1
    assert game.decision_kind == decision
    return game


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    """A game in which a tile was just placed and a purchase is asked."""
    game = until(start(alice, bob, terms=ASKED), "buy")
    while not game.moves.last().text.startswith("place"):
        game = until(play_on(game, 1), "buy")
    return game


def test_tile_is_taken_back_and_placed_anew(game: Game) -> None:
    player = asked(game)
    [goal] = goals(game, player)

    entry = back(game, player, goal)

    assert (entry.kind, entry.text, entry.user) == (LogEntry.Kind.RULING, f"back to {goal}", player)
    after = reload(game)
    assert (after.version, after.decision_kind, after.waiting_for) == (game.version + 1, "place", player)
    play_to_the_end(game)
    assert replay(reload(game)).faults == []


def test_step_taken_back_stays_in_the_log(game: Game) -> None:
    placed, player = game.moves.last(), asked(game)
    back(game, player, placed.number - 1)
    assert placed in game.moves.all()
    assert seen_by(game, player).gone == {placed.number}


def test_takeback_restores_the_position_before_the_step(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob, terms=ASKED), 30)
    for seed in range(40):
        if game.decision_kind != "place":
            game = play_on(game, 1, seed)
            continue
        before, moved = game.state, play_on(game, 1, seed)
        if goal := goals(moved, asked(game)):
            back(moved, asked(game), goal[0])
            assert reload(game).state == before
        game = play_on(game, 1, seed + 100)


def test_drawn_tile_ends_takebacks(game: Game) -> None:
    player = asked(game)
    game = play_on(game, 1)
    assert goals(game, player) == []
    with pytest.raises(TakebackExpired):
        back(game, player, game.version - 1)
    assert reload(game).version == game.version


def test_step_of_another_player_cannot_be_taken_back(game: Game, alice: User, bob: User, carol: User) -> None:
    [other] = {alice, bob} - {asked(game)}
    assert goals(game, other) == []
    with pytest.raises(TakebackExpired):
        back(game, other, game.version - 1)
    with pytest.raises(NotSeated):
        back(game, carol, game.version - 1)


def test_turn_is_taken_back_step_by_step_or_at_once(start: NewGame, alice: User, bob: User) -> None:
    game = until(start(alice, bob, terms=ASKED), "found")
    player, first = asked(game), game.version - 1
    game = play_on(game, 1)
    assert goals(game, player) == [first + 1, first]
    back(game, player, first + 1)
    assert (reload(game).decision_kind, goals(game, player)) == ("found", [first])
    back(game, player, first)
    assert (reload(game).decision_kind, goals(game, player)) == ("place", [])


def test_forced_move_is_taken_back_with_the_step_before_it(
    start: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = until(start(alice, bob, terms=ASKED), "found")
    player, first = asked(game), game.version - 1
    play_on(game, 1)
    game.moves.filter(number=first + 2).update(
        origin=LogEntry.Origin.FORCED_MOVE, author=LogEntry.Author.HOUSE, user=None
    )
    assert goals(game, player) == [first]


def test_decision_of_the_house_cannot_be_taken_back(game: Game) -> None:
    player = asked(game)
    game.moves.filter(number=game.version).update(author=LogEntry.Author.HOUSE, user=None)
    assert goals(game, player) == []


def test_merger_can_be_taken_back_until_another_holder_has_decided(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    seen = set()
    for seed in range(8):
        game = start(alice, bob, carol, terms=ASKED)
        while game.seat_to_move is not None and len(seen) < 2:
            game = play_on(game, 1, seed * 1000 + game.version)
            if game.decision_kind != "dispose":
                continue
            mover = game.seats.get(number=game.state["turn"]).user
            last = game.moves.last()
            if last.user == mover:
                assert goals(game, mover)
                seen.add("nobody else has decided")
            else:
                assert goals(game, mover) == []
                seen.add("somebody has")
        if len(seen) == 2:
            return
        leave_all_games(alice)
        leave_all_games(bob)
        leave_all_games(carol)
    assert len(seen) == 2


def test_takeback_closes_the_vote_on_a_player_no_longer_asked(
    start: NewGame, alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares = {"luxor": [0, 5, 3], "tower": [0, 1, 3]}
    terms = {**ASKED, "pace": 86400, "overrun": "vote"}
    game = before_a_merger(start(alice, bob, carol, terms=terms, **SEATED), shares=shares)
    began = game.state
    monkeypatch.setattr(positions, "initial_state", lambda game: game.rule_system.state_from_json(began))
    game = move(game, TILE)
    assert game.waiting_for == bob
    game.seats.filter(user=bob).update(replacement_vote_open=True)
    back(game, alice, 0)
    deadline = reload(game).deadline
    with pytest.raises(NotYourDecision):
        vote_on_absent(game_id=game.pk, user=carol, replace=False)
    assert reload(game).deadline == deadline


def test_bank_tile_of_two_players_ends_takebacks(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, terms=ASKED)
    seed = 0
    while game.decision_kind != "dispose":
        game, seed = play_on(game, 1, seed), seed + 1
    mover = game.seats.get(number=game.state["turn"]).user
    assert any(event["kind"] == "banktile" for event in game.moves.last().events)
    assert goals(game, mover) == []


def test_game_without_takebacks_refuses_them(start: NewGame, alice: User, bob: User) -> None:
    game = until(start(alice, bob, terms={**ASKED, "takebacks": False}), "buy")
    assert goals(game, asked(game)) == []
    with pytest.raises(TakebackExpired):
        back(game, asked(game), game.version - 1)


def test_repeated_takeback_is_the_same_success(game: Game) -> None:
    player, number = asked(game), game.version + 1
    first = back(game, player, game.version - 1, number)
    assert back(game, player, game.version - 1, number) == first
    with pytest.raises(StalePosition):
        back(game, player, 0 if game.version > 1 else 5, number)
    with pytest.raises(StalePosition):
        back(game, player, game.version - 1, number + 5)


# -- Time ----------------------------------------------------------------------------------------------


def clear(game: Game, *, hours: float) -> timedelta:
    """Leave this much time to the decider."""
    left = timedelta(hours=hours)
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() + left)
    return left


def left(game: Game) -> timedelta:
    game = reload(game)
    return game.time_left if game.deadline is None else game.deadline - timezone.now()


@pytest.fixture
def timed(clock: Any, start: NewGame, alice: User, bob: User) -> Game:
    """A game in which alice placed a tile with ten hours left, and has a day for the purchase."""
    game = start(alice, bob, preset="course", terms={**ASKED, "pace": 86400})
    clear(game, hours=10)
    game = play_on(game, 1)
    assert (game.waiting_for, game.moves.get().time_left, left(game)) == (alice, 10 * HOUR, 24 * HOUR)
    return game


def test_takebacks_and_repeated_moves_gain_no_time(clock: Any, timed: Game, alice: User) -> None:
    clock.shift(4 * HOUR)
    back(timed, alice, 0)
    assert left(timed) == 6 * HOUR
    clock.shift(HOUR)
    play_on(reload(timed), 1)
    clock.shift(2 * HOUR)
    back(timed, alice, 2)
    assert left(timed) == 3 * HOUR


def test_takeback_of_several_steps_restores_the_time_of_the_first(
    clock: Any, start: NewGame, alice: User, bob: User
) -> None:
    game = until(start(alice, bob, terms={**ASKED, "pace": 86400}), "found")
    player, first = asked(game), game.version - 1
    clock.shift(5 * HOUR)
    game = play_on(game, 1)
    clock.shift(3 * HOUR)
    back(game, player, first + 1)
    assert left(game) == 16 * HOUR
    back(game, player, first)
    assert left(game) == 16 * HOUR


def test_step_whose_time_is_over_cannot_be_taken_back(clock: Any, timed: Game, alice: User) -> None:
    clock.shift(10 * HOUR)
    with pytest.raises(DecisionTimedOut):
        back(timed, alice, 0)


def test_vacation_after_the_step_changes_no_time(clock: Any, timed: Game, alice: User) -> None:
    clock.shift(4 * HOUR)
    today = timezone.localdate()
    vacation = plan_vacation(user=alice, first=today, last=today + timedelta(days=3))
    assert left(timed) == 20 * HOUR
    clock.shift(2 * HOUR)
    back(timed, alice, 0)
    assert (reload(timed).deadline, reload(timed).time_left) == (None, 6 * HOUR)
    clock.move_to(vacation.ends)
    sweep()
    assert left(timed) == 6 * HOUR


def test_time_given_after_the_step_is_kept(clock: Any, timed: Game, alice: User) -> None:
    clock.shift(20 * HOUR)
    extend(15 * HOUR, [timed.public_id])
    back(timed, alice, 0)
    assert left(timed) == 5 * HOUR


def test_time_of_other_deciders_is_not_charged(
    clock: Any, start: NewGame, alice: User, bob: User, carol: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    shares = {"luxor": [0, 5, 3], "tower": [0, 1, 3]}
    game = before_a_merger(start(alice, bob, carol, terms={**ASKED, "pace": 86400}, **SEATED), shares=shares)
    began = game.state
    monkeypatch.setattr(positions, "initial_state", lambda game: game.rule_system.state_from_json(began))
    clear(game, hours=10)
    assert move(reload(game), TILE).waiting_for == bob
    clock.shift(12 * HOUR)
    back(game, alice, 0)
    assert (reload(game).waiting_for, left(game)) == (alice, 10 * HOUR)


def test_takeback_across_a_timeout_is_refused(clock: Any, timed: Game, alice: User) -> None:
    clock.shift(24 * HOUR)
    assert sweep() == 1
    assert timed.moves.last().text == "grace 0"
    with pytest.raises(DecisionTimedOut):
        back(timed, alice, 0)


def test_time_bank_is_charged_with_the_time_used(clock: Any, start: NewGame, alice: User, bob: User) -> None:
    terms = {**ASKED, "pace": 86400, "bank": 48 * 3600, "cap": 50 * 3600}
    game = start(alice, bob, preset="course", terms=terms)
    clock.shift(5 * HOUR)
    for version in (0, 2, 4):
        game = play_on(reload(game), 1)
        clock.shift(HOUR)
        back(game, alice, version)
    assert left(game) == 40 * HOUR
    game = play_on(reload(game), 1)
    assert left(game) == 50 * HOUR
    assert game.seats.get(user=alice).time_bank_left == 50 * HOUR


def test_repeated_step_counts_as_one_decision(timed: Game, alice: User) -> None:
    for version in (0, 2, 4):
        back(timed, alice, version)
        play_on(reload(timed), 1)
    assert Reliability.objects.get(user=alice).decisions == 1


def test_takeback_that_restarts_the_clock_is_detected(
    clock: Any, timed: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: without setting the clock back, takebacks gain time."""
    monkeypatch.setattr(takebacks, "_set_clock_back", lambda *facts: None)
    clock.shift(4 * HOUR)
    back(timed, alice, 0)
    assert left(timed) > 10 * HOUR


# -- Consequences --------------------------------------------------------------------------------------


def test_takeback_withdraws_the_notification_of_the_next_decider(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    for user in (alice, bob, carol):
        with_mailbox(user)
    game, seed = start(alice, bob, carol, terms=ASKED), 0
    while True:
        game, seed = play_on(game, 1, seed), seed + 1
        mover = game.seats.get(number=game.state["turn"]).user
        if game.decision_kind == "dispose" and game.waiting_for != mover and game.moves.last().user == mover:
            break
    other = game.waiting_for
    waiting = Notification.objects.filter(state="waiting", kind="decision", game=game)
    assert waiting.filter(user=other).exists()
    back(game, mover, goals(game, mover)[0])
    assert set(waiting.values_list("user", flat=True)) == {mover.pk}


def test_takeback_is_refused_when_the_log_does_not_lead_to_the_state(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(state={**game.state, "cash": [1, 2]})
    with pytest.raises(RuntimeError, match="does not lead"):
        back(game, asked(game), game.version - 1)
    assert reload(game).state["cash"] == [1, 2]


@pytest.mark.parametrize("seed", seeds(1, 3))
def test_games_with_many_takebacks_end_and_replay(
    seed: int, start: NewGame, alice: User, bob: User, carol: User
) -> None:
    """Random moves and takebacks: the log replays, and the invariants of the rules hold."""
    rng, times = Random(seed), 0
    game = start(alice, bob, carol, "random", preset=rng.choice(["avalon-hill", "course", "classic"]))
    while game.seat_to_move is not None:
        game = play_on(game, 1, rng.randrange(10**6))
        if not game.is_running or rng.random() > 0.5:
            continue
        for user in (alice, bob, carol):
            if found := goals(game, user):
                back(game, user, rng.choice(found))
                times += 1
                game = reload(game)
        system = game.rule_system
        assert system.invariants(system.state_from_json(game.state)) == []
    assert times > 20
    replayed = replay(game)
    assert replayed.faults == []
    assert replayed.moves == game.moves.filter(kind=LogEntry.Kind.MOVE).count()
    assert len(positions.standing_moves(game.moves.all())) < replayed.moves
    assert worth_by_turn(game)[-1] == game.state["cash"]


def test_missing_barrier_is_detected(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: no event counts as revealing, so a drawn tile can be taken back."""
    game = play_on(game, 1)
    player = game.moves.last().user
    assert goals(game, player) == []
    system = game.rule_system
    monkeypatch.setattr(system, "reveals_secret", lambda rules, events: False)
    look = seen_by(game, player)
    assert takeback_targets(look.game, look.seats[look.seat], look.seat, look.entries)


# -- At the table --------------------------------------------------------------------------------------


def page_of(game: Game, user: User) -> tuple[Client, str]:
    client = client_of(user)
    return client, client.get(game.get_absolute_url()).content.decode()


def test_table_offers_takebacks_to_the_player_who_may(game: Game, alice: User, bob: User) -> None:
    player = asked(game)
    client, page = page_of(game, player)
    address = reverse("take-back", args=[game.public_id, game.version + 1])
    assert address in page
    assert "Take back" in page
    assert "Restart the turn" not in page
    [other] = {alice, bob} - {player}
    assert address not in page_of(game, other)[1]

    answer = client.post(address, {"to": game.version - 1}, follow=True)

    assert wording.TOOK_BACK.format(who="You") in answer.content.decode()
    assert "<s>" in answer.content.decode()
    assert reload(game).decision_kind == "place"


@pytest.mark.parametrize("posted, status", [({}, 422), ({"to": "x"}, 422), ({"to": "77"}, 409)])
def test_impossible_takeback_is_refused_with_a_message(
    posted: dict[str, str], status: int, game: Game
) -> None:
    client, _page = page_of(game, asked(game))
    answer = client.post(reverse("take-back", args=[game.public_id, game.version + 1]), posted)
    assert answer.status_code == status
    assert 'class="problem"' in answer.content.decode()
    assert reload(game).version == game.version
