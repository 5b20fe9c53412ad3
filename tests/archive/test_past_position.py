"""Past positions, as each viewer saw them."""

from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import Http404

from accounts.models import User
from games.archive.past_position import (
    MAX_REPLAYED,
    latest_positions,
    position_at,
    spectator_positions,
)
from games.archive.replay import replay
from games.log import positions, rulings
from games.models import Game, LogEntry
from games.play import takebacks
from games.play.game_columns import set_position
from games.play.ruling_entry import enter_moderator_ruling
from games.play.seats.concession import concede
from games.play.seats.practice_hands import OpenHand
from games.play.takebacks import takeback_targets
from games.refusals import NoSuchPosition
from tests.support.games import NewGame, play_on, play_to_the_end, seen_by
from tests.support.practice_tables import decide, practise

pytestmark = pytest.mark.django_db

STRANGER: Any = AnonymousUser()


def reload(game: Game) -> Game:
    return Game.with_secrets.get(pk=game.pk)


def seen_at(game: Game, user: Any, number: int) -> Any:
    return position_at(game.public_id, user, number).look.seen


def seen_now(game: Game, user: Any) -> Any:
    """The user's present view of the table, without legal moves."""
    return replace(seen_by(game, user).seen, legal=())


def take_back(game: Game) -> Game:
    """Take back the last step, as its player."""
    user = game.seats.get(number=game.moves.last().seat).user
    look = seen_by(game, user)
    goal = takeback_targets(look.game, look.seats[look.seat], look.seen.turn, look.entries)[-1]
    takebacks.take_back(game_id=game.pk, number=game.version + 1, to=goal, by=user)
    return reload(game)


def hand_over(game: Game, number: int, to: User) -> Game:
    """Give the seat to another user by a moderator's ruling."""
    game = reload(game)
    seat = game.seats.get(number=number)
    assert seat.user is not None
    before, seat.user = seat.user.pk, to
    seat.save()
    enter_moderator_ruling(
        game, rulings.handover_ruling(number, to.pk, before, "appoints"), seat=number, reason="ill"
    )
    return reload(game)


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return start(alice, bob, "random")


# -- Views -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"holdings": "hidden"}], ids=["open", "hidden holdings"])
def test_past_position_equals_view_at_that_time(
    start: NewGame, alice: User, bob: User, carol: User, options: dict[str, str]
) -> None:
    """Moves, takebacks and rulings came in between."""
    game = start(alice, bob, "random", **options)
    viewers = [alice, bob, carol, STRANGER]
    shown: dict[tuple[int, Any], Any] = {}
    undone = 0
    for step in range(80):
        shown |= {(game.version, viewer): seen_now(game, viewer) for viewer in viewers}
        last = game.moves.last()
        if step > 20 and undone < 3 and last.text.startswith("place") and last.user and game.is_running:
            game, undone = take_back(game), undone + 1
        else:
            game = play_on(game, 1, seed=step)
    assert undone and game.is_running
    concede(game_id=game.pk, by=bob)
    game = play_on(reload(game), 5)
    assert game.is_running
    for (number, viewer), seen in shown.items():
        assert seen_at(game, viewer, number) == seen, f"{viewer} at {number}"


def test_spectator_of_running_game_sees_no_hand(game: Game, carol: User) -> None:
    game = play_on(game, 40)
    for viewer in (carol, STRANGER):
        for number in range(game.version + 1):
            position = position_at(game.public_id, viewer, number)
            assert (position.look.seat, position.look.seen.hand, position.uncovered) == (None, None, None)


def test_past_position_has_no_legal_moves(game: Game, alice: User) -> None:
    game = play_on(game, 20)
    assert all(seen_at(game, alice, number).legal == () for number in range(game.version + 1))


def test_finished_game_shows_hands_and_bag(game: Game, alice: User, carol: User) -> None:
    game = play_to_the_end(game)
    states = {
        number: state.copy() for number, state in positions.states_by_entry(game, positions.lines(game))
    }
    for number in range(0, game.version + 1, 7):
        hidden = game.rule_system.hidden_information(states[number])
        for viewer in (alice, carol, STRANGER):
            assert position_at(game.public_id, viewer, number).uncovered == hidden
    assert sum(map(len, hidden["hands"])) + len(hidden["bag"]) > 0


