"""Cards of games: board, standings, last moves, clock and title."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.template.loader import render_to_string
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.engine.rules.acquire.board import COLUMNS, SQUARE_BY_NAME
from games.lobby.game_lists import with_seats
from games.lobby.join_game import join
from games.models import OVERALL, TEAM_GAMES, Game, GameVisit, Rating
from games.ratings.skill_model import points
from games.web.clocks.clock_bar import clock_bar
from games.web.lobby.game_cards import Card, cards
from tests.support.finished_games import finish
from tests.support.games import NewGame, play_on, play_until_asked
from tests.support.whole_games import played_out

pytestmark = pytest.mark.django_db


def card_of(game: Game, reader: Any) -> Card:
    [found] = cards(with_seats([Game.objects.get(pk=game.pk)]), reader)
    return found


def finished_in_teams(start: NewGame, players: list[User | str], cash: list[int]) -> Game:
    """A finished game of seats 0 and 2 against seats 1 and 3."""
    return finish(start(*players, teams="two", seating="joining"), cash)


def drawn(card: Card) -> str:
    return render_to_string("games/lobby/_card.html", {"card": card})


def test_running_game_shows_board_standings_and_last_moves(start: NewGame, alice: User, bob: User) -> None:
    game = played_out(start(alice, bob), moves=30)
    card = card_of(game, alice)
    assert 'class="shapes"' in card.board
    assert {place.name for place in card.places} == {"you", "bob"}
    assert [place.me for place in card.places].count(True) == 1
    assert 1 <= len(card.moves) <= 2
    page = drawn(card)
    assert card.board in page and card.moves[0] in page and card.places[0].score in page


def test_board_of_a_card_rings_the_tile_placed_last(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, preset="course")
    assert "ring" not in card_of(game, alice).board
    game = played_out(game, moves=9)
    [square] = [
        SQUARE_BY_NAME[event["square"]]
        for entry in game.moves.order_by("-number")
        for event in entry.events
        if event["kind"] == "placed"
    ][:1]
    ring = f'class="ring" x="{square % COLUMNS * 100}" y="{square // COLUMNS * 100}"'
    assert ring in card_of(game, alice).board


def test_spectator_is_not_called_you(start: NewGame, alice: User, bob: User) -> None:
    card = card_of(played_out(start(alice, bob), moves=30), AnonymousUser())
    assert {place.name for place in card.places} == {"alice", "bob"}


def test_card_tells_who_leads_unless_all_are_equal(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob)
    assert card_of(game, AnonymousUser()).lead == ""
    card = card_of(played_out(game, moves=30), AnonymousUser())
    assert card.places[0].rank < card.places[1].rank
    assert card.lead == f"{card.places[0].name} leads"
    assert card.lead in render_to_string("games/showcase/_game_tile.html", {"card": card})
    equal = [replace(place, rank=1) for place in card.places]
    third = replace(card.places[1], rank=3)
    assert replace(card, places=(*equal, third)).lead == (
        f"{equal[0].name} and {equal[1].name} share the lead"
    )


@pytest.mark.parametrize("reader", ["alice", "carol"])
def test_hidden_money_stays_hidden(
    reader: str, start: NewGame, alice: User, bob: User, request: pytest.FixtureRequest
) -> None:
    game = played_out(start(alice, bob, holdings="hidden"), moves=30)
    card = card_of(game, request.getfixturevalue(reader))
    assert card.board
    assert card.lead == ""
    assert card.places == []
    assert 'class="seats"' in drawn(card)


def test_host_is_spoken_to_about_starting(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice)
    join(game_id=game.pk, user=bob)
    assert card_of(game, alice).line == "You can start the game. 2 seats are open."
    assert card_of(game, bob).line == "The host can start the game. 2 seats are open."


def test_own_game_is_titled_by_the_others(start: NewGame, alice: User, bob: User, carol: User) -> None:
    game = start(alice, bob)
    assert card_of(game, alice).title == "Game with bob"
    assert card_of(game, carol).title in ("alice and bob", "bob and alice")
    assert card_of(start(alice, bob, terms={"name": "Friday"}), alice).title == "Friday"


def test_game_that_waits_for_players_has_seats_and_no_board(create: NewGame, alice: User) -> None:
    page = drawn(card_of(create(alice), alice))
    assert 'class="seats"' in page and "shapes" not in page


def test_bar_shows_the_time_left(start: NewGame, alice: User, bob: User, clock: Any) -> None:
    game = start(alice, bob, preset="course", terms={"pace": 60_000})
    assert card_of(game, alice).clock.filled == 100
    clock.shift(timedelta(minutes=520))
    assert card_of(game, alice).clock.filled == 50
    assert not card_of(game, alice).clock.low
    clock.shift(timedelta(minutes=400))
    assert card_of(game, alice).clock.low
    clock.shift(timedelta(minutes=400))
    assert card_of(game, alice).clock.filled == 0
    assert 'class="clock-bar low"' in drawn(card_of(game, alice))


def test_bar_stands_still_while_the_clock_does(
    start: NewGame, alice: User, bob: User, carol: User, clock: Any
) -> None:
    clock.move_to(datetime(2026, 6, 3, 19, tzinfo=UTC))
    game = start(alice, bob, carol, preset="course", terms={"pace": 8 * 3600, "off": "nights"})
    shown = []
    for hours in (0, 4, 4, 4, 2):
        clock.shift(timedelta(hours=hours))
        shown.append(card_of(game, alice).clock.filled)
    # Four hours in the evening, none at night, two in the morning.
    assert shown == [100, 50, 50, 50, 25]


def test_bars_of_many_games_ask_for_no_player(start: NewGame, alice: User, bob: User) -> None:
    games = [start(alice, bob, preset="course", terms={"pace": 3600, "off": "both"}) for _ in range(3)]
    listed = with_seats(list(Game.objects.filter(pk__in=[game.pk for game in games])))
    with CaptureQueriesContext(connection) as taken:
        assert all(clock_bar(game, list(game.seats.all())) for game in listed)
    assert len(taken) == 0


def test_game_without_a_limit_has_no_bar(start: NewGame, alice: User, bob: User) -> None:
    card = card_of(start(alice, bob), alice)
    assert card.clock is None
    assert "clock-bar" not in drawn(card)


def test_names_are_escaped(start: NewGame, alice: User, bob: User) -> None:
    game = played_out(start(alice, bob), moves=30)
    User.objects.filter(pk=bob.pk).update(username="<b>")
    page = drawn(card_of(game, alice))
    assert "<b><b>" not in page and "&lt;b&gt;" in page


def test_card_names_the_deed_and_the_news(start: NewGame, alice: User, bob: User) -> None:
    game = play_until_asked(play_on(start(alice, bob), 20), alice)
    GameVisit.objects.update_or_create(user=alice, game=game, defaults={"seen": game.version - 6})
    card = card_of(game, alice)
    assert card.is_news and card.deed
    page = drawn(card)
    assert "Since your last visit" in page and card.deed in page
    others = card_of(game, bob)
    assert not others.is_news and not others.deed
    assert "Last moves" in drawn(others)


def test_row_says_who_is_asked_and_how_the_reader_stands(start: NewGame, alice: User, bob: User) -> None:
    game = play_until_asked(play_on(start(alice, bob), 30), bob)
    card = card_of(game, alice)
    assert card.decider is not None and card.decider.name == "bob"
    row = render_to_string("games/lobby/_row.html", {"card": card, "list": "mine"})
    assert card.standing in ("you are 1st", "you are 2nd")
    assert card.standing in row and f'id="mine-{game.public_id}"' in row


@pytest.mark.parametrize(
    ("cash", "line"),
    [
        ([7000, 9000, 6000, 1000], "Team 1 (alice and carol) won with $13,000"),
        ([2000, 9000, 6000, 1000], "Team 2 (bob and dora) won with $10,000"),
        (
            [7000, 9000, 6000, 4000],
            "Team 1 (alice and carol) and Team 2 (bob and dora) won with $13,000",
        ),
    ],
)
def test_card_names_the_winning_teams_and_their_sum(
    start: NewGame, alice: User, bob: User, carol: User, cash: list[int], line: str
) -> None:
    game = finished_in_teams(start, [alice, bob, carol, User.objects.create_user("dora")], cash)
    assert card_of(game, AnonymousUser()).line == line


def test_card_counts_the_money_of_a_partner_that_is_a_computer(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = finished_in_teams(start, [alice, bob, "random", carol], [7000, 9000, 6000, 1000])
    partner = game.seats.get(user=None)
    line = card_of(game, alice).line
    assert line == f"Team 1 (you and {partner.name}) won with $13,000"


def test_card_of_a_team_game_without_result_names_no_winner(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob, "random", carol, teams="two")
    Game.objects.filter(pk=game.pk).update(
        status=Game.Status.FINISHED, ending=Game.Ending.NONE, finished=timezone.now(), seat_to_move=None
    )
    assert card_of(game, alice).line == "Ended without a result"


def test_card_of_a_team_game_shows_the_rating_for_team_games(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    rated: Any = {"sigma": 5, "games": 9, "wins": 3, "standing": 1, "ranked": True}
    for players, mu in ((OVERALL, 20), (TEAM_GAMES, 30)):
        Rating.objects.create(user=alice, system="acquire", month="", players=players, mu=mu, **rated)
    teams, alone = start(alice, bob, "random", carol, teams="two"), start(alice, bob)

    def shown(game: Game) -> list[int]:
        return [person.points for person in card_of(game, bob).people if person.points is not None]

    assert (shown(teams), shown(alone)) == ([points(30)], [points(20)])
