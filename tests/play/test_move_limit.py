"""The number of moves a minute is limited."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.models import Game, LogEntry
from games.play.deadlines.overdue import settle_timeout
from games.play.play_move import play_move
from games.play.seats.concession import concede
from games.play.seats.end_votes import propose_end, vote_on_end
from games.players import limits
from games.refusals import TooManyMoves
from tests.support.clients import client_of
from tests.support.games import NewGame, legal_move, play_until_asked, whole_record
from tests.support.practice_tables import decide, practise

pytestmark = pytest.mark.django_db

FAST = "You are moving too fast, so this move was not made. Send it again in"


def move(game: Game, user: User) -> LogEntry:
    """Make some move of this person, who is asked."""
    return play_move(
        game_id=game.pk, number=game.version + 1, seat=game.seat_to_move or 0, text=legal_move(game), by=user
    )


def post(game: Game, user: User, **headers: str) -> Any:
    """Make the move through the page."""
    client = client_of(user)
    url = reverse("move", args=[game.public_id, game.version + 1])
    return client.post(url, {"move": legal_move(game)}, headers=headers)


def test_thirty_moves_a_minute_are_allowed(start: NewGame, alice: User, settings: Any) -> None:
    settings.MOVES_PER_MINUTE = 30
    game = start(alice, "random")
    with time_machine.travel(timezone.now(), tick=False):
        for _ in range(30):
            game = play_until_asked(game, alice)
            move(game, alice)
        game = play_until_asked(game, alice)
        before = whole_record(game)
        with pytest.raises(TooManyMoves) as refused:
            move(game, alice)
        assert refused.value.wait == timedelta(minutes=1)
        assert whole_record(game) == before
    with time_machine.travel(timezone.now() + timedelta(minutes=1, seconds=1)):
        move(game, alice)


def test_moves_dated_after_a_clock_change_do_not_block(start: NewGame, alice: User, settings: Any) -> None:
    settings.MOVES_PER_MINUTE = 1
    game = play_until_asked(start(alice, "random"), alice)
    move(game, alice)
    game, now = play_until_asked(game, alice), timezone.now()
    with time_machine.travel(now - timedelta(hours=1)):
        move(game, alice)


def test_moves_in_other_games_count_and_those_of_others_do_not(
    start: NewGame, alice: User, bob: User, settings: Any
) -> None:
    settings.MOVES_PER_MINUTE = 2
    games = [play_until_asked(start(alice, "random"), alice) for _ in range(3)]
    for game in games[:2]:
        move(game, alice)
    with pytest.raises(TooManyMoves):
        move(games[2], alice)
    move(play_until_asked(start(bob, "random"), bob), bob)


def test_bots_and_the_house_are_not_limited(start: NewGame, alice: User, settings: Any) -> None:
    settings.MOVES_PER_MINUTE = 1
    game = play_until_asked(start(alice, "random", "random", terms={"pace": 3600}), alice)
    move(game, alice)
    game = play_until_asked(game, alice)
    game.seats.update(grace_used=True)
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now())
    assert settle_timeout(game.pk, game.version)
    play_until_asked(game, alice)
    assert LogEntry.objects.filter(user=None).count() > 2


def test_automatic_moves_are_not_counted(start: NewGame, alice: User, settings: Any) -> None:
    settings.MOVES_PER_MINUTE = 2
    game = play_until_asked(start(alice, "random"), alice)
    move(game, alice)
    LogEntry.objects.filter(user=alice).update(origin=LogEntry.Origin.ORDER)
    limits.check_moves(alice)
    move(play_until_asked(game, alice), alice)
    move(play_until_asked(game, alice), alice)
    with pytest.raises(TooManyMoves):
        limits.check_moves(alice)


def test_practice_table_counts_for_its_host(alice: User, settings: Any) -> None:
    settings.MOVES_PER_MINUTE = 3
    game = practise(alice)
    for _ in range(3):
        decide(game)
    with pytest.raises(TooManyMoves):
        decide(game)


def test_repeated_move_at_the_limit_is_the_same_success(start: NewGame, alice: User, settings: Any) -> None:
    settings.MOVES_PER_MINUTE = 1
    game = play_until_asked(start(alice, "random"), alice)
    number, seat, text = game.version + 1, game.seat_to_move or 0, legal_move(game)
    twice = [play_move(game_id=game.pk, number=number, seat=seat, text=text, by=alice) for _ in range(2)]
    assert twice[0] == twice[1]


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_refused_page_says_when_to_send_it_again(
    start: NewGame, alice: User, settings: Any, headers: dict[str, str]
) -> None:
    settings.MOVES_PER_MINUTE = 1
    game = play_until_asked(start(alice, "random"), alice)
    assert post(game, alice, **headers).status_code in (200, 302)
    game = play_until_asked(game, alice)
    answer = post(game, alice, **headers)
    assert answer.status_code == 429
    assert 50 <= int(answer["Retry-After"]) <= 60
    page = answer.content.decode()
    assert f"{FAST} {answer['Retry-After']} seconds." in page
    # The table is complete, with everything to decide on.
    assert f'data-version="{game.version}"' in page


def test_votes_and_takebacks_count_as_moves(start: NewGame, alice: User, bob: User, settings: Any) -> None:
    settings.MOVES_PER_MINUTE = 2
    game = start(alice, bob)
    propose_end(game_id=game.pk, by=alice, kind="none")
    vote_on_end(game_id=game.pk, by=alice, kind="none", yes=False)
    before = whole_record(game)
    with pytest.raises(TooManyMoves):
        concede(game_id=game.pk, by=alice)
    assert whole_record(game) == before
    concede(game_id=game.pk, by=bob)
