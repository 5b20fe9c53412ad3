"""Moments of finished games."""

import pytest

from accounts.models import User
from games.analysis.review_moments import check_answer, moment_at
from games.archive.past_position import position_at
from games.engine.rules.rule_errors import IllegalMove, InvalidMove
from games.models import Game, LogEntry
from games.play.takebacks import take_back
from games.refusals import NoSuchPosition
from tests.support.assessed_moves import view_of
from tests.support.games import NewGame, play_on, play_to_the_end
from tests.support.whole_games import played_out

pytestmark = pytest.mark.django_db


@pytest.fixture
def over(start: NewGame, alice: User, bob: User) -> Game:
    return played_out(start(alice, bob, "random"))


def test_moment_shows_what_the_position_of_then_shows_to_everybody(over: Game) -> None:
    for number in (0, 1, 17, over.version - 1, over.version):
        moment, position = moment_at(view_of(over), number), position_at(over.public_id, User(), number)
        assert moment.seen.board == position.look.seen.board
        assert moment.seen.cash == position.look.seen.cash
        assert moment.changed == position.changed
        assert moment.hidden == position.uncovered
        assert moment.seen.hand is None


def test_end_is_the_end_of_the_game(over: Game) -> None:
    assert moment_at(view_of(over), over.version).seen.ended
    assert not moment_at(view_of(over), over.version - 1).seen.ended


def test_asked_is_what_the_player_of_the_move_saw(over: Game) -> None:
    for entry in list(over.moves.all())[::9]:
        asked = moment_at(view_of(over), entry.number).asked
        assert asked.seat == entry.seat == asked.decision.seat
        assert entry.text in {str(move) for move in asked.legal}
        assert asked.memory is None


def test_hidden_shares_stay_hidden_from_the_player_who_was_asked(
    start: NewGame, alice: User, bob: User
) -> None:
    """A second try must be as hard as the first."""
    game = played_out(start(alice, bob, "random", holdings="hidden"))
    moment = moment_at(view_of(game), 40)
    others = [cash for seat, cash in enumerate(moment.asked.cash) if seat != moment.asked.seat]
    assert set(others) == {None}
    assert None not in moment.seen.cash


def test_deal_and_rulings_ask_nobody(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob), 1)
    player = User.objects.get(pk=game.moves.get().user_id)
    take_back(game_id=game.pk, number=2, to=0, by=player)
    look = view_of(play_to_the_end(game))
    assert moment_at(look, 0).asked is None
    assert moment_at(look, 2).asked is None
    assert moment_at(look, 1).asked is not None


def test_turns_are_counted_without_moves_that_were_taken_back(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob), 1)
    player = User.objects.get(pk=game.moves.get().user_id)
    take_back(game_id=game.pk, number=2, to=0, by=player)
    game = play_to_the_end(game)
    turns = moment_at(view_of(game), 0).turns
    assert 1 not in turns
    assert turns[3] == 1
    assert list(turns.values()) == sorted(turns.values())
    assert set(turns.values()) == set(range(1, max(turns.values()) + 1))
    assert moment_at(view_of(game), 0).turn == 0
    assert moment_at(view_of(game), game.version).turn == max(turns.values())


def test_moment_beyond_the_log_is_refused(over: Game) -> None:
    for number in (-1, over.version + 1):
        with pytest.raises(NoSuchPosition):
            moment_at(view_of(over), number)


def test_running_game_has_no_moments(start: NewGame, alice: User, bob: User) -> None:
    game = played_out(start(alice, bob), moves=30)
    look = view_of(game)
    with pytest.raises(ValueError, match="keeps its past"):
        moment_at(look, 3)
    with pytest.raises(ValueError, match="keeps its past"):
        check_answer(look, 3, look.entries[2].text)


def test_answer_is_checked_by_the_rules_of_the_game(over: Game) -> None:
    look = view_of(over)
    entry = next(entry for entry in look.entries if entry.text.startswith("place"))
    assert str(check_answer(look, entry.number, entry.text)) == entry.text
    with pytest.raises(IllegalMove):
        check_answer(look, entry.number, "buy nothing")
    with pytest.raises(InvalidMove):
        check_answer(look, entry.number, "place 99Z")
    assert LogEntry.objects.filter(game=over).count() == over.version
