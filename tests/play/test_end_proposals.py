"""Early ends of games: by agreement and by concession."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.refusals import Refusal
from games import sweeper
from games.archive.replay import replay, revealed_seed, worth_by_turn
from games.lobby.departures import leave_all_games
from games.lobby.rematch import start_rematch
from games.log.end_proposals import open_proposal
from games.log.standings import standings
from games.models import Game, Vote
from games.play.bots.bot_moves import play_bot_move
from games.play.game_lock import lock_game
from games.play.play_move import play_move
from games.play.seats import concession
from games.play.seats.end_votes import propose_end, vote_on_end, was_refused_lately
from games.play.seats.substitutes import reclaim_seat, take_over_seat
from games.players import limits
from games.players.limits import is_at_game_limit
from games.ratings import player_profile
from games.refusals import BotIsPlaying, NotSeated, NotYourDecision, ProposalChanged, ProposedRecently
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, leave_to_bot, legal_move, play_on, play_to_the_end, seen_by

pytestmark = pytest.mark.django_db

STANDINGS, NONE = "standings", "none"


def reload(game: Game) -> Game:
    return Game.with_secrets.get(pk=game.pk)


def propose(game: Game, by: User, kind: str = STANDINGS) -> None:
    propose_end(game_id=game.pk, by=by, kind=kind)


def say(game: Game, by: User, *, yes: bool, kind: str = STANDINGS) -> None:
    vote_on_end(game_id=game.pk, by=by, kind=kind, yes=yes)


def concede(game: Game, by: User) -> None:
    concession.concede(game_id=game.pk, by=by)


def texts(game: Game) -> list[str]:
    return [entry.text for entry in game.moves.filter(kind="ruling")]


def seat(game: Game, user: User) -> int:
    return game.seats.get(user=user).number


def places(game: Game) -> list[tuple[int, int, int]]:
    return standings(reload(game), list(game.seats.all()))


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    """A game of two people and a bot after 60 moves."""
    return play_on(start(alice, bob, "random", terms={"visibility": "public"}), 60)


# -- Proposals -----------------------------------------------------------------------------------------


def test_game_ends_when_all_players_agree(game: Game, alice: User, bob: User) -> None:
    worth = game.rule_system.worth(game.rule_system.state_from_json(game.state))
    propose(game, alice)
    assert reload(game).is_running
    say(game, bob, yes=True)

    over = reload(game)
    assert (over.status, over.ending) == ("finished", STANDINGS)
    assert (over.seat_to_move, over.decision_kind, over.waiting_for, over.deadline, over.bot_due_at) == (
        None,
        "",
        None,
        None,
        None,
    )
    assert texts(game)[-3:] == [
        f"{seat(game, alice)} proposes end with standings",
        f"{seat(game, bob)} agrees to end with standings",
        "end with standings",
    ]
    assert {number: dollars for _, number, dollars in places(game)} == dict(enumerate(worth))
    assert [dollars for _, _, dollars in places(game)] == sorted(worth, reverse=True)
    assert not game.seats.filter(ended=None).exists()


def test_game_without_a_result_has_no_standings(game: Game, alice: User, bob: User) -> None:
    propose(game, bob, NONE)
    say(game, alice, yes=True, kind=NONE)
    assert reload(game).ending == NONE
    assert places(game) == []
    [result] = player_profile.results_of(alice).results
    assert (result.rank, result.points, result.players) == (None, None, 3)


def test_one_refusal_closes_the_proposal(game: Game, alice: User, bob: User) -> None:
    propose(game, alice)
    say(game, bob, yes=False)
    assert reload(game).is_running
    assert texts(game)[-1] == f"{seat(game, bob)} refuses end with standings"
    assert not Vote.objects.filter(closed=None).exists()
    with pytest.raises(ProposalChanged):
        say(game, bob, yes=True)
    with pytest.raises(ProposedRecently):
        propose(game, alice)
    propose(game, bob)


def test_refused_player_may_propose_again_after_a_day(game: Game, alice: User, bob: User) -> None:
    propose(game, alice)
    say(game, bob, yes=False)
    Vote.objects.update(closed=timezone.now() - timedelta(days=1, seconds=1))
    propose(game, alice)
    assert open_proposal(game, list(game.seats.all())).agreed == (seat(game, alice),)


def test_answer_may_be_changed_until_all_have_agreed(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob, carol)
    propose(game, alice)
    say(game, bob, yes=True)
    say(game, bob, yes=True)
    assert open_proposal(game, list(game.seats.all())).missing == (seat(game, carol),)
    say(game, bob, yes=False)
    assert open_proposal(game, list(game.seats.all())) is None
    assert len(texts(game)) == 3


def test_proposal_may_be_withdrawn_by_its_player(game: Game, alice: User, bob: User) -> None:
    propose(game, alice)
    say(game, alice, yes=False)
    assert texts(game)[-1] == f"{seat(game, alice)} withdraws end with standings"
    with pytest.raises(ProposalChanged):
        say(game, bob, yes=True)


def test_second_proposal_is_refused_unless_it_is_the_same(game: Game, alice: User, bob: User) -> None:
    propose(game, alice)
    with pytest.raises(ProposalChanged):
        propose(game, bob, NONE)
    with pytest.raises(ProposalChanged):
        say(game, bob, yes=True, kind=NONE)
    propose(game, bob)
    assert reload(game).ending == STANDINGS, "to propose the same is to agree"


def test_lone_player_among_bots_ends_the_game_alone(start: NewGame, alice: User) -> None:
    game = start(alice, "random", "random")
    propose(game, alice, NONE)
    assert reload(game).ending == NONE


def test_strangers_and_bots_have_no_vote(game: Game, alice: User, carol: User) -> None:
    with pytest.raises(NotSeated):
        propose(game, carol)
    propose(game, alice)
    found = open_proposal(game, list(game.seats.all()))
    assert len(found.agreed + found.missing) == 2


def test_moves_go_on_during_a_proposal(game: Game, alice: User, bob: User) -> None:
    propose(game, alice)
    game = play_on(game, 10)
    say(game, bob, yes=True)
    over = reload(game)
    assert over.is_finished
    assert replay(over).faults == []


def test_end_of_the_game_closes_the_proposal(game: Game, alice: User) -> None:
    propose(game, alice)
    play_to_the_end(game)
    assert reload(game).ending == ""
    assert not Vote.objects.filter(closed=None).exists()
    with pytest.raises(NotYourDecision):
        propose(game, alice)


# -- Concessions ---------------------------------------------------------------------------------------


def test_concession_ends_a_game_of_two(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob, terms={"visibility": "public"}), 30)
    concede(game, alice)
    over = reload(game)
    assert (over.status, over.ending) == ("finished", "conceded")
    assert [(rank, number) for rank, number, _ in places(game)] == [
        (1, seat(game, bob)),
        (2, seat(game, alice)),
    ]
    assert player_profile.results_of(bob).results[0].rank == 1


def test_bot_plays_on_for_a_conceded_seat_that_ranks_last(game: Game, alice: User) -> None:
    concede(game, alice)
    mine = game.seats.get(user=alice)
    assert (mine.concession_order, mine.bot_level) == (1, "medium")
    assert reload(game).is_running
    assert texts(game)[-1] == f"concede {mine.number}"

    # However well it does.
    while (game := reload(game)).seat_to_move is not None:
        if game.seats.get(number=game.seat_to_move).user == alice:
            play_move(
                game_id=game.pk,
                number=game.version + 1,
                seat=game.seat_to_move,
                text=legal_move(game),
                by=None,
            )
        else:
            game = play_on(game, 1, seed=game.version)
    assert places(game)[-1][:2] == (3, mine.number)
    assert replay(reload(game)).faults == []
    assert player_profile.results_of(alice).results[0].rank == 3


def test_nobody_moves_for_a_conceded_seat_by_hand(game: Game, alice: User, bob: User) -> None:
    concede(game, alice)
    mine = seat(game, alice)
    with pytest.raises(Refusal):
        play_move(game_id=game.pk, number=game.version + 2, seat=mine, text="buy nothing", by=alice)
    with pytest.raises(Refusal):
        reclaim_seat(game_id=game.pk, user=alice)
    with pytest.raises(Refusal):
        propose_end(game_id=game.pk, by=alice, kind=STANDINGS)


def test_repeated_concession_is_the_same_success(game: Game, alice: User, carol: User) -> None:
    concede(game, alice)
    version = reload(game).version
    concede(game, alice)
    assert reload(game).version == version
    with pytest.raises(NotSeated):
        concede(game, carol)


def test_first_to_concede_ranks_last(start: NewGame, alice: User, bob: User, carol: User) -> None:
    game = start(alice, bob, carol)
    concede(game, bob)
    concede(game, alice)
    assert [number for _, number, _ in places(game)] == [seat(game, user) for user in (carol, alice, bob)]
    assert reload(game).ending == "conceded"


def test_last_concession_ends_the_game_of_bots(start: NewGame, alice: User) -> None:
    game = start(alice, "random", "random")
    concede(game, alice)
    assert reload(game).ending == "conceded"
    assert places(game)[-1][1] == seat(game, alice)


def test_conceded_game_does_not_count_as_unfinished(
    game: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_UNFINISHED_GAMES", 1)
    assert is_at_game_limit(alice)
    concede(game, alice)
    assert not is_at_game_limit(alice)


def test_conceded_seat_has_no_vote(start: NewGame, alice: User, bob: User, carol: User) -> None:
    game = start(alice, bob, carol)
    propose(game, alice)
    say(game, bob, yes=True)
    concede(game, carol)
    assert reload(game).ending == STANDINGS


def test_proposal_of_a_conceding_player_is_dropped(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob, carol)
    propose(game, alice)
    concede(game, alice)
    assert open_proposal(game, list(game.seats.all())) is None


# -- Absent players ------------------------------------------------------------------------------------


@pytest.fixture
def left_alone(start: NewGame, alice: User, bob: User) -> Game:
    """A game in which a bot plays for bob, who timed out and may return."""
    game = start(alice, bob)
    leave_to_bot(game, bob)
    return reload(game)


def test_absent_player_must_agree_to_standings(left_alone: Game, alice: User, bob: User) -> None:
    propose(left_alone, alice)
    assert reload(left_alone).is_running
    assert open_proposal(left_alone, list(left_alone.seats.all())).missing == (seat(left_alone, bob),)
    say(left_alone, bob, yes=True)
    assert reload(left_alone).ending == STANDINGS


def test_present_player_may_end_a_deserted_game_without_a_result(left_alone: Game, alice: User) -> None:
    propose(left_alone, alice, NONE)
    assert reload(left_alone).ending == NONE


# Otherwise two players could annul a game that the third wins.
def test_player_whose_seat_is_kept_must_agree_to_no_result(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob, carol, terms={"pace": 86400})
    leave_to_bot(game, carol)
    asked = page(client_of(alice), "confirm-ending", game.public_id, NONE)
    assert "Absent players must agree too for as long as their seat is kept for them." in asked
    propose(game, alice, NONE)
    say(game, bob, yes=True, kind=NONE)
    assert reload(game).is_running
    assert open_proposal(game, list(game.seats.all())).missing == (seat(game, carol),)
    say(game, carol, yes=True, kind=NONE)
    assert reload(game).ending == NONE


def test_game_ends_without_a_result_once_no_seat_is_kept_any_more(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob, carol, terms={"pace": 86400})
    leave_to_bot(game, carol)
    propose(game, alice, NONE)
    say(game, bob, yes=True, kind=NONE)
    sweeper.sweep()
    assert reload(game).is_running
    game.seats.filter(user=carol).update(reserved_until=timezone.now())
    sweeper.sweep()
    assert reload(game).ending == NONE


def test_absent_player_votes_on_standings_but_must_return_for_the_rest(
    left_alone: Game, alice: User, bob: User
) -> None:
    asked = page(client_of(alice), "confirm-ending", left_alone.public_id, STANDINGS)
    assert "Absent players who can still come back must agree too." in asked
    assert wording.GAME_ENDS_RIGHT_AWAY not in asked
    asked = page(client_of(alice), "confirm-ending", left_alone.public_id, NONE)
    assert f"{wording.GAME_ENDS_RIGHT_AWAY} Nobody wins. Absent players have no vote." in asked
    client = client_of(bob)
    assert "without a result" not in page(client, "ending", left_alone.public_id)
    refused = client.post(reverse("confirm-ending", args=[left_alone.public_id, NONE]))
    assert refused.status_code == 409
    assert str(BotIsPlaying.message) in refused.content.decode()
    propose(left_alone, alice)
    assert wording.AGREE_TO_END in page(client, "ending", left_alone.public_id)
    client.post(reverse("answer-proposal", args=[left_alone.public_id, STANDINGS]), {"say": "no"})
    assert open_proposal(left_alone, list(left_alone.seats.all())) is None


# -- Seats that change hands ---------------------------------------------------------------------------


def in_place_of(game: Game, user: User) -> tuple[User, int]:
    """Let a new member take over this user's seat; return the member and the seat number."""
    dave, number = User.objects.create_user("dave"), seat(game, user)
    leave_all_games(user)
    take_over_seat(game_id=game.pk, number=number, user=dave)
    return dave, number


