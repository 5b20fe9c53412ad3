"""`play_move`, the only way a move enters a game."""

import pytest

from accounts.models import User
from games.engine.rules.rule_errors import IllegalMove, InvalidMove
from games.models import Game, LogEntry
from games.play.play_move import play_move
from games.refusals import NotYourDecision, NotYourSeat, StalePosition
from tests.support.games import NewGame, legal_move, play_next, play_on, play_to_the_end, whole_record

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return start(alice, bob, "medium")


def decider(game: Game) -> User | None:
    return game.seats.get(number=game.seat_to_move).user


def play(game: Game, **changes: object) -> LogEntry:
    """Play the next move as its seat would, except for the changes given."""
    game.refresh_from_db()
    return play_next(game, **{"by": decider(game), **changes})


def test_move_changes_the_state_and_is_logged_with_its_events(game: Game) -> None:
    before = Game.with_secrets.get(pk=game.pk).state
    move, seat = legal_move(game), game.seat_to_move

    entry = play(game)

    game.refresh_from_db()
    assert (entry.number, entry.text, entry.seat, entry.kind) == (1, move, seat, LogEntry.Kind.MOVE)
    assert entry.events[0]["kind"] == "placed"
    assert game.version == 1
    assert Game.with_secrets.get(pk=game.pk).state != before


def test_log_names_who_sent_a_move(game: Game) -> None:
    play_on(game, 30)
    for entry in game.moves.all():
        player = game.seats.get(number=entry.seat)
        assert entry.user == player.user
        assert entry.author == ("computer" if player.bot_level else "person")


def test_repeated_move_is_the_same_success(game: Game) -> None:
    first = play(game)
    before = whole_record(game)

    again = play(game, number=1, seat=first.seat, text=first.text, by=first.user)

    assert again == first
    assert whole_record(game) == before


def test_repeated_move_may_be_written_differently(game: Game) -> None:
    first = play(game)
    assert play(game, number=1, seat=first.seat, text=first.text.upper(), by=first.user) == first


def test_stale_move_is_refused(game: Game) -> None:
    first = play(game)
    before = whole_record(game)
    with pytest.raises(StalePosition):
        play(game, number=1, seat=first.seat, text="pass", by=first.user)
    assert whole_record(game) == before


def test_move_for_a_later_position_is_refused(game: Game) -> None:
    with pytest.raises(StalePosition):
        play(game, number=2)


def test_move_of_a_seat_that_is_not_asked_is_refused(game: Game) -> None:
    other = next(seat for seat in game.seats.all() if seat.number != game.seat_to_move)
    with pytest.raises(NotYourDecision):
        play(game, seat=other.number, by=other.user)


def test_move_for_another_players_seat_is_refused(game: Game, alice: User, bob: User) -> None:
    before = whole_record(game)
    for by in {alice, bob, None} - {decider(game)}:
        with pytest.raises(NotYourSeat):
            play(game, by=by)
    for seat in (-1, 3, 10**9):
        with pytest.raises(NotYourSeat):
            play(game, seat=seat)
    assert whole_record(game) == before


def test_illegal_move_is_refused_with_its_reason_and_changes_nothing(game: Game) -> None:
    before = whole_record(game)
    with pytest.raises(IllegalMove) as refusal:
        play(game, text="buy nothing")
    assert refusal.value.reason == "other decision"
    assert whole_record(game) == before


def test_unreadable_move_is_refused_and_changes_nothing(game: Game) -> None:
    before = whole_record(game)
    for text in ("", "place 13A", "buy 4 tower", "🏨" * 5000, "place\x005A"):
        with pytest.raises(InvalidMove):
            play(game, text=text)
    assert whole_record(game) == before


def test_game_of_people_and_bots_is_played_to_its_end(game: Game) -> None:
    ended = play_to_the_end(game)
    assert ended.status == Game.Status.FINISHED
    assert ended.finished is not None
    assert (ended.seat_to_move, ended.decision_kind, ended.bot_due_at) == (None, "", None)
    assert list(ended.moves.values_list("number", flat=True)) == list(range(1, ended.version + 1))


def test_move_after_the_end_is_refused(game: Game) -> None:
    ended = play_to_the_end(game)
    last = ended.moves.last()
    with pytest.raises(NotYourDecision):
        play_move(game_id=game.pk, number=ended.version + 1, seat=last.seat, text="buy nothing", by=last.user)


def test_columns_for_lists_agree_with_the_rules(game: Game) -> None:
    for _ in range(60):
        game = play_on(game, 1, seed=game.version)
        state = game.rule_system.state_from_json(game.state)
        assert game.seat_to_move == game.rule_system.decider(state)
        assert game.decision_kind == game.rule_system.observe(state, None).decision.kind


def test_columns_for_lists_do_not_reveal_a_hand_without_playable_tile(
    start: NewGame, alice: User, bob: User
) -> None:
    """Only the hand shows whether a player is stuck, so nobody may read it before the move."""
    for seed in range(12):
        game = start(alice, bob, preset="course")
        while (game := play_on(game, 1, seed)).seat_to_move is not None:
            if game.state["decision"][0] == "stuck":
                assert game.decision_kind == "place"
                return
    pytest.fail("nobody was stuck")


def test_log_entry_cannot_be_changed_or_deleted(game: Game) -> None:
    entry = play(game)
    entry.text = "pass"
    with pytest.raises(TypeError):
        entry.save()
    with pytest.raises(TypeError):
        entry.delete()
    assert game.moves.get().text != "pass"


def test_bots_move_is_due_at_its_pace(start: NewGame, alice: User, settings) -> None:
    """0.8 seconds, or 0.4 if the same seat has just moved; people have no due time."""
    settings.BOT_DELAY_FACTOR = 1
    game = start(alice, "random", "random")
    paces = set()
    for seed in range(60):
        before = game.seat_to_move
        game = play_on(game, 1, seed)
        if game.seat_to_move is None:
            break
        if game.seats.get(number=game.seat_to_move).bot_level:
            paces.add(
                (
                    before == game.seat_to_move,
                    round((game.bot_due_at - game.last_change_at).total_seconds(), 3),
                )
            )
        else:
            assert game.bot_due_at is None
    assert paces == {(True, 0.4), (False, 0.8)}
