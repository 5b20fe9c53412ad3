"""Pages of past positions, and the steps between them."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.archive.past_position import position_at
from games.archive.replay import DealCheck, check_deal
from games.engine.rules.acquire.board import SQUARE_NAMES
from games.models import Game, GameVisit
from games.play.seats.concession import concede
from tests.support import wording
from tests.support.games import NewGame, play_on, play_to_the_end
from tests.support.htmx import HTMX
from tests.support.practice_tables import decide, device_of, practise

pytestmark = pytest.mark.django_db

FORMS = re.compile(r'<form[^>]*method="post"[^>]*action="([^"]*)"')


def address(game: Game, number: int) -> str:
    return reverse("past-position", args=[game.public_id, number])


def links(page: Any) -> dict[str, int | None]:
    """Targets of the steps."""
    return {name: to for name, _words, _mark, to in page.context["steps"]}


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return play_on(start(alice, bob, "random"), 30)


@pytest.fixture
def at_alice(alice: User) -> Client:
    return device_of(alice)


def test_table_links_to_the_last_position(game: Game, at_alice: Client) -> None:
    positions = reverse("past-positions", args=[game.public_id])
    assert f'<a href="{positions}">Replay</a>' in at_alice.get(game.get_absolute_url()).content.decode()
    assert at_alice.get(positions).headers["Location"] == address(game, 30)


def test_slider_works_as_a_form_without_a_script(game: Game, client: Client) -> None:
    positions = reverse("past-positions", args=[game.public_id])
    page = client.get(address(game, 7)).content.decode()
    assert re.search(rf'<form method="get" action="{positions}"', page)
    assert re.search(r'name="to"\s+min="0"\s+max="30"\s+value="7"', page)
    assert client.get(positions, {"to": "12"}).headers["Location"] == address(game, 12)


@pytest.mark.parametrize("to", ["", "x", "-3", "31", "9" * 40, "٣"])
def test_invalid_position_redirects_to_the_last_one(game: Game, client: Client, to: str) -> None:
    positions = reverse("past-positions", args=[game.public_id])
    assert client.get(positions, {"to": to}).headers["Location"] == address(game, 30)


@pytest.mark.parametrize("number", [31, 10**9, 10**60])
def test_position_beyond_the_log_is_the_last_one(game: Game, client: Client, number: int) -> None:
    assert client.get(address(game, number)).headers["Location"] == address(game, 30)


def test_past_position_shows_its_number_and_the_way_back(game: Game, at_alice: Client) -> None:
    page = at_alice.get(address(game, 7))
    text = page.content.decode()
    assert "Position 7 of 30" in text
    assert re.search(rf'<a href="{game.get_absolute_url()}">\s*{wording.CURRENT_POSITION}', text)
    assert 'data-announce="Position 7 of 30. ' in text


def test_past_position_offers_no_action(game: Game, alice: User, at_alice: Client) -> None:
    """Not even the current position during one's own turn."""
    while game.waiting_for != alice:
        game = play_on(game, 1)
    for number in range(game.version + 1):
        page = at_alice.get(address(game, number))
        assert page.context["decision"] is None
        posted = FORMS.findall(page.content.decode())
        assert all(not action.startswith(game.get_absolute_url()) for action in posted)
    assert at_alice.post(address(game, 3)).status_code == 405


def test_steps_lead_to_the_ends_the_neighbours_and_the_turns(game: Game, client: Client) -> None:
    turns = position_at(game.public_id, game.host, 0).turns
    for number in range(31):
        steps = links(client.get(address(game, number)))
        assert steps["first"] == (0 if number else None)
        assert steps["before"] == (number - 1 if number else None)
        assert steps["after"] == (number + 1 if number < 30 else None)
        assert steps["last"] == (30 if number < 30 else None)
        assert steps["turn-before"] == max((turn for turn in turns if turn < number), default=None)
        later = min((turn for turn in turns if turn > number), default=30)
        assert steps["turn-after"] == (later if number < 30 else None)


def test_step_by_htmx_returns_the_changing_part(game: Game, client: Client) -> None:
    part = client.get(address(game, 7), **HTMX).content.decode()
    assert "<html" not in part and "Position 7 of 30" in part and 'class="board"' in part


def test_board_marks_what_the_entry_changed(game: Game, client: Client) -> None:
    for number in range(1, 31):
        entry = game.moves.get(number=number)
        page = client.get(address(game, number))
        marked = {
            square.name
            for row in page.context["board"]
            for square in row.squares
            if {"new", "changed"} & set(square.css.split())
        }
        if entry.text.startswith("place"):
            assert entry.text.split()[1].upper() in marked
        elif entry.text.startswith("buy"):
            assert marked == set()


def test_page_describes_the_entry(game: Game, client: Client) -> None:
    bought = game.moves.filter(text__startswith="buy").exclude(text="buy nothing").last()
    page = client.get(address(game, bought.number))
    assert any("bought" in sentence for sentence in page.context["sentences"])
    assert "The deal. No moves yet." in client.get(address(game, 0)).content.decode()