def test_new_player_of_a_seat_has_not_voted(start: NewGame, alice: User, bob: User, carol: User) -> None:
    game = start(alice, bob, carol)
    propose(game, alice)
    say(game, bob, yes=True)
    dave, mine = in_place_of(game, bob)
    assert open_proposal(game, list(game.seats.all())).missing == tuple(sorted({mine, seat(game, carol)}))
    say(game, carol, yes=True)
    assert reload(game).is_running
    say(game, dave, yes=True)
    assert reload(game).ending == STANDINGS


def test_proposal_is_dropped_with_its_player(start: NewGame, alice: User, bob: User, carol: User) -> None:
    game = start(alice, bob, carol)
    propose(game, alice)
    say(game, bob, yes=True)
    dave, mine = in_place_of(game, alice)
    assert open_proposal(game, list(game.seats.all())) is None
    assert not was_refused_lately(game, game.seats.get(user=bob))
    propose(game, dave)
    assert open_proposal(game, list(game.seats.all())).agreed == (mine,)


def test_refusal_binds_the_refused_player_only(game: Game, alice: User, bob: User) -> None:
    dave, mine = User.objects.create_user("dave"), seat(game, alice)
    propose(game, alice)
    say(game, bob, yes=False)
    leave_all_games(alice)
    take_over_seat(game_id=game.pk, number=mine, user=dave)
    propose(game, dave)


