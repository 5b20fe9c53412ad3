"""Pages of games that wait for players, as browsers use them without scripts."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.dateformat import format as date_format

from accounts.models import User
from games.engine.rules.rule_systems import SYSTEMS
from games.lobby.game_start import create_game
from games.lobby.game_terms import GameTerms
from games.lobby.invite import invite, invite_address
from games.lobby.join_game import join, kick, leave
from games.lobby.stale_games import warn_host
from games.models import Game, Invitation, Kind, NewGameDefaults, Notification
from games.refusals import GuestsPlayComputers, NotSeated, TableFull, TooManyGames
from games.web.presenters.acquire.decision_forms import DecisionForm
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, legal_move, play_to_the_end, play_until_asked
from tests.support.htmx import HTMX

pytestmark = pytest.mark.django_db


# Longer than a mail address may be, though each part is valid.
LONG_ADDRESS = f"{'a' * 60}@{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 30}.example"

NEW_GAME = {
    "name": "Tower of Babel",
    "preset": "classic",
    "least": "3",
    "most": "5",
    "visibility": "unlisted",
    "start": "host",
    "pace": "12",
    "unit": "hours",
    "bank": "48",
    "cap": "96",
    "off": "weekends",
    "overrun": "vote",
    "reliable": "90",
    "rated": "on",
    "seat_2": "random",
    "fill": "medium",
    "option_payout": "four",
    "option_holdings": "hidden",
    "option_starting_tiles": "False",
}

NO_STORE = {"bank": "", "cap": ""}


def text_of(answer: Any) -> str:
    """Return the text of a page without its markup."""
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def url(name: str, game: Game, *more: str) -> str:
    return reverse(name, args=[game.public_id, *more])


# -- New game ------------------------------------------------------------------------------------------


def test_every_choice_of_the_form_reaches_the_game(alice: User) -> None:
    answer = client_of(alice).post(reverse("new-game"), NEW_GAME)
    game = Game.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, game.get_absolute_url())
    assert (game.name, game.preset, game.host) == ("Tower of Babel", "classic", alice)
    assert game.options == {
        "tiers": "1962", "payout": "four", "holdings": "hidden", "starting_tiles": False
    }  # fmt: skip
    assert (game.min_players, game.max_players, game.fill_level) == (3, 5, "medium")
    assert (game.visibility, game.start, game.seconds_per_move, game.rated) == (
        "unlisted",
        "host",
        12 * 3600,
        True,
    )
    assert (game.time_bank, game.time_bank_cap, game.clock_pauses) == (48 * 3600, 96 * 3600, "weekends")
    assert (game.on_timeout, game.min_on_time_percent) == ("vote", 90)
    assert {seat.number: seat.bot_level for seat in game.seats.all()} == {0: "", 2: "random"}


def test_every_option_is_explained_and_folded_away(alice: User) -> None:
    page = client_of(alice).get(reverse("new-game"))
    said = text_of(page)
    for sentence in (
        "The four largest shareholders get 100%, 75%, 50% and 25% of the majority bonus.",
        "Other players’ money and shares are hidden until the end.",
        "Everyone (the game is listed in the lobby)",
        "Each player who runs out of time gets one extension per game.",
    ):
        assert sentence in said
    assert "<details open" not in page.content.decode()


def test_form_remembers_the_last_choices_but_not_the_name(alice: User, bob: User) -> None:
    client = client_of(alice)
    client.post(reverse("new-game"), NEW_GAME)
    form = client.get(reverse("new-game")).context["form"]
    shown = {name: str(form[name].value()) for name in NEW_GAME if name not in ("name", "rated")}
    assert shown == {name: value for name, value in NEW_GAME.items() if name not in ("name", "rated")}
    assert form["rated"].value() is True
    assert not form["name"].value()
    assert client_of(bob).get(reverse("new-game")).context["form"]["preset"].value() == "avalon-hill"


def test_choices_no_longer_offered_do_no_harm(alice: User) -> None:
    NewGameDefaults.objects.create(user=alice, new_game={"preset": "poker", "gone": "x", "least": "40"})
    assert client_of(alice).get(reverse("new-game")).status_code == 200


@pytest.mark.parametrize(
    "wrong, sentence",
    [
        ({"least": "5", "most": "3"}, "The maximum must be at least as high as the minimum."),
        ({"pace": "", "unit": "days"}, "Enter a number, or choose “No limit”."),
        ({"pace": "0"}, "greater than or equal to 1"),
        ({"pace": "100"}, "Enter 99 at most, or choose a longer unit."),
        ({"pace": "x"}, "Enter a whole number."),
        ({"bank": "48", "unit": "none"}, "A time bank needs a time per move."),
        ({"bank": "", "cap": "96"}, "A time bank limit needs a time bank at the start."),
        ({"bank": "48", "cap": "24"}, "The limit must be at least as high as the time bank"),
        ({"off": "always"}, "Select a valid choice"),
        ({"overrun": "lose"}, "Select a valid choice"),
        ({"reliable": "100"}, "Select a valid choice"),
        ({"name": "two\nlines"}, "a line break or an invisible character"),
        ({"name": "\u202egnihton"}, "a line break or an invisible character"),
        ({"name": "x" * 41}, "at most 40 characters"),
        ({"preset": "poker"}, "Select a valid choice"),
        ({"option_payout": "seven"}, "Select a valid choice"),
        ({"seat_2": "god"}, "Select a valid choice"),
        ({"visibility": "secret"}, "Select a valid choice"),
    ],
)
def test_invalid_choice_is_refused_with_a_message_and_the_form_kept(
    wrong: dict[str, str], sentence: str, alice: User
) -> None:
    answer = client_of(alice).post(reverse("new-game"), {**NEW_GAME, **wrong})
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert answer.context["form"]["fill"].value() == "medium"
    assert not Game.objects.exists()


def test_game_without_a_limit_needs_no_number(alice: User) -> None:
    client_of(alice).post(reverse("new-game"), {**NEW_GAME, **NO_STORE, "pace": "", "unit": "none"})
    assert Game.objects.get().seconds_per_move is None


@pytest.mark.parametrize(
    ("speed", "seconds"),
    [("day", 86400), ("days", 3 * 86400), ("none", None), ("own", 12 * 3600), ("", 12 * 3600)],
)
def test_usual_speed_counts_before_a_time_of_ones_own(speed: str, seconds: int | None, alice: User) -> None:
    client = client_of(alice)
    client.post(reverse("new-game"), {**NEW_GAME, **NO_STORE, "speed": speed})
    assert Game.objects.get().seconds_per_move == seconds
    shown = client.get(reverse("new-game")).context["form"]["speed"].value()
    assert shown == (speed or "own")


def test_time_that_is_not_used_is_not_checked(alice: User) -> None:
    client_of(alice).post(reverse("new-game"), {**NEW_GAME, **NO_STORE, "speed": "day", "pace": "x"})
    assert Game.objects.get().seconds_per_move == 86400


def test_form_shows_first_what_differs_from_the_set_of_rules(alice: User) -> None:
    client = client_of(alice)
    plain = client.get(reverse("new-game"))
    assert plain.context["form"].changed_options == [] and "differs" not in plain.content.decode()
    client.post(reverse("new-game"), NEW_GAME)
    page = client.get(reverse("new-game"))
    changed = [field.name for field in page.context["form"].changed_options]
    assert set(changed) == {"option_payout", "option_holdings", "option_starting_tiles"}
    first, rest = page.content.decode().split('class="options differs"')[1].split("<details", 1)
    assert (first.count("<legend>"), "option_payout" in rest) == (3, False)
    assert "3 changed" in text_of(page)


def test_one_line_sums_up_the_choices(alice: User) -> None:
    client = client_of(alice)
    assert "Rulebook · 2–4 players · 3 days per move · open to everyone · rated" in text_of(
        client.get(reverse("new-game"))
    )
    address = reverse("new-game-summary", args=["acquire"])
    said = text_of(client.get(address, NEW_GAME))
    assert "Classic with 3 changes · 3–5 players" in said and said.endswith("with an invite link · rated")
    assert "do not fit" in text_of(client.get(address, {**NEW_GAME, "least": "6"}))
    assert client.get(reverse("new-game-summary", args=["chess"])).status_code == 404
    assert not Game.objects.exists()


def test_sum_of_the_choices_names_computer_players(alice: User, guest: User) -> None:
    address = reverse("new-game-summary", args=["acquire"])

    def told(user: User, **chosen: str) -> str:
        terms = {**NEW_GAME, "least": "2", "most": "4", "seat_2": "", "fill": ""}
        return text_of(client_of(user).get(address, {**terms, **chosen}))

    assert "computer" not in told(alice)
    assert "2–4 players · 2 computer players (Hard) · " in told(alice, seat_1="hard", seat_3="hard")
    assert "· 2 computer players (Hard and Easy) · " in told(alice, seat_1="hard", seat_3="easy")
    assert "· 1 computer player (Hard) · computer players (Easy) for seats left open · " in told(
        alice, seat_1="hard", fill="easy"
    )
    assert "· 3 computer players (" in told(guest)


def test_sum_of_the_choices_shows_the_seats(alice: User) -> None:
    address = reverse("new-game-summary", args=["acquire"])
    chosen = {**NEW_GAME, "least": "2", "most": "3", "seat_1": "hard", "seat_2": ""}
    page = client_of(alice).get(address, chosen).content.decode()
    seats = re.findall(r'class="(seat[ "][^"]*)">(.)<', page)
    assert seats == [("seat seat-0", "A"), ("seat seat-1 computer", "H"), ("seat open", "+")]


def test_twenty_first_game_is_refused_and_the_form_kept(create: NewGame, alice: User) -> None:
    for _ in range(20):
        create(alice)
    answer = client_of(alice).post(reverse("new-game"), NEW_GAME)
    assert answer.status_code == 429
    assert TooManyGames(20).message in text_of(answer)


def test_new_game_of_a_guest_is_against_bots_and_starts_at_once(guest: User) -> None:
    client = client_of(guest)
    assert "As a guest you play against computer players only." in text_of(client.get(reverse("new-game")))
    # No guest is asked who can join and when the game starts.
    asked = {name: value for name, value in NEW_GAME.items() if name not in ("visibility", "start")}
    client.post(reverse("new-game"), {**asked, "fill": ""})
    game = Game.objects.get()
    assert game.is_running
    assert sorted(seat.bot_level for seat in game.seats.all()) == ["", "medium", "medium", "medium", "random"]
    assert (game.rated, game.visibility) == (False, "unlisted")


def test_stranger_is_led_to_the_log_in_and_back(client: Client) -> None:
    answer = client.get(reverse("new-game"))
    assert answer["Location"] == f"{reverse('account_login')}?next={reverse('new-game')}"
    assert client.post(reverse("new-game"), NEW_GAME).status_code == 302
    assert not Game.objects.exists()


# -- Waiting room --------------------------------------------------------------------------------------


def test_waiting_room_shows_players_and_terms(
    client: Client, create: NewGame, alice: User, bob: User
) -> None:
    game = create(
        alice, name="Sunday", preset="course", options={"payout": "four"}, pace=2 * 86400, fill="random"
    )
    join(game_id=game.pk, user=bob)
    said = text_of(client.get(game.get_absolute_url()))
    for words in (
        "Sunday",
        "alice Host",
        "bob",
        "open, or a computer player at the start",
        "University course, changed · 2–4 players · 2 days per move",
        "2 days per move.",
        "Each player who runs out of time gets one extension per game.",
        "After that, a computer player makes that one move.",
        "Who gets a bonus changed The four largest shareholders get",
        "Everyone can join and watch.",
        "Seats still open at the start go to computer players",
        "Log in or sign up to join.",
    ):
        assert words in said, words


def test_waiting_room_explains_the_clock(client: Client, create: NewGame, alice: User, bob: User) -> None:
    game = create(alice, pace=43200, bank=2 * 86400, cap=4 * 86400, off="both")
    said = text_of(client.get(game.get_absolute_url()))
    for words in (
        "2 days plus 12 hours per move",
        "Each player starts with 2 days, and every move adds 12 hours.",
        "The time bank never holds more than 4 days.",
        "Clocks pause from 23:00 to 07:00 and on Saturdays and Sundays",
    ):
        assert words in said, words


def test_member_joins_and_leaves_by_plain_forms(create: NewGame, alice: User, bob: User) -> None:
    game, client = create(alice), client_of(bob)
    assert url("join", game) in client.get(game.get_absolute_url()).content.decode()
    assert client.post(url("join", game))["Location"] == game.get_absolute_url()
    assert game.seats.filter(user=bob).exists()
    assert url("leave", game) in client.get(game.get_absolute_url()).content.decode()
    answer = client.post(url("leave", game), follow=True)
    assert "You left" in text_of(answer)
    assert not game.seats.filter(user=bob).exists()


def test_leaving_without_a_seat_or_declining_without_an_invitation_is_told(
    create: NewGame, alice: User, bob: User
) -> None:
    game, client = create(alice), client_of(bob)
    for name, sentence in (("leave", "You have no seat in"), ("decline", "You have no open invitation to")):
        answer = client.post(url(name, game), follow=True)
        assert sentence in text_of(answer)
        assert "You left" not in text_of(answer)
        assert "You declined" not in text_of(answer)


def test_lobby_offers_a_join_button_to_who_may_join(
    client: Client, create: NewGame, alice: User, bob: User, guest: User
) -> None:
    game = create(alice)
    button = f'formaction="{url("join", game)}"'
    assert button in client_of(bob).get("/").content.decode()
    for reader in (client, client_of(guest), client_of(alice)):
        assert button not in reader.get("/", {"players": ""}).content.decode()


def test_waiting_room_and_button_say_why_a_member_cannot_join(
    create: NewGame, alice: User, bob: User, carol: User, guest: User
) -> None:
    full, kicked, left = create(alice, most=2), create(alice), create(alice)
    for _ in range(3):
        join(game_id=left.pk, user=bob)
        leave(game_id=left.pk, user=bob)
    join(game_id=full.pk, user=carol)
    join(game_id=kicked.pk, user=bob)
    kick(game_id=kicked.pk, user=bob, by=alice, reason="Slow as <stone>.")
    cases = [
        (full, bob, 409, str(TableFull.message)),
        (kicked, bob, 403, f"{wording.HOST_REMOVED_YOU} from this game: “Slow as &lt;stone&gt;.”"),
        (left, bob, 403, "You have left this game too often."),
        (create(alice), guest, 403, str(GuestsPlayComputers.message)),
        (create(alice, visibility="unlisted"), bob, 403, "Ask the host for the invite link"),
        (create(alice, visibility="invited"), bob, 403, "You need an invitation to join this game."),
    ]
    for game, user, status, sentence in cases:
        client = client_of(user)
        page = client.get(game.get_absolute_url())
        assert sentence in text_of(page)
        assert url("join", game) not in page.content.decode()
        answer = client.post(url("join", game))
        assert answer.status_code == status
        assert sentence in text_of(answer)
        assert not game.seats.filter(user=user).exists()


def test_guest_is_led_to_sign_up_and_back_to_the_game(create: NewGame, alice: User, guest: User) -> None:
    game = create(alice, visibility="unlisted")
    link = reverse("invite-link", args=[game.invite_code])
    page = client_of(guest).get(link).content.decode()
    assert f"{reverse('account_signup')}?next={link}" in page


def test_invite_link_opens_the_game_to_a_member(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice, visibility="unlisted")
    host_page = client_of(alice).get(game.get_absolute_url()).content.decode()
    link = re.search(r'value="(http://testserver/join/\w+/)"', host_page)[1]
    client = client_of(bob)
    page = client.get(link.removeprefix("http://testserver"))
    code = re.search(r'name="code" value="(\w+)"', page.content.decode())[1]
    assert client.post(url("join", game), {"code": code}).status_code == 302
    assert game.seats.filter(user=bob).exists()


@pytest.mark.parametrize("code", ["<b>", "a b", "/", "x" * 5000, "é"])
def test_malformed_code_is_not_found(code: str, create: NewGame, alice: User, bob: User) -> None:
    game, client = create(alice, visibility="unlisted"), client_of(bob)
    assert client.get(url("room", game), {"code": code}).status_code == 200
    assert client.post(url("join", game), {"code": code}).status_code == 403


def test_links_and_invitations_are_shown_to_those_concerned_only(
    client: Client, create: NewGame, alice: User, bob: User, carol: User
) -> None:
    game, closed_circle = create(alice), create(alice, visibility="invited")
    join(game_id=game.pk, user=bob)
    invite_address(game_id=game.pk, address="dave@example.org", by=alice)
    seen = {
        name: reader.get(game.get_absolute_url()).content.decode()
        for name, reader in (
            ("host", client_of(alice)),
            ("seated", client_of(bob)),
            ("other", client_of(carol)),
            ("no", client),
        )
    }
    assert [game.invite_code in page for page in seen.values()] == [True, True, False, False]
    assert ["dave@example.org" in page for page in seen.values()] == [True, False, False, False]
    shown = client_of(alice).get(closed_circle.get_absolute_url()).content.decode()
    assert closed_circle.invite_code not in shown
    code = Invitation.objects.get().code
    assert not any(code in page for page in seen.values())


def test_next_host_does_not_see_invited_addresses(
    create: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = create(alice)
    invite_address(game_id=game.pk, address="private@secret.example", by=alice)
    invite(game_id=game.pk, user=carol, by=alice)
    join(game_id=game.pk, user=bob)
    leave(game_id=game.pk, user=alice)
    invite_address(game_id=game.pk, address="friend@bob.example", by=bob)
    said = text_of(client_of(bob).get(game.get_absolute_url()))
    assert "private@secret.example" not in said
    for sentence in (
        "someone by email not answered",
        "carol not answered",
        "friend@bob.example not answered",
    ):
        assert sentence in said


def test_sentence_about_a_wrong_address_outlives_updates(create: NewGame, alice: User) -> None:
    """The element is preserved by htmx, which needs its id in the update as well."""
    game, client = create(alice), client_of(alice)
    wrong = client.post(url("invite", game), {"who": "carol@bad"}).content.decode()
    element = '<div id="id_who_error" hx-preserve="true"'
    assert f"{element}>" in wrong
    assert 'aria-describedby="id_who_error"' in wrong
    assert f"{element} hidden>" in client.get(url("room", game)).content.decode()


def test_second_invitation_says_who_is_invited_already(
    create: NewGame, alice: User, bob: User, carol: User
) -> None:
    game, client = create(alice), client_of(alice)
    client.post(url("invite", game), {"who": "bob, friend@example.org"}, follow=True)
    told = Notification.objects.filter(kind=Kind.INVITATION).count()
    said = text_of(client.post(url("invite", game), {"who": "BOB"}, follow=True))
    assert "BOB already has an invitation." in said
    assert "You invited" not in said
    assert Notification.objects.filter(kind=Kind.INVITATION).count() == told
    said = text_of(client.post(url("invite", game), {"who": "bob, Friend@example.org, carol"}, follow=True))
    assert "You invited carol." in said
    assert "bob and Friend@example.org already have invitations." in said


def test_host_invites_by_name_and_by_address(
    create: NewGame, alice: User, bob: User, carol: User, guest: User
) -> None:
    game, client = create(alice), client_of(alice)
    answer = client.post(url("invite", game), {"who": "BOB, carol\nfriend@example.org"}, follow=True)
    assert "You invited BOB, carol and friend@example.org." in text_of(answer)
    asked = game.invitations.values_list("user__username", "address")
    assert set(asked) == {("bob", ""), ("carol", ""), (None, "friend@example.org")}
    for who, sentence in (
        ("nobody1", wording.NO_SUCH_MEMBER.format(who="nobody1")),
        ("Guest-1", str(GuestsPlayComputers.message)),
        ("alice", "This player has already joined."),
        ("bob, x@@y, carol", "x@@y is not an email address."),
        (LONG_ADDRESS, " is too long. An email address has at most 254 characters."),
        ("", "This field is required."),
        (" ".join(f"name{number}" for number in range(11)), "You can invite at most 10 people at a time."),
    ):
        answer = client.post(url("invite", game), {"who": who})
        assert 400 <= answer.status_code < 500
        assert sentence in text_of(answer)
    assert game.invitations.count() == 3
    # With several, each that failed is named with its reason, and stays to be corrected.
    answer = client.post(url("invite", game), {"who": "carol, nobody1, alice"})
    assert wording.NO_SUCH_MEMBER.format(who="nobody1. alice: This player has already joined") in text_of(
        answer
    )
    assert ">\nnobody1, alice</textarea>" in answer.content.decode()
    assert client_of(bob).post(url("invite", game), {"who": "carol"}).status_code == 403


def test_invited_member_finds_the_game_in_the_lobby_and_may_decline(
    create: NewGame, alice: User, bob: User
) -> None:
    game, client = create(alice, visibility="invited", name="Closed circle"), client_of(bob)
    invite(game_id=game.pk, user=bob, by=alice)
    assert "Invitations Closed circle" in text_of(client.get("/"))
    assert "alice has invited you to this game." in text_of(client.get(game.get_absolute_url()))
    assert "You declined the invitation to" in text_of(client.post(url("decline", game), follow=True))
    assert "Closed circle" not in text_of(client.get("/"))


def test_link_in_a_mail_lets_its_reader_join_or_decline(
    client: Client, create: NewGame, alice: User, bob: User
) -> None:
    game = create(alice, visibility="invited")
    yes, no = (
        invite_address(game_id=game.pk, address=f"{name}@example.org", by=alice) for name in ("yes", "no")
    )
    link = reverse("invite-link", args=[yes.code])
    assert "alice has invited you to this game." in text_of(client.get(link))
    reader = client_of(bob)
    assert url("join", game) in reader.get(link).content.decode()
    reader.post(url("decline", game), {"code": no.code})
    assert reader.post(url("join", game), {"code": yes.code}).status_code == 302
    assert dict(game.invitations.values_list("address", "state")) == {
        "yes@example.org": "accepted", "no@example.org": "declined"
    }  # fmt: skip


def test_link_in_a_mail_leads_to_the_table_of_a_running_game(
    client: Client, create: NewGame, alice: User, bob: User
) -> None:
    game = create(alice, most=2, start="full")
    join(game_id=game.pk, user=bob)
    answer = client.get(reverse("invite-link", args=[game.invite_code]))
    assert answer["Location"] == game.get_absolute_url()
    assert client.get(reverse("invite-link", args=["nothing"])).status_code == 404


def test_link_of_a_started_game_says_so_to_all_but_its_players(
    create: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = create(alice, most=2, start="full")
    asked = invite_address(game_id=game.pk, address="friend@example.org", by=alice)
    join(game_id=game.pk, user=bob)
    sentence = "The game has already started, so you can no longer join it."
    for user, is_told in ((carol, True), (None, True), (alice, False), (bob, False)):
        for code in (asked.code, game.invite_code):
            page = client_of(user).get(reverse("invite-link", args=[code]), follow=True)
            assert (sentence in text_of(page)) is is_told


def test_host_kicks_a_player_with_a_reason(create: NewGame, alice: User, bob: User, carol: User) -> None:
    game, client = create(alice), client_of(alice)
    join(game_id=game.pk, user=bob)
    address = url("kick", game, "bob")
    assert address in client.get(game.get_absolute_url()).content.decode()
    assert "Remove bob from this game?" in text_of(client.get(address))
    assert client.post(address, {"reason": " "}).status_code == 422
    assert game.seats.filter(user=bob).exists()
    assert client.post(address, {"reason": "No."})["Location"] == game.get_absolute_url()
    assert not game.seats.filter(user=bob).exists()
    assert client.get(address).status_code == 404
    assert client_of(carol).get(url("kick", game, "alice")).status_code == 404


def test_start_button_is_for_the_host_only(create: NewGame, alice: User, bob: User) -> None:
    game, host, member = create(alice), client_of(alice), client_of(bob)
    assert re.search(r"<button[^>]*start/[^>]* disabled", host.get(game.get_absolute_url()).content.decode())
    answer = host.post(url("start", game))
    assert (answer.status_code, "Not enough players have joined yet." in text_of(answer)) == (409, True)
    member.post(url("join", game))
    assert url("start", game) not in member.get(game.get_absolute_url()).content.decode()
    assert member.post(url("start", game)).status_code == 403
    host.post(url("start", game))
    game.refresh_from_db()
    assert game.is_running
    assert "headline" in member.get(game.get_absolute_url()).content.decode()


def test_game_that_its_last_player_starts_has_no_start_button(create: NewGame, alice: User) -> None:
    full = Game.Start.FULL
    for terms, offered in (
        ({"least": 2, "most": 2, "start": full}, False),
        ({"least": 2, "most": 3, "start": full}, True),
        ({"least": 2, "most": 2, "start": Game.Start.HOST}, True),
    ):
        game = create(alice, **terms)
        page = client_of(alice).get(game.get_absolute_url())
        assert (url("start", game) in page.content.decode()) == offered
        assert ("start it earlier with fewer players" in text_of(page)) == (
            offered and terms["start"] == full
        )


def test_old_game_says_when_it_will_be_closed(client: Client, create: NewGame, alice: User) -> None:
    game = create(alice)
    assert "It will close on" not in text_of(client.get(game.get_absolute_url()))
    Game.objects.filter(pk=game.pk).update(opened=game.opened - timedelta(days=8))
    warn_host(game_id=game.pk)
    day = date_format(timezone.localtime(game.opened + timedelta(days=6)), "j F Y")
    assert f"It will close on {day} unless" in text_of(client.get(game.get_absolute_url()))


def test_closed_game_says_so_and_offers_nothing(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice)
    leave(game_id=game.pk, user=alice)
    for user in (alice, bob):
        page = client_of(user).get(game.get_absolute_url())
        assert "This game was closed before it began." in text_of(page)
        assert "formaction" not in page.content.decode()


def test_pages_of_a_dealt_game_are_not_found_before_the_deal(create: NewGame, alice: User) -> None:
    game, client = create(alice), client_of(alice)
    for name in ("table", "log", "deal-check"):
        assert client.get(url(name, game)).status_code == 404
    assert client.post(url("move", game, "1"), {"move": "pass"}).status_code == 404
    assert client.get(url("game-rules", game)).status_code == 200


def test_wrong_methods_are_refused_and_change_nothing(create: NewGame, alice: User, bob: User) -> None:
    game, client = create(alice), client_of(bob)
    for name in ("join", "leave", "start", "invite", "decline", "rematch"):
        assert client.get(url(name, game)).status_code == 405
        assert Client().post(url(name, game)).status_code == 302
        assert Client(enforce_csrf_checks=True).post(url(name, game)).status_code == 403
        assert client.post(reverse(name, args=["nowhere"])).status_code == 404
    for name in ("next-game", "waiting-count", "open-games", "running-games", "finished-games"):
        assert client.post(reverse(name)).status_code == 405
    assert game.seats.count() == 1


def test_waiting_room_is_never_cached(create: NewGame, alice: User) -> None:
    game, client = create(alice), client_of(alice)
    for address in (
        "/",
        game.get_absolute_url(),
        url("room", game),
        reverse("new-game"),
        reverse("waiting-count"),
    ):
        assert "no-store" in client.get(address)["Cache-Control"]


# -- Live updates --------------------------------------------------------------------------------------


def test_waiting_room_is_sent_again_only_after_changes(
    create: NewGame, alice: User, bob: User, carol: User
) -> None:
    game, client = create(alice), client_of(alice)
    page = client.get(game.get_absolute_url())
    seen = {"seen": page.context["seen"]}
    assert client.get(url("room", game), seen, **HTMX).status_code == 204
    join(game_id=game.pk, user=bob)
    fresh = client.get(url("room", game), seen, **HTMX)
    assert fresh.status_code == 200
    assert "bob" in text_of(fresh)
    assert "<html" not in fresh.content.decode()
    assert client.get(url("room", game), {"seen": fresh.context["seen"]}, **HTMX).status_code == 204


def test_waiting_room_leads_to_the_table_at_the_start(create: NewGame, alice: User, bob: User) -> None:
    game, client = create(alice, most=2, start="full"), client_of(alice)
    join(game_id=game.pk, user=bob)
    answer = client.get(url("room", game), **HTMX)
    assert answer["HX-Redirect"] == game.get_absolute_url()


def test_lists_are_sent_again_only_after_changes(create: NewGame, alice: User, bob: User) -> None:
    client = client_of(bob)
    seen = client.get("/").context["seen"]
    assert client.get("/", {"seen": seen}, **HTMX).status_code == 204
    create(alice, name="Fresh")
    answer = client.get("/", {"seen": seen}, **HTMX)
    assert "Fresh" in text_of(answer)
    assert "<html" not in answer.content.decode()
    assert 'id="waiting" hx-swap-oob="innerHTML"' in answer.content.decode()


def test_own_games_come_before_everything_else(start: NewGame, alice: User, bob: User) -> None:
    start(alice, bob, preset="course", terms={"name": "Mine to play"})
    play_until_asked(start(alice, bob, preset="course", terms={"name": "Theirs to play"}), bob)
    said = text_of(client_of(alice).get("/"))
    mine, theirs, box = (said.index(words) for words in ("Mine to play", "Theirs to play", "Play Acquire"))
    assert said.index("Your turn in 1 game") < mine < said.index("Your other games") < theirs < box


def test_lobby_has_one_title_and_begins_with_the_offer_for_readers_without_games(
    start: NewGame, alice: User, bob: User
) -> None:
    page = client_of(alice).get("/")
    assert text_of(page).index("Play Acquire") < text_of(page).index("Your games")
    start(alice, bob, preset="course")
    for one in (page, client_of(alice).get("/"), client_of(bob).get("/")):
        assert one.content.decode().count("<h1") == 1
    assert "You have no games in progress" not in text_of(client_of(alice).get("/"))


def test_own_games_are_updated_along_with_the_lists(start: NewGame, alice: User, bob: User) -> None:
    client = client_of(bob)
    seen = {"seen": client.get("/").context["seen"]}
    game = start(alice, bob, preset="course", terms={"name": "Fresh"})
    answer = client.get("/", seen, **HTMX).content.decode()
    assert "Fresh" in answer.partition('<div id="own-games" hx-swap-oob="innerHTML">')[2]
    seen = {"seen": client.get("/").context["seen"]}
    play_until_asked(game, bob)
    assert "Your turn in 1 game" in text_of(client.get("/", seen, **HTMX))


def test_play_now_says_against_whom(client: Client) -> None:
    page = client.get("/")
    for level in ("Easy", "Medium"):  # of Acquire and Acquisition, which has no Easy
        assert text_of(page).count(f"You play against 3 computer players ({level}). You can change") == 1
    assert f'aria-label="{wording.PLAY_NOW}: Acquisition"' in page.content.decode()
    client.post(reverse("play-now"))
    assert levels_of(Game.objects.get()) == ["easy"] * 3


def levels_of(game: Game) -> list[str]:
    return [seat.bot_level for seat in game.seats.all() if seat.bot_level]


@pytest.mark.parametrize(("finished", "level"), [(False, "easy"), (True, "medium")])
def test_play_now_is_easy_until_one_has_finished_a_game(
    finished: bool, level: str, start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob)
    if finished:
        play_to_the_end(game)
    client = client_of(alice)
    assert f"({level.capitalize()}). You can change" in text_of(client.get("/"))
    client.post(reverse("play-now"), {"system": "acquire"})
    assert levels_of(Game.objects.latest("pk")) == [level] * 3


def test_back_button_brings_the_whole_page(client: Client) -> None:
    answer = client.get("/", **HTMX, HTTP_HX_HISTORY_RESTORE_REQUEST="true")
    assert "<html" in answer.content.decode()


def test_filter_is_kept_by_the_page_and_its_updates(create: NewGame, alice: User, bob: User) -> None:
    create(alice, name="Swift", pace=3600)
    create(alice, name="Sluggish", pace=90 * 86400)
    client = client_of(bob)
    for headers in ({}, HTMX):
        answer = client.get(
            "/", {"pace": "86400", "rules": "", "players": "", "free": "", "joinable": "on"}, **headers
        )
        assert "Swift" in text_of(answer)
        assert "Sluggish" not in text_of(answer)
        assert re.search(r'name="pace" value="86400"[^>]* checked', answer.content.decode())


def test_filter_is_hidden_while_there_is_nothing_to_filter(create: NewGame, alice: User, bob: User) -> None:
    client, addresses = client_of(bob), ("/", reverse("open-games"))
    assert all('id="filters"' not in client.get(address).content.decode() for address in addresses)
    create(alice, name="Swift", pace=3600)
    assert all('id="filters"' in client.get(address).content.decode() for address in addresses)
    # Somebody who has filtered everything out needs it to get back.
    narrow = [client.get(address, {"pace": "60"}).content.decode() for address in addresses]
    assert all('id="filters"' in page for page in narrow)


def test_other_filters_are_folded_until_one_of_them_is_set(create: NewGame, alice: User, bob: User) -> None:
    client = client_of(bob)
    create(alice, name="Swift", pace=3600)
    folded = re.compile(r"<details class=\"disclosure\">\s*<summary>More filters")
    assert folded.search(client.get("/", {"pace": "86400", "joinable": "on"}).content.decode())
    for more in ({"joinable": "on", "free": "1"}, {"pace": "86400"}):
        assert not folded.search(client.get("/", more).content.decode())


@pytest.mark.parametrize(
    "query",
    ["pace=x", "players=99", "free=-1", "rules=poker", "joinable=%ff", "pace=" + "9" * 400, "seen=%22%3E"],
)
def test_invalid_filter_is_ignored(query: str, create: NewGame, alice: User, bob: User) -> None:
    create(alice, name="Still here")
    client = client_of(bob)
    for address in ("/", reverse("open-games")):
        answer = client.get(f"{address}?{query}")
        assert answer.status_code == 200
        assert "Still here" in text_of(answer)


# -- The next game -------------------------------------------------------------------------------------


@pytest.fixture
def two_games(start: NewGame, alice: User, bob: User) -> list[Game]:
    """Two games that wait for alice, the more urgent one first."""
    games = [start(alice, bob, preset="course", terms={"pace": pace}) for pace in (3600, 7200)]
    return games


def test_next_leads_to_the_game_with_the_nearest_deadline(
    start: NewGame, two_games: list[Game], alice: User, bob: User
) -> None:
    start(alice, bob, preset="course")
    client = client_of(alice)
    soonest, later = two_games
    assert client.get(reverse("next-game"))["Location"] == soonest.get_absolute_url()
    assert (
        client.get(reverse("next-game"), {"after": soonest.public_id})["Location"] == later.get_absolute_url()
    )
    Game.objects.filter(pk=later.pk).update(deadline=timezone.now() - timedelta(days=1))
    assert client.get(reverse("next-game"))["Location"] == later.get_absolute_url()


def test_next_leads_back_to_the_only_game(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, preset="course")
    answer = client_of(alice).get(reverse("next-game"), {"after": game.public_id})
    assert answer["Location"] == game.get_absolute_url()


def test_next_without_a_game_leads_to_the_lobby_with_a_message(client: Client, alice: User) -> None:
    answer = client_of(alice).get(reverse("next-game"), follow=True)
    assert answer.redirect_chain == [("/", 302)]
    assert "No game is waiting for you." in text_of(answer)
    assert client.get(reverse("next-game"))["Location"] == "/"


def test_move_can_lead_on_to_the_next_game(two_games: list[Game], alice: User) -> None:
    client = client_of(alice)
    soonest, later = two_games
    form = {"move": legal_move(later), "next": "1"}
    answer = client.post(url("move", later, "1"), form)
    assert client.get(answer["Location"])["Location"] == soonest.get_absolute_url()
    form = {"move": legal_move(soonest), "next": "1"}
    answer = client.post(url("move", soonest, "1"), form, **HTMX)
    assert answer["HX-Redirect"] == f"{reverse('next-game')}?after={soonest.public_id}"
    assert {game.moves.count() for game in two_games} == {1}


def test_refused_move_leads_nowhere(two_games: list[Game], alice: User) -> None:
    answer = client_of(alice).post(url("move", two_games[0], "1"), {"move": "pass", "next": "1"}, **HTMX)
    assert answer.status_code == 422
    assert "HX-Redirect" not in answer


@pytest.mark.parametrize(
    ("kind", "offered"),
    [
        ("place", False),
        ("found", False),
        ("survivor", True),
        ("next", True),
        ("dispose", True),
        ("buy", True),
    ],
)
def test_move_followed_by_another_own_decision_leads_nowhere(kind: str, offered: bool) -> None:
    shown = render_to_string(
        "games/presenters/acquire/_submit.html", {"decision": DecisionForm(kind), "others_waiting": 1}
    )
    assert ("data-go-next" in shown) == offered


def test_next_button_appears_only_when_another_game_waits(start: NewGame, alice: User, bob: User) -> None:
    button = "Send and open next game"
    client = client_of(alice)
    game = start(alice, bob, preset="course")
    buying = 'name="kind" value="buy"'
    while buying not in (page := client.get(game.get_absolute_url()).content.decode()):
        game.refresh_from_db()
        by = game.seats.get(number=game.seat_to_move).user
        client_of(by).post(url("move", game, str(game.version + 1)), {"move": legal_move(game)})
    assert button not in page
    start(alice, bob, preset="course")
    assert button in client.get(game.get_absolute_url()).content.decode()


def test_every_page_counts_the_games_that_wait(two_games: list[Game], alice: User, bob: User) -> None:
    client = client_of(alice)
    for address in ("/", reverse("rules"), reverse("new-game")):
        page = client.get(address).content.decode()
        assert "2<span" in page
        assert "data-live=" in page
    assert "2<span" in client.get(reverse("waiting-count")).content.decode()
    assert client.get(reverse("waiting-count")).content.decode().strip().startswith("<a")
    assert "pill" not in client_of(bob).get(reverse("waiting-count")).content.decode()


@pytest.mark.parametrize("page", ["game", "log", "past-positions"])
def test_page_of_a_game_counts_the_others_that_wait(page: str, two_games: list[Game], alice: User) -> None:
    here, other = two_games
    client = client_of(alice)
    address = reverse(page, args=[here.public_id])
    assert "1<span" in client.get(address, follow=True).content.decode()
    count = client.get(reverse("waiting-count"), {"after": here.public_id}).content.decode()
    assert "1<span" in count and "other game needs your move" in count
    Game.objects.filter(pk=other.pk).update(waiting_for=None, deadline=None)
    assert "pill" not in client.get(address, follow=True).content.decode()
    assert "pill" not in client.get(reverse("waiting-count"), {"after": here.public_id}).content.decode()


def test_table_that_asks_nothing_leads_to_the_next_game(
    two_games: list[Game], alice: User, bob: User
) -> None:
    here, other = two_games
    client = client_of(alice)
    link = f'href="{reverse("next-game")}?after={here.public_id}">Next game (1)<'
    assert link not in client.get(here.get_absolute_url()).content.decode()
    play_until_asked(here, bob)
    assert link in client.get(here.get_absolute_url()).content.decode()
    Game.objects.filter(pk=other.pk).update(waiting_for=None, deadline=None)
    assert "Next game" not in client.get(here.get_absolute_url()).content.decode()


def test_way_to_the_next_game_is_no_main_button(two_games: list[Game], alice: User, bob: User) -> None:
    here = play_until_asked(two_games[0], bob)
    page = client_of(alice).get(here.get_absolute_url()).content.decode()
    assert re.search(r'<a class="button quiet to-next"\s[^>]*>Next game \(1\)<', page)


# -- Rematch -------------------------------------------------------------------------------------------


def test_finished_game_offers_its_players_a_rematch(
    client: Client, start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob)
    assert "Rematch" not in client_of(alice).get(game.get_absolute_url()).content.decode()
    play_to_the_end(game)
    assert "Rematch" in client_of(alice).get(game.get_absolute_url()).content.decode()
    for reader in (client, client_of(carol)):
        assert "Rematch" not in reader.get(game.get_absolute_url()).content.decode()
    answer = client_of(alice).post(url("rematch", game))
    new = Game.objects.get(rematch_of=game)
    assert answer["Location"] == new.get_absolute_url()
    assert client_of(bob).post(url("rematch", game))["Location"] == new.get_absolute_url()
    refused = client_of(carol).post(url("rematch", game), follow=True)
    assert str(NotSeated.message) in text_of(refused)
    assert Game.objects.filter(rematch_of=game).count() == 1


def test_rules_of_a_game_are_a_page_of_sentences(
    client: Client, start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob, preset="classic", holdings="hidden", terms={"pace": 3600})
    assert url("game-rules", game) in client.get(game.get_absolute_url()).content.decode()
    said = text_of(client.get(url("game-rules", game)))
    for words in (
        "Classic, changed",
        "1 hour per move.",
        "changed Other players’ money and shares are hidden until the end.",
    ):
        assert words in said


@pytest.mark.parametrize("system", SYSTEMS)
def test_skipping_is_offered_only_where_the_rules_force_moves(system: str, alice: User) -> None:
    client = client_of(alice)
    form = client.get(reverse("new-game-of", args=[system])).content.decode()
    assert ('name="skips"' in form) == SYSTEMS[system].HAS_FORCED_MOVES
    preset = next(iter(SYSTEMS[system].PRESETS))
    terms = GameTerms(system=system, preset=preset, least=2, most=2)
    room = client.get(create_game(host=alice, terms=terms).get_absolute_url())
    assert ("Automatic moves" in text_of(room)) == SYSTEMS[system].HAS_FORCED_MOVES