def test_each_log_line_links_to_its_position(game: Game, client: Client) -> None:
    for page in (game.get_absolute_url(), reverse("log", args=[game.public_id])):
        answer = client.get(page)
        for turn in answer.context["turns"]:
            assert f'href="{address(game, turn.last)}"' in answer.content.decode()


def test_player_sees_the_own_hand_of_then_and_a_spectator_none(
    game: Game, alice: User, at_alice: Client, client: Client
) -> None:
    for number in (3, 17):
        seen = position_at(game.public_id, alice, number).look.seen
        shown = {tile.name for tile in at_alice.get(address(game, number)).context["hand"]}
        assert shown == {SQUARE_NAMES[tile] for tile in seen.hand}
        assert client.get(address(game, number)).context["hand"] is None


def test_positions_of_a_finished_game_are_moments_of_its_review(game: Game, client: Client) -> None:
    game = play_to_the_end(game)
    moment = reverse("review-moment", args=[game.public_id, 7])
    assert client.get(address(game, 7)).headers["Location"] == moment
    positions = reverse("past-positions", args=[game.public_id])
    assert client.get(positions, {"to": "7"}).headers["Location"] == moment
    last = reverse("review-moment", args=[game.public_id, game.version])
    assert client.get(positions).headers["Location"] == last
    # A page that was open when the game ended gives way to the review as a whole.
    assert client.get(address(game, 7), **HTMX).headers["HX-Redirect"] == moment


def test_past_position_does_not_mark_the_game_as_seen(game: Game, alice: User, at_alice: Client) -> None:
    """News stay news until the table itself is opened."""
    at_alice.get(address(game, 30))
    assert not GameVisit.objects.filter(game=game, user=alice).exists()


def test_positions_of_a_practice_table_are_for_its_device(alice: User, bob: User, client: Client) -> None:
    game = practise(alice, people=("Ann", "Ben"))
    for _ in range(4):
        game = decide(game)
    for page in (address(game, 2), reverse("past-positions", args=[game.public_id])):
        assert client.get(page).status_code == 404
        assert device_of(bob).get(page).status_code == 404
    shown = device_of(alice).get(address(game, 2))
    assert (shown.status_code, shown.context["hand"]) == (200, None)


def test_waiting_game_has_no_positions(create: NewGame, alice: User) -> None:
    room = create(alice)
    assert device_of(alice).get(address(room, 0)).status_code == 404
    assert device_of(alice).get(reverse("past-positions", args=[room.public_id])).status_code == 404


def test_past_position_names_players_who_had_conceded_by_then(game: Game, bob: User, client: Client) -> None:
    seat = game.seats.get(user=bob).number
    concede(game_id=game.pk, by=bob)
    game = play_to_the_end(game)
    before, after = (position_at(game.public_id, game.host, n) for n in (30, 31))
    assert (before.conceded, after.conceded) == (frozenset(), {seat})
    assert client.get(address(game, 30)).status_code == 302


def test_past_position_takes_the_same_queries_for_any_length(
    game: Game, at_alice: Client, django_assert_max_num_queries: Any
) -> None:
    def queries_of(number: int) -> int:
        with django_assert_max_num_queries(8) as asked:
            at_alice.get(address(game, number))
        return len(asked)

    at_alice.get(address(game, 5))  # the first page of a visit records the visit
    early = queries_of(5)
    game = play_on(game, 100)
    assert queries_of(5) == queries_of(120) == early


# -- Deal check --------------------------------------------------------------------------------------


def test_deal_of_a_finished_game_is_checked_on_the_page(game: Game, client: Client) -> None:
    deal = reverse("deal-check", args=[game.public_id])
    assert "checked" not in client.get(deal, {"check": "1"}).context
    game = play_to_the_end(game)
    assert wording.CHECK_THIS_DEAL in client.get(deal).content.decode()
    page = client.get(deal, {"check": "1"})
    assert page.context["checked"] == DealCheck(True, game.version, True)
    assert page.content.decode().count("✓") == 2


def test_altered_deal_is_found_out(game: Game, client: Client) -> None:
    game = play_to_the_end(game)
    deal = reverse("deal-check", args=[game.public_id])
    Game.objects.filter(pk=game.pk).update(seed=bytes(32))
    checked = client.get(deal, {"check": "1"}).context["checked"]
    assert (checked.fingerprint, checked.log) == (False, False)
    Game.objects.filter(pk=game.pk).update(seed=game.seed, seed_hash="0" * 64)
    checked = client.get(deal, {"check": "1"}).context["checked"]
    assert (checked.fingerprint, checked.log) == (False, True)
    assert "✗" in client.get(deal, {"check": "1"}).content.decode()


def test_running_game_keeps_its_seed(game: Game) -> None:
    with pytest.raises(ValueError, match="keeps its seed"):
        check_deal(game)