# -- After the end -------------------------------------------------------------------------------------


def test_ended_game_takes_no_moves(game: Game, alice: User, bob: User) -> None:
    asked, move = game.seat_to_move, legal_move(game)
    by = game.seats.get(number=asked).user
    propose(game, alice)
    say(game, bob, yes=True)
    over = reload(game)
    with pytest.raises(NotYourDecision):
        play_move(game_id=game.pk, number=over.version + 1, seat=asked, text=move, by=by)
    assert not play_bot_move(game.pk, over.version)
    for work in (lambda: propose(game, alice), lambda: concede(game, alice)):
        with pytest.raises(NotYourDecision):
            work()


def test_early_end_reveals_what_every_end_reveals(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob, "random", holdings="hidden"), 40)
    assert None in seen_by(game, alice).seen.cash
    propose(game, alice)
    say(game, bob, yes=True)
    over = reload(game)
    seen = seen_by(over, alice).seen
    assert (seen.ended, seen.legal) == (STANDINGS, ())
    assert None not in seen.cash
    assert revealed_seed(over) == bytes(over.seed).hex()
    assert worth_by_turn(over)[-1] == list(seen.worth)


def test_rematch_works_after_an_early_end(game: Game, alice: User, bob: User) -> None:
    propose(game, alice)
    say(game, bob, yes=True)
    again = start_rematch(game_id=game.pk, by=alice)
    assert (again.preset, again.max_players) == (game.preset, 3)


