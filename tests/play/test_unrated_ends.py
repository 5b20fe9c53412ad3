"""Games that computers mostly finish: somebody left alone can end them unrated."""

import re
from datetime import timedelta
from random import Random

import pytest
from django.urls import reverse
from django.utils import timezone
from time_machine import Traveller

from accounts.models import User
from games.archive.replay import replay, revealed_seed
from games.lobby.departures import leave_all_games
from games.log import end_proposals
from games.log.end_proposals import MAX_MOVES_ALONE, can_end_unrated
from games.log.standings import standings
from games.models import Game, GameOutcome, Kind, Notification, RatingChange, Result, Seat
from games.play.play_move import play_move
from games.play.seats.concession import concede
from games.play.seats.end_votes import propose_end, settle_lapsed, vote_on_end, waiting_for_lapsed
from games.play.seats.substitutes import reclaim_seat, take_over_seat
from games.ratings import player_profile, record_lists
from games.ratings.result_queue import count_results
from games.refusals import NotEndedUnrated, NotSeated, ProposedRecently
from games.web.notifications import notification_text
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, leave_to_bot, legal_move, play_on, seen_by

pytestmark = pytest.mark.django_db

TERMS = {"rated": True, "visibility": "public", "pace": 3600, "skips": False}
UNRATED = "unrated"


def reload(game: Game) -> Game:
    return Game.with_secrets.get(pk=game.pk)


def is_offered(game: Game) -> bool:
    game = reload(game)
    return can_end_unrated(game, list(game.seats.select_related("user")))


def end_unrated(game: Game, by: User) -> Game:
    propose_end(game_id=game.pk, by=by, kind=UNRATED)
    return reload(game)


def page(game: Game, user: User, route: str, *more: str) -> str:
    answer = client_of(user).get(reverse(route, args=[game.public_id, *more]), follow=True)
    return answer.content.decode()


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    """A rated game of two people and two bots, after some moves."""
    return play_on(start(alice, bob, "random", "random", terms=TERMS), 30)


@pytest.fixture
def deserted(game: Game, bob: User) -> Game:
    """The game after bob has conceded."""
    concede(game_id=game.pk, by=bob)
    return reload(game)


# -- When it is offered ---------------------------------------------------------------------------------


def test_game_of_two_people_cannot_end_unrated(game: Game, alice: User) -> None:
    assert not is_offered(game)
    with pytest.raises(NotEndedUnrated):
        end_unrated(game, alice)


def test_game_begun_against_bots_alone_cannot_end_unrated(start: NewGame, alice: User) -> None:
    game = start(alice, "easy", "hard", terms=TERMS)
    assert not is_offered(game)
    with pytest.raises(NotEndedUnrated):
        end_unrated(game, alice)


def test_unrated_game_needs_no_such_end(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, "easy", terms={**TERMS, "rated": False})
    concede(game_id=game.pk, by=bob)
    assert not is_offered(game)


def test_left_alone_by_a_concession(deserted: Game) -> None:
    assert is_offered(deserted)


def test_left_alone_by_somebody_who_left_the_site(game: Game, bob: User) -> None:
    leave_all_games(bob)
    assert is_offered(game)


def test_late_player_has_a_say_while_the_seat_is_kept(
    game: Game, alice: User, bob: User, time_machine: Traveller
) -> None:
    time_machine.move_to(timezone.now(), tick=False)
    leave_to_bot(game, bob)
    with pytest.raises(NotEndedUnrated):
        end_unrated(game, alice)
    time_machine.shift(timedelta(hours=1))
    assert is_offered(game)
    reclaim_seat(game_id=game.pk, user=bob)
    assert not is_offered(game)


def test_successor_in_a_seat_is_a_person_who_is_left(game: Game, bob: User, carol: User) -> None:
    number = game.seats.get(user=bob).number
    leave_all_games(bob)
    take_over_seat(game_id=game.pk, number=number, user=carol)
    assert not is_offered(game)


