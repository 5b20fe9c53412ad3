"""The log names who sat at the table at each entry, whoever sits there now."""

from typing import Any

import pytest
from django.utils import timezone
from django.utils.html import strip_tags

from accounts.models import User
from games.lobby.departures import leave_all_games
from games.models import Game
from games.play.seats.substitutes import take_over_seat
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import people
from games.web.text.log_view import log_entry_views
from games.web.text.seat_names import table_persons
from tests.support import wording
from tests.support.games import NewGame, play_on, seen_by
from tests.support.timed_games import DAY, run_out, without_grace

pytestmark = pytest.mark.django_db


def log_for(game: Game, user: User) -> list[str]:
    """The log for this user, oldest first, with the players of each time."""
    look = seen_by(game, user)
    context = PRESENTERS["acquire"].log_context(
        look.seen.rules, people(table_persons(look.seats), look.seat), log_entry_views(look, look.entries)
    )
    return [strip_tags(text) for turn in reversed(context["turns"]) for text in turn.paragraphs]


@pytest.fixture
def inherited(clock: Any, start: NewGame, alice: User, bob: User) -> Game:
    """A game in which alice placed a tile and timed out; dave has her seat, and has bought nothing."""
    terms = {"pace": 86400, "overrun": "take"}
    game = play_on(without_grace(start(alice, bob, preset="course", terms=terms)), 1)
    run_out(clock, game)
    clock.move_to(timezone.now() + DAY)
    dave = User.objects.create_user("dave")
    take_over_seat(game_id=game.pk, number=0, user=dave)
    return play_on(game, 1)


def test_log_names_the_player_of_then(inherited: Game, alice: User, bob: User) -> None:
    tile = inherited.moves.get(number=1).text.removeprefix("place ")
    told = log_for(inherited, bob)
    assert told[0].startswith(f"alice placed {tile}")
    assert told[1:3] == [
        wording.LATE_SO_COMPUTER_TOOK_OVER.format(who="alice"),
        wording.TOOK_OVER_FROM.format(who="dave", before="alice"),
    ]
    assert told[3].startswith("dave ")


def test_moves_by_an_earlier_player_of_my_seat_are_not_mine(inherited: Game) -> None:
    told = log_for(inherited, User.objects.get(username="dave"))
    assert told[0].startswith("alice placed")
    assert told[1:3] == [
        wording.LATE_SO_COMPUTER_TOOK_OVER.format(who="alice"),
        wording.TOOK_OVER_FROM.format(who="You", before="alice"),
    ]
    assert told[3].startswith("You ")


def test_player_who_lost_the_seat_is_still_named(inherited: Game, alice: User) -> None:
    assert log_for(inherited, alice) == log_for(inherited, User.objects.create_user("eve"))


def test_log_with_todays_players_is_detected(
    inherited: Game, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.play.game_view.handovers", lambda entries, by_name: ())
    with pytest.raises(AssertionError):
        test_log_names_the_player_of_then(inherited, bob, bob)


def test_bot_of_an_abandoned_seat_keeps_its_name(start: NewGame, alice: User, bob: User, carol: User) -> None:
    game = start(alice, bob)
    leave_all_games(bob)
    seat = game.seats.get(user=None)
    take_over_seat(game_id=game.pk, number=seat.number, user=carol)
    assert log_for(game, alice) == [
        f"{seat.nickname} took over the seat of the player who left.",
        f"carol took over from {seat.nickname}.",
    ]