@pytest.mark.parametrize("decision", ["place", "found", "dispose", "buy"])
@pytest.mark.parametrize("kind", [STANDINGS, NONE])
def test_pages_work_wherever_the_game_was_ended(
    decision: str, kind: str, start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob, "random", terms={"visibility": "public", "skips": False})
    while game.decision_kind != decision:
        game = play_on(game, 1, seed=game.version)
    propose(game, alice, kind)
    say(game, bob, yes=True, kind=kind)
    client = client_of(alice)
    pages = {
        name: client.get(reverse(name, args=[game.public_id])).content.decode()
        for name in ("game", "table", "log", "deal-check")
    }
    assert (wording.FINAL_STANDINGS in pages["game"]) == (kind == STANDINGS)
    assert wording.EVERYONE_AGREED_TO_END in pages["log"]
    assert (wording.ENDED_WITHOUT_RESULT in pages["game"]) == (kind == NONE)
    assert bytes(reload(game).seed).hex() in pages["deal-check"]
    finished = client.get(reverse("finished-games")).content.decode()
    assert ("Ended by agreement" if kind == STANDINGS else "Ended without a result") in finished
    assert ("no result" in client.get(reverse("player", args=["alice"])).content.decode()) == (kind == NONE)


# -- Pages ---------------------------------------------------------------------------------------------