def test_finished_game_shows_hidden_holdings(start: NewGame, alice: User, bob: User, carol: User) -> None:
    game = play_on(start(alice, bob, "random", holdings="hidden"), 30)
    assert seen_at(game, carol, 30).cash == (None, None, None)
    assert [cash is None for cash in seen_at(game, alice, 30).cash].count(True) == 2
    game = play_to_the_end(game)
    assert None not in seen_at(game, carol, 30).cash + seen_at(game, alice, 30).worth
    assert not seen_at(game, carol, 30).ended


def test_successor_sees_earlier_positions_as_spectator(
    game: Game, alice: User, bob: User, carol: User
) -> None:
    game = play_on(game, 12)
    mine = game.seats.get(user=alice).number
    before = [seen_at(game, alice, number) for number in range(13)]
    game = play_on(hand_over(game, mine, carol), 6)

    assert all(seen_at(game, carol, number).hand is None for number in range(13))
    assert all(seen_at(game, carol, number).hand is not None for number in range(13, game.version + 1))
    # The former player no longer sees the hand either.
    assert all(seen_at(game, alice, number).hand is None for number in range(game.version + 1))

    game = play_on(hand_over(game, mine, alice), 4)
    back = game.moves.filter(text__contains=f" to {alice.pk}").get().number
    assert [seen_at(game, alice, number) for number in range(13)] == before
    assert all(seen_at(game, alice, number).hand is None for number in range(13, back))
    assert all(seen_at(game, alice, number).hand is not None for number in range(back, game.version + 1))


def test_practice_table_shows_open_hand_to_host_only(alice: User, bob: User) -> None:
    game = practise(alice, people=("Ann", "Ben"))
    for _ in range(9):
        game = decide(game)
    for viewer in (bob, STRANGER):
        with pytest.raises(Http404):
            position_at(game.public_id, viewer, 3)
    assert position_at(game.public_id, alice, 3).look.seen.hand is None
    opened = OpenHand(game.seat_to_move, game.version)
    look = position_at(game.public_id, alice, 3, opened=opened).look
    assert (look.seat, look.seen) == (game.seat_to_move, past_of(game, 3, game.seat_to_move))
    while game.seat_to_move == opened.seat:
        game = decide(game)
    assert position_at(game.public_id, alice, 3, opened=opened).look.seen.hand is None


def state_at(game: Game, number: int) -> Any:
    """The state after this log entry, 0 for the deal, replayed from the deal."""
    entries = (entry for entry in positions.lines(game) if entry.number <= number)
    return positions.state_after(game, positions.standing_moves(entries))


def past_of(game: Game, number: int, seat: int | None) -> Any:
    """The seat's view after this log entry, without legal moves."""
    return replace(game.rule_system.observe(state_at(game, number), seat), legal=())


# -- Positions ---------------------------------------------------------------------------------------


def test_move_stands_until_taken_back(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob)
    while not (game.decision_kind == "buy" and game.moves.last().text.startswith("place")):
        game = play_on(game, 1)
    placed = game.version
    game = take_back(game)
    at_the_tile, after = (position_at(game.public_id, STRANGER, n) for n in (placed, placed + 1))
    assert at_the_tile.look.gone == frozenset()
    assert after.look.gone == {placed}
    assert after.look.seen == seen_at(game, STRANGER, placed - 1)
    assert after.look.seen.board != at_the_tile.look.seen.board


def test_states_by_entry_match_log(game: Game, alice: User) -> None:
    """Also after rollbacks over rollbacks."""
    game = play_on(game, 30)
    for goal in (28, 25, 31, 12):
        enter_moderator_ruling(game, rulings.Ruling("rolls", goal), reason="a trial")
        moves = positions.standing_moves(game.moves.all())
        set_position(game, positions.state_after(game, moves), list(game.seats.all()), after=None)
        game.save()
        game = play_on(reload(game), 3)
    to_json = game.rule_system.state_to_json
    for number, state in positions.states_by_entry(game, positions.lines(game)):
        assert to_json(state) == to_json(state_at(game, number)), number
    assert to_json(state_at(game, game.version)) == game.state
    assert replay(game).faults == []


