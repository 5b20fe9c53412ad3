"""Standing orders on pages: given, previewed and withdrawn, with and without htmx."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Game, StandingOrder
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, play_to_the_end
from tests.support.htmx import HTMX
from tests.support.merger_game import SEATED, TILE, before_a_merger, move

pytestmark = pytest.mark.django_db

TRADE = {"chain": "luxor", "hold": "1", "trade": "most"}
SENTENCE = "When Sackson goes defunct, hold 1, trade as many as possible and sell the rest."


@pytest.fixture
def game(start: NewGame, alice: User, bob: User, carol: User) -> Game:
    return before_a_merger(start(alice, bob, carol, **SEATED))


@pytest.fixture
def page(bob: User) -> Client:
    return client_of(bob)


def address(game: Game, name: str = "orders") -> str:
    return reverse(name, args=[game.public_id])


def test_table_of_a_player_leads_to_the_form_and_fetches_it_when_asked(game: Game, page: Client) -> None:
    body = page.get(address(game, "game")).content.decode()
    assert wording.STANDING_ORDERS in body
    assert f'hx-get="{address(game)}"' in body
    assert f'href="{address(game)}"' in body
    assert wording.SAVE_STANDING_ORDER not in body, "each refresh would carry it"
    form = page.get(address(game), **HTMX).content.decode()
    assert wording.SAVE_STANDING_ORDER in form
    assert "<html" not in form


def test_spectator_has_no_form_and_is_led_to_the_table(game: Game, client: Client) -> None:
    assert "Standing orders" not in client.get(address(game, "game")).content.decode()
    answer = client.get(address(game))
    assert (answer.status_code, answer["Location"]) == (302, game.get_absolute_url())
    assert client.post(address(game), TRADE)["Location"].startswith("/accounts/login/")
    assert not StandingOrder.objects.exists()


def test_preset_without_disposals_has_no_form(start: NewGame, alice: User, bob: User, page: Client) -> None:
    game = start(alice, bob, preset="course")
    assert "Standing orders" not in page.get(address(game, "game")).content.decode()


def test_finished_game_has_no_form(start: NewGame, alice: User, bob: User, page: Client) -> None:
    game = play_to_the_end(start(alice, bob))
    assert wording.SAVE_STANDING_ORDER not in page.get(address(game, "game")).content.decode()
    assert page.get(address(game)).status_code == 302
    answer = page.get(address(game), **HTMX)
    assert answer["HX-Redirect"] == game.get_absolute_url(), "the form is not replaced by a whole page"


def test_order_given_without_htmx_is_on_the_table(game: Game, page: Client) -> None:
    answer = page.post(address(game), TRADE, follow=True)
    assert answer.redirect_chain == [(f"{game.get_absolute_url()}#orders", 302)]
    assert SENTENCE in answer.content.decode()


def test_order_given_with_htmx_returns_the_table(game: Game, page: Client) -> None:
    answer = page.post(address(game), {**TRADE, "once": "1"}, **HTMX)
    assert (answer.status_code, answer["HX-Retarget"]) == (200, "#table")
    body = answer.content.decode()
    assert 'data-version="' in body
    assert SENTENCE in body
    assert "next merger only" in body


def test_form_is_reset_after_changed_orders_and_kept_after_moves(game: Game, page: Client) -> None:
    """htmx keeps an element across a swap by its id."""

    def form() -> str:
        body = page.get(address(game, "table")).content.decode()
        return body.partition('id="order-')[2].partition('"')[0]

    before = form()
    move(game, TILE)
    assert form() == before
    page.post(address(game), TRADE, **HTMX)
    assert form() != before


@pytest.mark.parametrize("headers", [HTMX, {}])
def test_preview_repeats_the_order_and_says_what_it_would_do_now(
    headers: dict[str, Any], game: Game, page: Client
) -> None:
    answer = page.post(address(game), {**TRADE, "look": "1"}, **headers)
    body = answer.content.decode()
    assert answer.status_code == 200
    assert SENTENCE in body
    assert wording.ORDER_WOULD_TRADE.format(survivor="Tower", chain="Sackson", traded=4, got=2) in body
    assert not StandingOrder.objects.exists()


def test_order_is_changed_on_its_own_page(game: Game, page: Client) -> None:
    """The page has no table to swap, so its forms are sent without htmx."""
    page.post(address(game), {**TRADE, "bank": "3", "once": "1"})
    body = page.get(address(game, "table")).content.decode()
    links = [
        part.partition('"')[0] for part in body.split('<a href="') if "orders/?" in part.partition('"')[0]
    ]
    assert len(links) == 1
    form = page.get(links[0].replace("&amp;", "&")).content.decode()
    for chosen in ('value="luxor" selected', 'value="1" selected', 'value="most" selected', 'value="3"'):
        assert chosen in form
    assert "#table" in body
    assert "#table" not in form


def test_preview_says_why_the_order_would_ask(game: Game, page: Client) -> None:
    wish = {"look": "1", "chain": "luxor", "hold": "7", "trade": "0"}
    body = page.post(address(game), wish, **HTMX).content.decode()
    assert (
        "If Tower acquired Sackson now, you would decide yourself. "
        f"{wording.ORDER_NEEDS_MORE.format(held=5, chain='Sackson', wanted=7)}"
    ) in body


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        ({"chain": "american"}, "American is not on the board right now."),
        ({"chain": "tower"}, "Right now nothing can acquire Tower."),
        ({"chain": "luxor", "survivor": "american"}, "Right now American cannot acquire Sackson."),
        (
            {"chain": ""},
            "If Tower acquired Sackson now, your order would trade 4 for 2 Tower and sell 1 for $200.",
        ),
    ],
)
def test_preview_of_each_chain_is_shown(
    wish: dict[str, str], sentence: str, game: Game, page: Client
) -> None:
    assert sentence in page.post(address(game), {"look": "1", **wish}, **HTMX).content.decode()


def test_all_conditions_are_repeated(game: Game, page: Client) -> None:
    wish = {"survivor": "tower", "bank": "3", "place": "majority", "tiles": "20", "look": "1"}
    body = page.post(address(game), {"hold": "0", "trade": "4", **wish}, **HTMX).content.decode()
    assert (
        "When any chain goes defunct, trade 4 for 2 and sell the rest. This applies only if Tower survives. "
        "This applies only if the bank has at least 3 shares of the survivor. This applies only if you then "
        "have the majority in the survivor, alone or shared. This applies only if at most 20 tiles are left "
        "to draw. Otherwise you decide."
    ) in body


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        ({"trade": "3"}, "choose an even number"),
        ({"hold": "99"}, "For hold, choose none, all or a number up to 25."),
        ({"hold": "<b>"}, "For hold, choose none, all or a number up to 25."),
        ({"bank": "-1"}, "enter a number up to 25 or leave the field empty"),
        ({"tiles": "9" * 30}, "enter a number up to 108 or leave the field empty"),
        ({"chain": "hilton"}, "This order is not valid."),
        ({"chain": "tower", "survivor": "tower"}, "A chain cannot acquire itself."),
        ({"hold": "all", "trade": "2"}, "You cannot hold all and also trade."),
    ],
)
@pytest.mark.parametrize("headers", [HTMX, {}])
def test_invalid_order_is_refused_with_a_message_and_the_form_kept(
    headers: dict[str, Any], wish: dict[str, str], sentence: str, game: Game, page: Client
) -> None:
    answer = page.post(address(game), {"hold": "2", **wish}, **headers)
    body = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in body
    assert not StandingOrder.objects.exists()
    if not headers and "hold" not in wish:
        assert '<option value="2" selected>2</option>' in body


def test_order_is_withdrawn_by_its_button(game: Game, page: Client) -> None:
    page.post(address(game), TRADE)
    body = page.get(address(game, "table")).content.decode()
    assert 'name="withdraw" value="luxor"' in " ".join(body.split())
    answer = page.post(address(game), {"withdraw": "luxor"}, **HTMX)
    assert SENTENCE not in answer.content.decode()
    assert not StandingOrder.objects.exists()
    # Again, and with an invalid value: nothing happens.
    for about in ("luxor", "\x00", "tower" * 100):
        assert page.post(address(game), {"withdraw": about}, **HTMX).status_code in (200, 400)


def test_player_asked_despite_an_order_reads_why(game: Game, page: Client) -> None:
    page.post(address(game), {"hold": "7", "trade": "0"})
    move(move(game, TILE), "dispose nothing")
    body = page.get(address(game, "table")).content.decode()
    assert (
        "Your standing order could not decide this. "
        f"{wording.ORDER_NEEDS_MORE.format(held=5, chain='Sackson', wanted=7)}"
    ) in body


def test_own_log_marks_answers_of_orders(game: Game, alice: User, page: Client) -> None:
    page.post(address(game), TRADE)
    move(move(game, TILE), "dispose nothing")
    marked = wording.YOUR_ORDER_MADE_THIS_MOVE
    for name in ("game", "log"):
        assert marked in page.get(address(game, name)).content.decode()
        assert (
            wording.AN_ORDER_MADE_THIS_MOVE not in client_of(alice).get(address(game, name)).content.decode()
        )
    play_to_the_end(game)
    assert (
        f"bob’s {wording.AN_ORDER_MADE_THIS_MOVE}."
        in client_of(alice).get(address(game, "log")).content.decode()
    )


def test_hidden_holdings_offer_no_condition_on_ranks(
    start: NewGame, alice: User, bob: User, page: Client
) -> None:
    game = start(alice, bob, holdings="hidden")
    assert "You then hold" not in page.get(address(game)).content.decode()
    body = page.post(address(game), {"place": "majority", "look": "1"}, **HTMX).content.decode()
    assert "you then have the majority in the survivor" in body