def page(client: Client, name: str, *args: object) -> str:
    answer = client.get(reverse(name, args=args))
    assert answer.status_code == 200, answer
    return answer.content.decode()


def test_proposal_is_made_answered_and_completed_on_pages(
    game: Game, alice: User, bob: User, carol: User
) -> None:
    mine, theirs = client_of(alice), client_of(bob)
    ending = reverse("ending", args=[game.public_id])
    assert ending in page(mine, "game", game.public_id)
    assert ending not in page(client_of(carol), "game", game.public_id)
    asked = page(mine, "confirm-ending", game.public_id, STANDINGS)
    assert "Current standings" in asked
    assert reload(game).moves.count() == game.version, "nothing is done by looking"
    mine.post(reverse("confirm-ending", args=[game.public_id, STANDINGS]))
    table = page(theirs, "game", game.public_id)
    assert "alice proposes to end the game" in table
    assert f'<a href="{ending}">{wording.RESPOND_TO_PROPOSAL}</a>' in table
    assert f'<a href="{ending}">{wording.RESPOND_TO_PROPOSAL}</a>' not in page(mine, "game", game.public_id)
    assert "Withdraw proposal" in page(mine, "ending", game.public_id)
    assert wording.AGREE_TO_END in page(theirs, "ending", game.public_id)
    theirs.post(reverse("answer-proposal", args=[game.public_id, STANDINGS]), {"say": "yes"})
    assert reload(game).is_finished
    assert theirs.get(ending).status_code == 302


def test_concession_asks_for_confirmation(game: Game, alice: User) -> None:
    client = client_of(alice)
    assert "A computer player takes over your seat." in page(
        client, "confirm-ending", game.public_id, "concede"
    )
    assert game.seats.get(user=alice).concession_order is None
    answer = client.post(reverse("confirm-ending", args=[game.public_id, "concede"]), follow=True)
    assert "You conceded" in answer.content.decode()
    assert game.seats.get(user=alice).concession_order == 1


def test_impossible_answer_is_refused_with_a_message(game: Game, alice: User, bob: User, carol: User) -> None:
    mine, theirs = client_of(alice), client_of(bob)
    address = reverse("answer-proposal", args=[game.public_id, STANDINGS])
    assert theirs.post(address, {"say": "yes"}).status_code == 409
    assert theirs.post(address, {"say": "perhaps"}).status_code == 422
    assert mine.get(reverse("confirm-ending", args=[game.public_id, "surrender"])).status_code == 404
    assert mine.post(reverse("confirm-ending", args=[game.public_id, "surrender"])).status_code == 404
    assert client_of(carol).get(reverse("ending", args=[game.public_id])).status_code == 404
    propose(game, alice)
    say(game, bob, yes=False)
    refused = mine.post(reverse("confirm-ending", args=[game.public_id, STANDINGS]))
    assert refused.status_code == 409
    assert "Your last proposal was rejected less than 24 hours ago." in refused.content.decode()


def test_answer_after_the_end_is_refused_with_a_message(game: Game, alice: User, bob: User) -> None:
    client = client_of(bob)
    propose(game, alice)
    say(game, bob, yes=True)
    assert reload(game).is_finished
    for name, what in (
        ("answer-proposal", STANDINGS),
        ("confirm-ending", NONE),
        ("confirm-ending", "concede"),
    ):
        late = client.post(reverse(name, args=[game.public_id, what]), {"say": "yes"})
        assert late.status_code == 409
        assert "The game had already ended, so nothing has changed." in late.content.decode()


def test_standings_of_hidden_holdings_are_not_shown(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob, holdings="hidden"), 30)
    assert "Current standings" not in page(client_of(alice), "confirm-ending", game.public_id, STANDINGS)
    propose(game, bob)
    assert "Current standings" not in page(client_of(alice), "ending", game.public_id)


def test_early_end_leaves_the_state_unchanged(game: Game, alice: User, bob: User) -> None:
    """The rules know no rulings: the position is that after the last move that stands."""
    propose(game, alice)
    say(game, bob, yes=True)
    assert reload(game).state == game.state
    assert lock_game(game.pk).rule_system.decider(game.rule_system.state_from_json(game.state)) is not None
