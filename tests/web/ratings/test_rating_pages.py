"""Pages of leaderboards, ratings and records."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.engine.rules.acquire.events import BonusPaid
from games.models import Game, LogEntry, Notification, OpeningTally, Rating, Record, Result
from games.moderation.actions.listing_actions import LIST, UNLIST
from games.play.seats.concession import concede
from games.play.seats.substitutes import reclaim_seat, take_over_seat
from games.ratings import leaderboards, record_lists
from games.ratings.result_queue import count_results
from games.web.notifications.notification_text import sentence
from tests.support import wording
from tests.support.clients import client_of
from tests.support.finished_games import RATED, finish, users, won_by
from tests.support.games import NewGame, leave_to_bot, play_to_the_end
from tests.support.staff_actions import perform_action

pytestmark = pytest.mark.django_db

QUERIES = 9


def rated(people: list[User], month: str = "", players: int = 0) -> None:
    """Rate these people, the first of them best."""
    Rating.objects.bulk_create(
        Rating(
            system="acquire", players=players, month=month, user=user, mu=40 - place / 100, sigma=2.0,
            games=20, wins=place, standing=40 - place / 100, ranked=True,
        )
        for place, user in enumerate(people)
    )  # fmt: skip


def page(url: str, user: User | None = None) -> str:
    answer = client_of(user).get(url)
    assert answer.status_code == 200
    return answer.content.decode()


# -- Leaderboards --------------------------------------------------------------------------------------


def test_leaderboard_lists_the_best_first_in_pages(alice: User) -> None:
    people = users(120)
    rated(people)
    seen, url = [], "/leaderboard/acquire/"
    while True:
        context = client_of().get(url).context
        seen += [(line.place, line.user) for line in context["board"].lines]
        if not context["following"]:
            break
        url = f"/leaderboard/acquire/?{context['following']}"
    assert seen == list(enumerate(people, start=1))


def test_players_of_equal_rating_are_each_on_one_page(alice: User) -> None:
    people = users(103)
    rated(people)
    Rating.objects.update(standing=30.0)
    first = leaderboards.leaderboard("acquire")
    second = leaderboards.leaderboard("acquire", after=first.following)
    third = leaderboards.leaderboard("acquire", after=second.following)
    lines = [*first.lines, *second.lines, *third.lines]
    assert [line.user for line in lines] == people
    assert [line.place for line in lines] == list(range(1, 104))
    assert not third.following


def test_reader_is_told_the_own_rank(alice: User) -> None:
    people = users(70)
    rated([*people[:60], alice, *people[60:]])
    assert "Your rank is 61, with" in page("/leaderboard/acquire/", alice)
    Rating.objects.filter(user=alice).update(ranked=False)
    assert "It is provisional, so you are not on the leaderboard yet." in page("/leaderboard/acquire/", alice)
    assert "Your rank" not in page("/leaderboard/acquire/")


def test_each_number_of_players_and_each_month_has_a_leaderboard(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    won_by(start, alice, bob)
    Rating.objects.update(ranked=True)
    url = "/leaderboard/acquire/"
    assert ">alice<" in page(url)
    assert ">alice<" in page(f"{url}?players=2")
    assert ">alice<" not in page(f"{url}?players=3")
    assert ">alice<" in page(f"{url}?month=now")
    last_month = timezone.now().replace(day=1) - timedelta(days=1)
    assert ">alice<" not in page(f"{url}?month={last_month:%Y-%m}")


def test_bots_are_listed_apart_with_fixed_ratings(start: NewGame, alice: User) -> None:
    before = page("/leaderboard/acquire/")
    won_by(start, alice, "expert")
    assert "Expert" in before
    strong, weak = (
        level.points for level in leaderboards.levels("acquire") if level.level in ("expert", "easy")
    )
    assert strong > 1500 > weak
    [expert] = [level for level in leaderboards.levels("acquire", 2) if level.level == "expert"]
    assert (expert.games, expert.wins) == (1, 0)


@pytest.mark.parametrize(
    "url",
    ["?players=7", "?players=x", "?month=2026-13", "?month=2026-1", "?month=%D9%A2026-01", "../nothing/"],
)
def test_unknown_leaderboard_is_not_found(url: str) -> None:
    address = "/leaderboard/nothing/" if url == "../nothing/" else f"/leaderboard/acquire/{url}"
    assert Client().get(address).status_code == 404


@pytest.mark.parametrize("after", ["x", "1_", "nan_1", "inf_2", "1_-1", "1_99999999999999999999", "_"])
def test_invalid_place_is_the_beginning(alice: User, after: str) -> None:
    rated([alice])
    assert ">alice<" in page(f"/leaderboard/acquire/?after={after}")


def test_leaderboard_takes_few_queries_for_any_number_of_members(alice: User, bob: User) -> None:
    people = users(300)
    rated([alice, *people[:3], bob])
    few = asked(alice, "/leaderboard/acquire/")
    Rating.objects.all().delete()
    rated([*people, alice, bob])
    first = leaderboards.leaderboard("acquire")
    many = asked(alice, f"/leaderboard/acquire/?after={first.following}")
    assert few <= many <= QUERIES


def asked(user: User, url: str) -> int:
    client = client_of(user)
    client.get(url)
    with CaptureQueriesContext(connection) as taken:
        assert client.get(url).status_code == 200
    return len(taken)


# -- Ratings -------------------------------------------------------------------------------------------


def test_finished_table_shows_the_rating_changes(start: NewGame, alice: User, bob: User) -> None:
    game = won_by(start, alice, bob)
    html = page(game.get_absolute_url())
    gained = Rating.objects.get(user=alice, players=0, month="").mu - 25
    assert f"+{round(30 * gained)}" in html
    assert f"−{round(30 * gained)}" in html


def test_table_of_an_unrated_game_does_not_mention_ratings(start: NewGame, alice: User, bob: User) -> None:
    game = finish(start(alice, bob, terms={"rated": False}), [6000, 5000])
    count_results()
    assert 'href="/ratings/"' not in page(game.get_absolute_url())


@pytest.mark.parametrize("is_rated", [True, False])
def test_absent_player_and_successor_read_what_the_seat_counts_for(
    start: NewGame, alice: User, bob: User, carol: User, is_rated: bool
) -> None:
    game = start(alice, bob, terms={"rated": is_rated, "visibility": "public"})
    leave_to_bot(game, bob)
    email = sentence(Notification(game=game, user=bob, kind=Notification.Kind.LATE))
    table = page(game.get_absolute_url(), bob)
    assert ("If you are not back by the end, it counts as conceded." in email) is is_rated
    assert ("Otherwise this rated game counts as if you had conceded." in table) is is_rated
    offer = page(game.get_absolute_url(), carol)
    assert "You can take over the seat." in offer
    assert (wording.NO_RATING_AT_STAKE in offer) is is_rated


def test_page_about_ratings_says_what_each_seat_counts_for() -> None:
    html = page("/ratings/")
    for rule in (
        "If you do not, you are ranked as if you conceded when the computer player took over.",
        "If you take over a seat, the game does not change your rating.",
        "their seat counts as a computer player (Medium)",
        "A bot never plays a rated game against its owner",
    ):
        assert rule in html


def test_member_page_shows_ratings_and_wins_and_the_waiting_room_the_rating(
    start: NewGame, create: NewGame, alice: User, bob: User
) -> None:
    won_by(start, alice, bob)
    html = page("/players/alice/")
    points = 1500 + round(30 * (Rating.objects.get(user=alice, players=2).mu - 25))
    assert f"{points}<span" in html
    assert "1 won." in html
    room = create(alice, visibility="public")
    assert f"{points}?" in page(room.get_absolute_url())


def test_rating_history_names_no_private_game(start: NewGame, alice: User, bob: User) -> None:
    public = won_by(start, alice, bob, name="In the open")
    private = won_by(start, alice, bob, visibility="invited", name="Between us")
    html = page("/players/alice/ratings/acquire/")
    assert public.get_absolute_url() in html
    assert "In the open" in html
    assert "a private game" in html
    assert private.public_id not in html
    assert "Between us" not in html
    for wrong in ("?players=9", "?players=x"):
        assert Client().get(f"/players/alice/ratings/acquire/{wrong}").status_code == 404
    assert Client().get("/players/alice/ratings/chess/").status_code == 404
    assert Client().get("/players/ALICE/ratings/acquire/").status_code == 302


def test_withheld_system_has_no_ratings(alice: User, settings: Any) -> None:
    Rating.objects.create(
        system="acquisition", user=alice, mu=30, sigma=2, games=9, wins=3, standing=30, ranked=True
    )
    assert "Acquisition" in page("/players/alice/")
    settings.ACQUISITION_PERMISSION = ""
    assert "Acquisition" not in page("/players/alice/")
    for url in (
        "/leaderboard/acquisition/", "/records/acquisition/", "/players/alice/ratings/acquisition/",
    ):  # fmt: skip
        assert Client().get(url).status_code == 404
    assert "Acquisition" not in page("/leaderboard/") + page("/records/") + page("/ratings/")


# -- Head to head --------------------------------------------------------------------------------------


def test_member_page_shows_results_against_the_reader(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    for players in ((alice, bob), (bob, alice), (carol, alice, bob)):
        won_by(start, *players, visibility="invited")
    [between] = record_lists.head_to_head(alice, bob)
    assert (between.games, between.better, between.worse) == (3, 2, 1)
    assert (between.won, between.lost) == (1, 1)
    assert between.ahead == pytest.approx(1000 / 3)
    html = page("/players/bob/", alice)
    assert "3 games together" in html
    assert "+$333 on average" in html
    assert "together" not in page("/players/bob/") + page("/players/bob/", bob)
    Game.objects.filter(seats_taken=3).update(deleted=timezone.now())
    assert record_lists.head_to_head(alice, bob)[0].games == 2


def test_results_against_the_reader_leave_team_games_out(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    finish(start(alice, bob, carol, "random", teams="two", terms=RATED), [7000, 9000, 6000, 1000])
    count_results()
    assert record_lists.head_to_head(alice, carol) == record_lists.head_to_head(alice, bob) == []
    won_by(start, alice, bob)
    [between] = record_lists.head_to_head(alice, bob)
    assert (between.games, between.ahead) == (1, 1000)
    html = page("/players/bob/", alice)
    assert "1 game together" in html and "Team games do not count here." in html


def test_member_page_takes_the_same_queries_for_any_number_of_games(
    start: NewGame, alice: User, bob: User
) -> None:
    won_by(start, alice, bob)
    few = asked(alice, "/players/bob/")
    for _ in range(3):
        won_by(start, alice, bob)
    assert asked(alice, "/players/bob/") == few


# -- Records and openings ------------------------------------------------------------------------------

PAGE = "/records/acquire/?preset=avalon-hill&players=2"


@pytest.fixture
def played(start: NewGame, alice: User, bob: User) -> Game:
    """A public game that was really played to its end."""
    game = play_to_the_end(start(alice, bob, terms=RATED))
    count_results()
    return game


def test_played_game_is_in_the_records(played: Game) -> None:
    feats = {feat.kind: feat.score for feat in Record.objects.filter(game=played)}
    money = [
        points
        for _, _, points in played.rule_system.standings(played.rule_system.state_from_json(played.state))
    ]
    assert feats["most"] == max(money)
    assert 2 <= feats["longest"] <= 108
    assert -60 < feats["turns"] < 0
    html = page(PAGE)
    assert f"${max(money):,}" in html
    assert f"{feats['longest']} tiles" in html
    assert f"{-feats['turns']} turns" in html
    tallies = OpeningTally.objects.filter(preset="avalon-hill", players=2)
    assert sorted(tallies.filter(kind="seat").values_list("key", "games")) == [("0", 1), ("1", 1)]
    assert sum(tallies.filter(kind="seat").values_list("wins", flat=True)) == 60
    [first] = tallies.filter(kind="first")
    assert first.games == 1
    founded = [e["chain"] for m in played.moves.all() for e in m.events if e["kind"] == "founded"]
    assert first.key == founded[0]


def test_records_are_the_best_and_the_first_of_equals(start: NewGame, alice: User, bob: User) -> None:
    games = []
    for cash in ([9000, 4000], [9000, 4000], [8000, 1000], [3000, 9900]):
        game = start(alice, "easy", terms={"visibility": "public"})
        mine = game.seats.get(user=alice).number
        games.append(finish(game, cash if mine == 0 else cash[::-1]))
    count_results()
    [most] = [feats for kind, feats in record_lists.records("acquire", "avalon-hill", 2) if kind == "most"]
    assert [(feat.score, feat.game) for feat in most] == [
        (9000, games[0]),
        (9000, games[1]),
        (8000, games[2]),
    ]
    assert {feat.user for feat in most} == {alice}


def feats_of(game: Game) -> dict[str, User | None]:
    count_results()
    return {feat.kind: feat.user for feat in Record.objects.filter(game=game).select_related("user")}


def test_best_person_holds_the_record_where_a_bot_did_better(start: NewGame, alice: User) -> None:
    game = start(alice, "easy", terms={"visibility": "public"})
    mine = game.seats.get(user=alice).number
    for seat, dollars in ((mine, 4000), (1 - mine, 9000)):
        paid = BonusPaid(seat, "tower", dollars, shares=3, place=1, tied=1, sole=True)
        LogEntry.objects.create(
            game=game,
            number=game.version + 1 + seat,
            kind=LogEntry.Kind.MOVE,
            text="",
            events=[game.rule_system.event_to_json(paid)],
            created_at=timezone.now(),
        )
    finish(game, [6000, 6000])
    assert feats_of(game)["bonus"] == alice
    assert Record.objects.get(game=game, kind="bonus").score == 4000


def test_player_who_shared_a_seat_holds_no_record(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob, terms={"visibility": "public"})
    leave_to_bot(game, alice)
    reclaim_seat(game_id=game.pk, user=alice)
    leave_to_bot(game, bob)
    take_over_seat(game_id=game.pk, number=game.seats.get(user=bob).number, user=carol)
    finish(game, [9000, 8000])
    assert feats_of(game) == {}


def test_game_with_changed_rules_holds_no_record_but_counts_for_openings(
    start: NewGame, alice: User, bob: User
) -> None:
    game = finish(start(alice, bob, terms={"visibility": "public"}, payout="four"), [9000, 8000])
    assert feats_of(game) == {}
    assert OpeningTally.objects.filter(preset="avalon-hill", kind="seat", games=1).count() == 2


@pytest.mark.parametrize("terms", [{"visibility": "invited"}, {"visibility": "unlisted"}])
def test_private_games_are_not_in_the_records(
    start: NewGame, alice: User, bob: User, terms: dict[str, Any]
) -> None:
    won_by(start, alice, bob, **terms)
    assert not Record.objects.exists()
    assert not OpeningTally.objects.exists()
    assert Result.objects.filter(public=False).count() == 2
    assert "1 won." not in page("/players/alice/")


def test_early_end_is_no_record(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, terms={"visibility": "public"})
    concede(game_id=game.pk, by=bob)
    count_results()
    assert not Record.objects.exists()
    assert not OpeningTally.objects.exists()


def test_unlisted_game_loses_its_records_and_regains_them(start: NewGame, alice: User, bob: User) -> None:
    game = won_by(start, alice, bob)
    before = sorted(OpeningTally.objects.values_list("kind", "key", "games", "wins"))
    assert "$10,000" in page(PAGE)
    perform_action(UNLIST, game, None, "A rude name.")
    assert "$10,000" not in page(PAGE)  # at once
    count_results()
    assert not Record.objects.exists()
    assert set(OpeningTally.objects.values_list("games", "wins")) == {(0, 0)}
    assert "No game of this kind has finished yet." in page(PAGE)
    perform_action(LIST, Game.all_games.get(pk=game.pk), None, "It was renamed.")
    count_results()
    assert sorted(OpeningTally.objects.values_list("kind", "key", "games", "wins")) == before


def test_page_of_records_begins_with_a_preset_that_has_some(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    won_by(start, alice, bob, carol)
    assert "$10,000" in page("/records/")
    for wrong in ("?preset=none", "?players=1", "?players=x"):
        assert Client().get(f"/records/acquire/{wrong}").status_code == 404


def test_lists_of_finished_things_link_to_each_other(alice: User) -> None:
    for url in ("/games/finished/", "/games/mine/"):
        html = page(url, alice)
        assert 'href="/games/mine/"' in html
        assert 'href="/games/finished/"' in html
        assert 'href="/records/"' in html
    assert 'href="/games/mine/"' not in page("/games/finished/")


def test_win_rate_of_levels_waits_for_their_first_game(start: NewGame, alice: User) -> None:
    assert "Computer players" in page("/leaderboard/") and "Win rate" not in page("/leaderboard/")
    won_by(start, "expert", alice)
    assert "Win rate" in page("/leaderboard/")


def test_history_opens_on_the_games_of_the_reader(alice: User) -> None:
    def history(user: User | None) -> list[str]:
        return re.findall(r'<a href="([^"]*)"(?: aria-current="page")?>History</a>', page("/", user))

    assert set(history(alice)) == {"/games/mine/"} and set(history(None)) == {"/games/finished/"}
    assert "You have not finished a game yet." in page("/games/mine/", alice)


# -- Finished games ------------------------------------------------------------------------------------


def test_list_of_finished_games_names_the_winner(start: NewGame, alice: User, bob: User) -> None:
    won_by(start, alice, bob)
    assert "alice won with $10,000" in page("/games/finished/")
    assert "You won with $10,000" in page("/games/finished/", alice)
    assert "alice won with $10,000" in page("/games/mine/", bob)


def test_list_names_everybody_who_shares_a_win(start: NewGame, alice: User, bob: User) -> None:
    finish(start(alice, bob, terms=RATED), [9000, 9000])
    count_results()
    text = page("/games/finished/")
    assert any(f"{both} won with $9,000" in text for both in ("alice and bob", "bob and alice"))


def test_list_names_no_winner_where_a_bot_won(start: NewGame, alice: User) -> None:
    won_by(start, "expert", alice)
    text = page("/games/finished/")
    assert "Finished" in text
    assert "won with" not in text


def test_list_takes_the_same_queries_for_many_games(start: NewGame, alice: User, bob: User) -> None:
    def taken() -> int:
        with CaptureQueriesContext(connection) as queries:
            page("/games/finished/")
        return len(queries)

    won_by(start, alice, bob)
    few = taken()
    for _ in range(3):
        won_by(start, alice, bob)
    assert taken() == few