def test_three_people_need_two_who_leave(start: NewGame, alice: User, bob: User, carol: User) -> None:
    game = start(alice, bob, carol, "easy", terms=TERMS)
    concede(game_id=game.pk, by=bob)
    assert not is_offered(game)
    leave_all_games(carol)
    assert is_offered(game)


def moves_of(game: Game, user: User) -> int:
    return game.moves.filter(user=user, kind="move").count()


def move_alone(game: Game, user: User, times: int) -> None:
    """Let the user make this many moves, and bots all that come between."""
    goal = moves_of(game, user) + times
    while moves_of(game, user) < goal:
        game = reload(game)
        assert game.seat_to_move is not None
        seat = game.seats.get(number=game.seat_to_move)
        by = None if seat.is_bot_playing else user
        play_move(game_id=game.pk, number=game.version + 1, seat=seat.number, text=legal_move(game), by=by)


def test_offer_ends_with_the_moves_of_who_is_left(deserted: Game, alice: User) -> None:
    move_alone(deserted, alice, MAX_MOVES_ALONE - 1)
    assert is_offered(deserted)
    move_alone(deserted, alice, 1)
    assert not is_offered(deserted)
    with pytest.raises(NotEndedUnrated):
        end_unrated(deserted, alice)


def test_offer_without_an_end_would_be_noticed(
    deserted: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(end_proposals, "MAX_MOVES_ALONE", 1000)
    with pytest.raises(AssertionError):
        test_offer_ends_with_the_moves_of_who_is_left(deserted, alice)


def test_refusal_of_who_has_left_does_not_bind(game: Game, alice: User, bob: User) -> None:
    propose_end(game_id=game.pk, by=alice, kind="standings")
    vote_on_end(game_id=game.pk, by=bob, kind="standings", yes=False)
    concede(game_id=game.pk, by=bob)
    assert f"{wording.END_UNRATED}, as only computer players remain" in page(game, alice, "ending")
    assert end_unrated(game, alice).ending == UNRATED


def test_player_who_conceded_has_no_say(deserted: Game, bob: User) -> None:
    with pytest.raises(NotSeated):
        end_unrated(deserted, bob)


# -- What it does ---------------------------------------------------------------------------------------


def test_who_is_left_ends_it_with_the_standings(deserted: Game, alice: User, bob: User) -> None:
    over = end_unrated(deserted, alice)
    assert (over.status, over.ending) == ("finished", UNRATED)
    number = over.seats.get(user=alice).number
    texts = [entry.text for entry in over.moves.filter(kind="ruling")]
    assert texts[-2:] == [f"{number} proposes end unrated", "end unrated"]
    places = standings(over, list(over.seats.all()))
    assert places[-1][1] == over.seats.get(user=bob).number
    assert player_profile.results_of(bob).results[0].rank == 4


def test_win_of_a_stand_in_is_not_that_of_its_player(
    game: Game, alice: User, bob: User, time_machine: Traveller
) -> None:
    time_machine.move_to(timezone.now(), tick=False)
    leave_to_bot(game, bob)
    time_machine.shift(timedelta(hours=1))
    game = end_unrated(game, alice)
    seats = list(game.seats.all())
    best = standings(game, seats)[0][1]
    if seats[best].user != bob:  # let the stand-in have won
        other, late = seats[best], game.seats.get(user=bob)
        place = late.number
        Seat.objects.filter(pk=late.pk).update(number=99)
        Seat.objects.filter(pk=other.pk).update(number=place)
        Seat.objects.filter(pk=late.pk).update(number=best)
    count_results()
    assert not Result.objects.filter(user=bob).exists()
    assert Result.objects.filter(user=alice).exists()
    assert record_lists.wins_of(bob) == 0
    [shown] = player_profile.results_of(bob).results
    assert (shown.rank, shown.points) == (None, None)
    table = client_of(bob).get(game.get_absolute_url()).content.decode()
    assert "You won" not in table
    assert re.search(r'<h1 id="headline"[^>]*>bob ⚙ won with', table)


def test_no_rating_changes(deserted: Game, alice: User) -> None:
    end_unrated(deserted, alice)
    count_results()
    assert GameOutcome.objects.get(game=deserted).places is None
    assert not RatingChange.objects.exists()


def test_game_played_on_is_rated(deserted: Game, alice: User) -> None:
    propose_end(game_id=deserted.pk, by=alice, kind="standings")
    count_results()
    assert RatingChange.objects.filter(game=deserted).exists()


def test_replay_knows_the_end(deserted: Game, alice: User) -> None:
    assert replay(end_unrated(deserted, alice)).faults == []


# -- What is shown --------------------------------------------------------------------------------------


def test_table_offers_it_to_who_is_left_and_to_nobody_else(
    deserted: Game, alice: User, bob: User, carol: User
) -> None:
    offer = wording.YOU_ARE_THE_LAST_PERSON
    assert offer in page(deserted, alice, "game")
    assert wording.END_UNRATED in page(deserted, alice, "game")
    for other in (bob, carol):
        assert offer not in page(deserted, other, "game")


def test_page_asks_first_and_the_button_ends_it(deserted: Game, alice: User) -> None:
    question = page(deserted, alice, "confirm-ending", UNRATED)
    assert "No ratings change, not even those of players who left." in question
    assert "conced" not in question
    client_of(alice).post(reverse("confirm-ending", args=[deserted.public_id, UNRATED]))
    assert reload(deserted).ending == UNRATED
    assert wording.ENDED_UNRATED_BY.format(who="You") in page(deserted, alice, "game")


def test_log_and_news_name_who_ended_it(deserted: Game, alice: User, bob: User) -> None:
    game = end_unrated(deserted, alice)
    assert wording.ENDED_UNRATED_BY.format(who="alice") in page(game, bob, "game")
    for user, who in ((alice, "You"), (bob, "alice")):
        news = Notification(game=game, user=user, kind=Kind.FINISHED)
        told = f"The game is over. {who} ended it early, with the standings at that time. No ratings changed."
        assert notification_text.sentence(news) == told


def test_page_of_a_game_of_two_people_does_not_offer_it(game: Game, alice: User) -> None:
    assert "unrated" not in page(game, alice, "ending")
    answer = client_of(alice).post(reverse("confirm-ending", args=[game.public_id, UNRATED]))
    assert answer.status_code == 409
    assert "only soon after all the people playing against you have left" in answer.content.decode()


def test_offer_shows_no_hidden_tile(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob, "random", holdings="hidden", terms=TERMS), 40)
    concede(game_id=game.pk, by=bob)
    seen = seen_by(reload(game), alice).seen
    assert None in seen.cash
    question = page(game, alice, "confirm-ending", UNRATED)
    state = game.rule_system.state_from_json(reload(game).state)
    mine = game.seats.get(user=alice).number
    hidden = {str(cash) for seat, cash in enumerate(state.cash) if seat != mine}
    assert not any(f"${int(cash):,}" in question for cash in hidden)
    assert revealed_seed(reload(game)) is None
    over = end_unrated(game, alice)
    assert None not in seen_by(over, alice).seen.cash
    assert revealed_seed(over) == bytes(over.seed).hex()