def test_game_ended_by_players_is_over_from_that_entry(game: Game, alice: User, bob: User) -> None:
    game = play_on(game, 30)
    concede(game_id=game.pk, by=alice)
    concede(game_id=game.pk, by=bob)
    game = reload(game)
    assert game.is_finished
    ended = [seen_at(game, STRANGER, number).ended for number in range(game.version + 1)]
    assert ended == [""] * game.version + [game.ending]
    enter_moderator_ruling(game, rulings.Ruling("unrates"), reason="a trial", over=True)
    assert seen_at(game, STRANGER, game.version).ended == game.ending
    assert seen_at(game, STRANGER, game.version - 1).ended == game.ending


def test_turns_begin_with_change_of_player(game: Game) -> None:
    game = play_to_the_end(game)
    turns = position_at(game.public_id, STRANGER, 0).turns
    assert turns[0] == 0
    on_turn = {number: state_at(game, number).turn for number in range(game.version)}
    assert list(turns) == [
        number for number in on_turn if number == 0 or on_turn[number] != on_turn[number - 1]
    ]


@pytest.mark.parametrize("number", [-1, 11])
def test_position_beyond_log_is_refused(game: Game, number: int) -> None:
    game = play_on(game, 10)
    with pytest.raises(NoSuchPosition) as refused:
        position_at(game.public_id, STRANGER, number)
    assert refused.value.last == 10


def test_position_queries_do_not_depend_on_length(
    game: Game, alice: User, django_assert_num_queries: Any
) -> None:
    game = play_on(game, 10)
    with django_assert_num_queries(4):
        position_at(game.public_id, alice, 10)
    game = play_on(game, 100)
    with django_assert_num_queries(4):
        position_at(game.public_id, alice, 70)


def test_position_has_its_log_entry(game: Game) -> None:
    game = play_on(game, 10)
    assert position_at(game.public_id, STRANGER, 0).entry is None
    entry = position_at(game.public_id, STRANGER, 7).entry
    assert isinstance(entry, LogEntry) and entry.number == 7


# -- Replay of the latest moves ------------------------------------------------------------------------


def test_latest_positions_are_those_that_each_viewer_saw(game: Game, alice: User, carol: User) -> None:
    game = play_on(game, 9)
    for user in (alice, carol, STRANGER):
        found = latest_positions(game.public_id, user, 4)
        assert [position.number for position in found] == list(range(4, 10))
        for position in found:
            alone = position_at(game.public_id, user, position.number)
            assert (position.look.seen, position.changed) == (alone.look.seen, alone.changed)


def test_latest_positions_are_limited(game: Game, alice: User) -> None:
    game = play_on(game, MAX_REPLAYED + 5)
    assert [found.number for found in latest_positions(game.public_id, alice, 0)] == list(
        range(game.version - MAX_REPLAYED, game.version + 1)
    )


def test_nothing_is_replayed_without_news(game: Game, alice: User) -> None:
    game = play_on(game, 3)
    assert latest_positions(game.public_id, alice, 3) == []


def test_moves_taken_back_are_not_replayed(game: Game, alice: User) -> None:
    while True:
        game = play_on(game, 1)
        entry = game.moves.last()
        if entry.user_id and entry.text.startswith("place"):
            break
    game = take_back(game)
    assert game.version - 1 not in {found.number for found in latest_positions(game.public_id, alice, 0)}


def test_latest_positions_of_a_practice_table_are_its_hosts(alice: User, bob: User) -> None:
    game = practise(alice)
    with pytest.raises(Http404):
        latest_positions(game.public_id, bob, 0)


def test_spectator_positions_show_what_a_spectator_knew(start: NewGame, alice: User, bob: User) -> None:
    game = play_to_the_end(start(alice, bob))
    seen = spectator_positions(game, positions.lines(game), {5, 10})
    assert set(seen) == {5, 10}
    assert all(position.seat is None and not position.hand for position in seen.values())


def test_running_game_keeps_its_past_from_spectators(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob), 4)
    with pytest.raises(ValueError, match="running game"):
        spectator_positions(game, positions.lines(game), {1})