def test_random_games_end_unrated_without_a_fault(start: NewGame, alice: User, bob: User) -> None:
    for seed in range(3):
        game = play_on(start(alice, bob, "random", terms=TERMS), Random(seed).randrange(5, 60), seed=seed)
        concede(game_id=game.pk, by=bob)
        if reload(game).is_running:
            assert replay(end_unrated(game, alice)).faults == []


# -- Teams ----------------------------------------------------------------------------------------------


@pytest.fixture
def teams(start: NewGame, alice: User, bob: User, carol: User, dora: User) -> Game:
    """A rated game of two teams, alice with carol and bob with dora, after some moves."""
    return play_on(start(alice, bob, carol, dora, teams="two", seating="joining", terms=TERMS), 30)


@pytest.fixture
def dora() -> User:
    return User.objects.create_user("dora")


@pytest.fixture
def partners(teams: Game, bob: User, dora: User) -> Game:
    """The game of teams after bob and dora have left the site."""
    leave_all_games(bob)
    leave_all_games(dora)
    return reload(teams)


def test_partners_whose_opponents_have_left_end_it_together(partners: Game, alice: User, carol: User) -> None:
    assert end_unrated(partners, alice).is_running
    vote_on_end(game_id=partners.pk, by=carol, kind=UNRATED, yes=True)
    count_results()
    assert reload(partners).ending == UNRATED
    assert not RatingChange.objects.exists()


def test_one_opponent_who_stays_is_enough_to_play_on(teams: Game, bob: User) -> None:
    leave_all_games(bob)
    assert not is_offered(teams)


def test_moves_of_a_team_count_together(partners: Game, alice: User, carol: User) -> None:
    move_team(partners, MAX_MOVES_ALONE - 1, alice, carol)
    assert is_offered(partners)
    move_team(partners, 1, alice, carol)
    assert not is_offered(partners)


def test_partner_who_leaves_later_does_not_extend_the_time(partners: Game, alice: User, carol: User) -> None:
    move_team(partners, MAX_MOVES_ALONE, alice, carol)
    leave_all_games(carol)
    assert not is_offered(partners)


def test_partner_cannot_agree_once_the_winner_may_be_known(partners: Game, alice: User, carol: User) -> None:
    end_unrated(partners, alice)
    move_team(partners, MAX_MOVES_ALONE, alice, carol)
    with pytest.raises(NotEndedUnrated):
        vote_on_end(game_id=partners.pk, by=carol, kind=UNRATED, yes=True)
    leave_all_games(carol)
    assert reload(partners).is_running


def test_game_ends_once_the_seat_of_the_absent_partner_is_kept_no_longer(
    partners: Game, alice: User, carol: User, time_machine: Traveller
) -> None:
    time_machine.move_to(timezone.now(), tick=False)
    leave_to_bot(partners, carol)
    assert end_unrated(partners, alice).is_running
    time_machine.shift(timedelta(hours=1))
    for game_id in waiting_for_lapsed(timezone.now()):
        settle_lapsed(game_id=game_id)
    assert reload(partners).ending == UNRATED


def test_partner_who_refused_is_not_asked_again_at_once(partners: Game, alice: User, carol: User) -> None:
    end_unrated(partners, alice)
    vote_on_end(game_id=partners.pk, by=carol, kind=UNRATED, yes=False)
    with pytest.raises(ProposedRecently):
        end_unrated(partners, alice)
    leave_all_games(carol)
    assert end_unrated(partners, alice).ending == UNRATED


def test_partners_read_that_no_other_team_can_decide(teams: Game, alice: User, bob: User, dora: User) -> None:
    assert "If no other team can decide by the time it ends" in page(
        teams, alice, "confirm-ending", "standings"
    )
    leave_all_games(bob)
    leave_all_games(dora)
    question = page(teams, alice, "confirm-ending", "standings")
    assert "no other team can decide, so this counts as conceding" in question


def test_partners_are_offered_to_propose_it(partners: Game, alice: User) -> None:
    assert "Only your team is left in this game." in page(partners, alice, "game")
    assert "Propose ending unrated, as only your team remains" in page(partners, alice, "ending")
    assert "Your partners get your proposal." in page(partners, alice, "confirm-ending", UNRATED)


def move_team(game: Game, times: int, *team: User) -> None:
    """Let these partners make this many moves together, and bots all that come between."""
    users = [user.pk for user in team]
    made = game.moves.filter(user__in=users, kind="move")
    goal = made.count() + times
    while made.count() < goal:
        game = reload(game)
        seat = game.seats.select_related("user").get(number=game.seat_to_move)
        by = None if seat.is_bot_playing else seat.user
        play_move(game_id=game.pk, number=game.version + 1, seat=seat.number, text=legal_move(game), by=by)
