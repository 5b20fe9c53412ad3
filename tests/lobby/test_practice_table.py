"""Practice tables: several people on one device of a host."""

import json
from random import Random
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import IntegrityError, transaction
from django.http import Http404
from django.test import Client
from django.urls import reverse

from accounts.membership.account_deletion import delete_account
from accounts.models import User
from games.analysis.advice import compute_advice
from games.archive.replay import replay
from games.chat.messages import say
from games.lobby import lobby_lists
from games.lobby.game_lists import OpenGameFilter, finished_page, finished_page_of, waiting_count
from games.lobby.game_start import start_game
from games.lobby.practice_table import end_practice
from games.models import Game, LogEntry, Note, Notification, PlannedTurn, Reliability, StandingOrder
from games.play.automation.planned_turns import keep_plan
from games.play.automation.standing_orders import save_order
from games.play.bots.bot_moves import play_bot_move
from games.play.deadlines.pauses import pause, resume, to_pause
from games.play.game_view import game_view
from games.play.play_move import play_move
from games.play.seats.concession import concede
from games.play.seats.end_votes import propose_end
from games.play.seats.practice_hands import OpenHand
from games.play.seats.substitutes import reclaim_seat
from games.play.takebacks import take_back
from games.ratings.player_profile import counts_of
from games.refusals import (
    ChatNotAllowed,
    HandCovered,
    NotHost,
    NotOverdue,
    NotSeated,
    NotYourDecision,
    NotYourSeat,
    TooManyGames,
)
from games.web.settings.personal_data_files import everything_about
from tests.support import wording
from tests.support.games import NewGame, play_on, whole_record
from tests.support.practice_tables import (
    any_move,
    decide,
    device_of,
    fresh,
    open_hand,
    play_until,
    practise,
    who_decides,
)

pytestmark = pytest.mark.django_db


def hand_shown(answer: Any) -> bool:
    return answer.context["hand"] is not None


# -- Acting --------------------------------------------------------------------------------------------


def test_host_acts_for_people_without_account(alice: User) -> None:
    game = practise(alice, "random")
    people = [seat for seat in game.seats.all() if not seat.is_bot_playing]
    assert {seat.name for seat in people} == {"Ann", "Bob", "Cyd"}
    assert all(seat.user_id is None and seat.owner_id == alice.pk for seat in people)
    assert [seat.owner_id for seat in game.seats.exclude(bot_level="")] == [None]
    game = play_until(game, lambda game: game.version > 12)
    authors = LogEntry.objects.filter(game=game).values_list("author", "user")
    assert set(authors) == {("person", alice.pk), ("computer", None)}


def test_others_cannot_play_for_people(alice: User, bob: User) -> None:
    game = practise(alice)
    before = whole_record(game)
    for by in (bob, None):
        with pytest.raises(NotYourSeat):
            play_move(game_id=game.pk, number=1, seat=game.seat_to_move or 0, text=any_move(game), by=by)
    with pytest.raises(NotOverdue):
        play_move(
            game_id=game.pk, number=1, seat=game.seat_to_move or 0, text=any_move(game), by=None, overdue=True
        )
    assert whole_record(game) == before


def test_host_cannot_play_for_bots(alice: User) -> None:
    game = play_until(practise(alice, "random"), lambda game: game.bot_due_at is not None)
    with pytest.raises(NotYourSeat):
        play_move(
            game_id=game.pk,
            number=game.version + 1,
            seat=game.seat_to_move or 0,
            text=any_move(game),
            by=alice,
        )


def test_actions_between_players_find_no_seat(alice: User) -> None:
    game = practise(alice)
    terms = {"system": "acquire", "kind": "dispose"}
    for refused in (
        lambda: concede(game_id=game.pk, by=alice),
        lambda: propose_end(game_id=game.pk, by=alice, kind="none"),
        lambda: save_order(game_id=game.pk, by=alice, terms=terms, once=False),
        lambda: keep_plan(game_id=game.pk, user=alice, plan={}),
        lambda: reclaim_seat(game_id=game.pk, user=alice),
    ):
        with pytest.raises(NotSeated):
            refused()
    with pytest.raises(ChatNotAllowed):
        say(game_id=game.pk, user=alice, text="Hello")


def test_database_keeps_practice_table_private(alice: User) -> None:
    game = practise(alice)
    for column, value in (
        ("visibility", "public"),
        ("rated", True),
        ("seconds_per_move", 3600),
        ("waiting_for", alice.pk),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Game.objects.filter(pk=game.pk).update(**{column: value})


def test_table_needs_person_and_counts_as_unfinished(alice: User) -> None:
    with pytest.raises(ValueError, match="person"):
        practise(alice, "random", "random", people=())
    with pytest.raises(ValueError, match="no computer opponent"):
        practise(alice, "grandmaster")
    for _ in range(20):
        practise(alice)
    with pytest.raises(TooManyGames):
        practise(alice)


def test_forced_moves_are_automatic(alice: User) -> None:
    game = practise(alice, people=("Ann", "Bob"), skips=True)
    game = decide(game)
    entries = list(game.moves.values_list("author", "origin"))
    assert entries[0] == ("person", "")
    assert ("house", "forced") in [
        *entries,
        *play_until(game, _has_forced).moves.values_list("author", "origin"),
    ]


def _has_forced(game: Game) -> bool:
    return game.moves.filter(origin=LogEntry.Origin.FORCED_MOVE).exists()


# -- Covered hands -------------------------------------------------------------------------------------


def test_hand_is_covered_until_opened(alice: User) -> None:
    game, device = practise(alice), device_of(alice)
    name = who_decides(game).name
    page = device.get(game.get_absolute_url())
    assert not hand_shown(page)
    assert wording.PASS_THE_DEVICE_TO.format(name=name) in page.content.decode()
    assert wording.SHOW_MY_TILES % {"name": name} in page.content.decode()
    assert page.context["decision"] is None
    assert open_hand(device, game).status_code == 302
    page = device.get(game.get_absolute_url())
    assert hand_shown(page)
    assert page.context["headline"].startswith(f"{name} · Your turn")
    assert hand_shown(device.get(game.get_absolute_url()))  # loaded again


def test_hand_stays_open_during_turn(alice: User) -> None:
    game, device = practise(alice), device_of(alice)
    open_hand(device, game)
    first = game.seat_to_move
    seen = 0
    while fresh(game).seat_to_move == first:
        assert hand_shown(device.get(game.get_absolute_url()))
        decide(game)
        seen += 1
    assert seen > 1
    assert not hand_shown(device.get(game.get_absolute_url()))
    open_hand(device, game)
    assert hand_shown(device.get(game.get_absolute_url()))


def test_hand_is_covered_again_after_merger(alice: User) -> None:
    def asks_another(game: Game) -> bool:
        state = game.rule_system.state_from_json(game.state)
        return game.decision_kind == "dispose" and state.turn != game.seat_to_move

    game, device = practise(alice), device_of(alice)
    for _ in range(400):
        open_hand(device, game)
        on_turn = who_decides(game)
        game = decide(game)
        if asks_another(game):
            break
    assert asks_another(game)
    assert not hand_shown(device.get(game.get_absolute_url()))
    game = play_until(game, lambda game: game.seat_to_move == on_turn.number)
    assert not hand_shown(device.get(game.get_absolute_url()))


def test_covered_hand_must_be_opened_again(alice: User) -> None:
    game, device = practise(alice), device_of(alice)
    open_hand(device, game)
    device.post(reverse("hand", args=[game.public_id]), {"cover": "1"})
    assert not hand_shown(device.get(game.get_absolute_url()))


def test_only_hand_of_deciding_seat_opens(alice: User) -> None:
    game, device = practise(alice), device_of(alice)
    address = reverse("hand", args=[game.public_id])
    for seat in ("", "x", *(str(number) for number in range(4) if number != game.seat_to_move)):
        answer = device.post(address, {"seat": seat})
        assert answer.status_code == 409
        assert not hand_shown(answer)
    assert device.get(address).status_code == 302


def test_each_device_covers_its_own_hand(alice: User) -> None:
    game, here, there = practise(alice), device_of(alice), device_of(alice)
    open_hand(here, game)
    assert hand_shown(here.get(game.get_absolute_url()))
    assert not hand_shown(there.get(game.get_absolute_url()))


def test_move_with_covered_hands_is_refused(alice: User) -> None:
    game, device = practise(alice), device_of(alice)
    before = whole_record(game)
    address = reverse("move", args=[game.public_id, 1])
    tile = any_move(game).removeprefix("place ")
    answer = device.post(address, {"kind": "place", "tile": tile})
    assert answer.status_code == 409
    assert str(HandCovered.message) in answer.content.decode()
    answer = device.post(reverse("take-back", args=[game.public_id, 1]), {"to": "0"})
    assert answer.status_code == 409
    assert whole_record(game) == before
    open_hand(device, game)
    assert device.post(address, {"kind": "place", "tile": tile}).status_code == 302
    assert fresh(game).version == 1


def test_move_sent_twice_is_made_once(alice: User) -> None:
    game, device = practise(alice), device_of(alice)
    open_hand(device, game)
    address = reverse("move", args=[game.public_id, 1])
    form = {"kind": "place", "tile": any_move(game).removeprefix("place ")}
    assert [device.post(address, form).status_code for _ in range(2)] == [302, 302]
    assert fresh(game).version == 1


def test_hand_left_open_does_not_act_for_next_player(alice: User) -> None:
    game, device = practise(alice), device_of(alice)
    open_hand(device, game)
    first = game.seat_to_move
    game = play_until(game, lambda game: game.seat_to_move != first)
    before = whole_record(game)
    tile = any_move(game).removeprefix("place ")
    answer = device.post(
        reverse("move", args=[game.public_id, game.version + 1]), {"kind": "place", "tile": tile}
    )
    assert answer.status_code == 409
    assert whole_record(game) == before


def test_takeback_needs_open_hand(alice: User) -> None:
    game, device = practise(alice), device_of(alice)
    open_hand(device, game)
    mine = OpenHand(game.seat_to_move or 0, 0)
    game = decide(game)
    assert game.seat_to_move == mine.seat
    with pytest.raises(HandCovered):
        take_back(game_id=game.pk, number=2, to=0, by=alice)
    page = device.get(game.get_absolute_url())
    assert page.context["back"]["step"] == 0
    device.post(page.context["back"]["url"], {"to": "0"})
    assert fresh(game).moves.get(number=2).text == "back to 0"
    game = play_until(game, lambda game: game.seat_to_move != mine.seat)
    with pytest.raises(HandCovered):
        take_back(game_id=game.pk, number=game.version + 1, to=game.version - 1, by=alice, opened=mine)


def test_move_does_not_lead_to_other_games_of_host(start: NewGame, alice: User, bob: User) -> None:
    waits = start(alice, bob)
    while fresh(waits).waiting_for != alice:
        play_on(waits, 1)
    several = play_until(practise(alice), lambda game: game.decision_kind == "buy")
    device = device_of(alice)
    open_hand(device, several)
    assert not leads_to_the_next_game(device, several)
    alone = play_until(practise(alice, "random", people=["Ann"]), ann_buys)
    assert leads_to_the_next_game(device, alone)


def ann_buys(game: Game) -> bool:
    return game.decision_kind == "buy" and not who_decides(game).is_bot_playing


def leads_to_the_next_game(device: Client, game: Game) -> bool:
    return "data-go-next" in device.get(game.get_absolute_url()).content.decode()


def test_single_person_needs_no_cover(alice: User) -> None:
    game, device = practise(alice, "random", people=["Ann"]), device_of(alice)
    for _ in range(10):
        page = device.get(game.get_absolute_url())
        assert hand_shown(page)
        assert wording.PASS_THE_DEVICE_TO.format(name="") not in page.content.decode()
        assert not page.context.get("cover")
        decide(game)


def test_advice_is_for_single_person_only(alice: User) -> None:
    alone = play_until(practise(alice, "random", people=["Ann"]), lambda game: game.bot_due_at is None)
    assert device_of(alice).get(alone.get_absolute_url()).context["advice"]
    assert compute_advice(alone.pk, alone.version)
    several = play_until(practise(alice, "random"), lambda game: game.bot_due_at is None)
    device = device_of(alice)
    open_hand(device, several)
    assert device.get(several.get_absolute_url()).context["advice"] is None
    assert not compute_advice(several.pk, several.version)


def test_acquisition_needs_no_cover(alice: User, settings: Any) -> None:
    settings.ACQUISITION_PERMISSION = "Whoever designed it, for this test"
    game, device = practise(alice, people=("Ann", "Bob"), system="acquisition"), device_of(alice)
    for _ in range(6):
        page = device.get(game.get_absolute_url())
        assert page.context["headline"].startswith(f"{who_decides(game).name} · ")
        assert page.context["decision"] is not None
        decide(game)


# -- Secrecy -------------------------------------------------------------------------------------------


def test_table_is_not_found_by_others(alice: User, bob: User) -> None:
    game = practise(alice, "random")
    names = ("game", "table", "log", "deal-check", "game-rules", "room", "ending", "hand")
    names += ("chat", "talk-unread", "notes", "plan", "orders")  # type: ignore[assignment]
    for device in (Client(), device_of(bob), device_of(User.objects.create_superuser("staff"))):
        for name in names:
            assert device.get(reverse(name, args=[game.public_id])).status_code == 404, name
        assert device.get(f"{reverse('table', args=[game.public_id])}?after=0").status_code == 404
        for name, number in (("move", 1), ("take-back", 1), ("turn", 1), ("advice", 1)):
            # A visitor's move leads to the log-in before the site looks for any game.
            expected = 302 if name == "move" and "sessionid" not in device.cookies else 404
            assert device.post(reverse(name, args=[game.public_id, number])).status_code == expected, name
        for name in ("join", "leave", "start", "rematch", "hand", "invite", "decline"):
            assert device.post(reverse(name, args=[game.public_id])).status_code == 404, name
    with pytest.raises(Http404):
        game_view(game.public_id, bob)


def test_pages_for_several_devices_are_not_found(alice: User) -> None:
    game, device = practise(alice), device_of(alice)
    open_hand(device, game)
    page = device.get(game.get_absolute_url())
    for name in ("chat", "notes", "plan", "orders", "room", "talk-unread", "explore"):
        assert device.get(reverse(name, args=[game.public_id])).status_code == 404, name
        assert reverse(name, args=[game.public_id]) not in page.content.decode(), name
    assert not page.context["talk"]
    assert not page.context["notes"]
    assert not page.context["orders"]


def test_only_lists_of_host_name_table(alice: User, bob: User) -> None:
    running = practise(alice, name="Secret table")
    over = practise(alice, name="Secret end")
    end_practice(game_id=over.pk, by=alice, kind="standings")
    for user in (bob, alice):
        lobby = lobby_lists.lobby(user, OpenGameFilter())
        for listed in (lobby.open.games, lobby.running.games, lobby.waiting, lobby.others, lobby.vacant):
            assert listed == []
        assert waiting_count(user) == 0
    assert lobby_lists.lobby(bob, OpenGameFilter()).all_games() == []
    found = lobby_lists.lobby(alice, OpenGameFilter())
    assert (found.practice, found.finished.games) == ([running], [over])
    assert finished_page().games == []
    assert counts_of(alice) == {"running": 0, "finished": 0}
    for address in (reverse("home"), reverse("finished-games"), reverse("player", args=["alice"])):
        assert "Secret" not in device_of(bob).get(address).content.decode()
    mine = device_of(alice).get(reverse("home")).content.decode()
    assert "Secret table" in mine
    assert "practice table" in mine


def test_finished_tables_are_among_finished_games(alice: User) -> None:
    games = []
    for number in range(5):
        if number % 2:
            game = start_game(system="acquire", preset="avalon-hill", host=alice, players=[alice, "random"])
            concede(game_id=game.pk, by=alice)
        else:
            game = practise(alice)
            end_practice(game_id=game.pk, by=alice, kind="none")
        games.insert(0, game)
    found, after = [], ""
    while True:
        page = finished_page_of(alice, after, size=2)
        found += page.games
        if not (after := page.following):
            break
    assert found == games


def test_practice_table_sends_no_notification(alice: User, django_capture_on_commit_callbacks: Any) -> None:
    alice.email = "alice@example.com"
    alice.save()
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    with django_capture_on_commit_callbacks(execute=True):
        game = practise(alice, "random", skips=True)
        play_until(game, lambda game: game.is_finished, most=2000)
    assert not Notification.objects.exists()
    assert not Reliability.objects.exists()
    assert (
        not StandingOrder.objects.exists() and not PlannedTurn.objects.exists() and not Note.objects.exists()
    )
    assert mail.outbox == []


# -- The end -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind, ending", [("standings", "standings"), ("none", "none")])
def test_host_ends_table_at_once(kind: str, ending: str, alice: User, bob: User) -> None:
    game, device = practise(alice), device_of(alice)
    page = device.get(reverse("ending", args=[game.public_id]))
    address = reverse("confirm-ending", args=[game.public_id, kind])
    assert address in page.content.decode()
    assert "Concede" not in page.content.decode()
    assert wording.GAME_ENDS_RIGHT_AWAY in device.get(address).content.decode()
    assert device.get(reverse("confirm-ending", args=[game.public_id, "concede"])).status_code == 404
    with pytest.raises(NotHost):
        end_practice(game_id=game.pk, by=bob, kind=kind)
    assert device.post(address).status_code == 302
    assert (fresh(game).status, fresh(game).ending) == ("finished", ending)
    with pytest.raises(NotYourDecision):
        end_practice(game_id=game.pk, by=alice, kind=kind)


def test_rematch_is_for_same_people_once(alice: User) -> None:
    game, device = practise(alice, "random"), device_of(alice)
    end_practice(game_id=game.pk, by=alice, kind="none")
    assert wording.GAME_STARTS_RIGHT_AWAY in device.get(game.get_absolute_url()).content.decode()
    answers = [device.post(reverse("rematch", args=[game.public_id])) for _ in range(2)]
    new = Game.objects.exclude(pk=game.pk).get()
    assert [answer["Location"] for answer in answers] == [new.get_absolute_url()] * 2
    assert new.is_practice
    assert {seat.name for seat in new.seats.filter(bot_level="")} == {"Ann", "Bob", "Cyd"}
    assert new.seats.exclude(bot_level="").count() == 1


def test_deletion_of_host_erases_names(alice: User) -> None:
    running, over = practise(alice, "random"), practise(alice)
    end_practice(game_id=over.pk, by=alice, kind="none")
    delete_account(alice)
    for game in (running, over):
        assert fresh(game).is_finished
        names = {seat.name for seat in game.seats.all()}
        assert not names & {"Ann", "Bob", "Cyd"}


def test_personal_data_of_host_has_table(alice: User, bob: User) -> None:
    game = decide(practise(alice))
    files = dict(everything_about(alice))
    [told] = json.loads(files["practice_tables.json"])
    assert sorted(told["players"]) == ["Ann", "Bob", "Cyd"]
    assert told["address"] == game.get_absolute_url()
    assert [move["number"] for move in json.loads(files["moves.json"])] == [1]
    assert json.loads(dict(everything_about(bob))["practice_tables.json"]) == []


def test_pause_is_explained_to_host_only(alice: User, bob: User, settings: Any) -> None:
    settings.ACQUISITION_PERMISSION = "Whoever designed it, for this test"
    game = practise(alice, people=("Ann", "Bob"), system="acquisition")
    settings.ACQUISITION_PERMISSION = ""
    assert to_pause() == [game.pk]
    pause(game_id=game.pk)
    assert "paused" in device_of(alice).get(game.get_absolute_url()).content.decode()
    assert "paused" not in device_of(bob).get(game.get_absolute_url()).content.decode()
    settings.ACQUISITION_PERMISSION = "Whoever designed it, for this test"
    resume(game_id=game.pk)
    decide(game)


# -- The form ------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "offered"), [("alice", True), ("admin", False), ("site-bot", False)])
def test_form_offers_the_members_own_name_unless_a_table_refuses_it(
    client: Client, name: str, offered: bool
) -> None:
    client.force_login(User.objects.create_user(name))
    page = client.get(reverse("new-practice")).content.decode()
    assert (f'value="{name}"' in page) is offered


def filled(**fields: str) -> dict[str, str]:
    usual = {"preset": "avalon-hill", "who_1": "person", "name_1": "Ann", "who_2": "person", "name_2": "Bob"}
    return {**usual, **fields}


def test_visitor_starts_table_as_guest(client: Client) -> None:
    assert client.get(reverse("new-practice")).status_code == 200
    answer = client.post(reverse("new-practice"), filled(who_4="medium", skips="on", takebacks="on"))
    game = Game.objects.get()
    assert answer["Location"] == game.get_absolute_url()
    assert (game.is_practice, game.rated, game.seconds_per_move, game.visibility) == (
        True,
        False,
        None,
        "invited",
    )
    assert game.host.is_guest
    assert sorted(seat.bot_level for seat in game.seats.all()) == ["", "", "medium"]
    assert client.get(game.get_absolute_url()).status_code == 200
    assert reverse("new-practice") in client.get("/").content.decode()


def test_member_can_leave_own_seat_out(alice: User) -> None:
    form = filled(who_1="", name_1=alice.username, who_2="person", who_3="person", name_3="Cyd")
    assert device_of(alice).post(reverse("new-practice"), form).status_code == 302
    assert sorted(seat.name for seat in Game.objects.get().seats.all()) == ["Bob", "Cyd"]


@pytest.mark.parametrize(
    "fields, sentence",
    [
        ({"name_2": ""}, "Use 3 to 20 letters"),
        ({"name_2": "B"}, "Use 3 to 20 letters"),
        ({"name_2": "<b>Bob</b>"}, "Use 3 to 20 letters"),
        ({"name_2": "Rook"}, wording.NAME_IS_RESERVED),
        ({"name_2": "aNN"}, "looks too much like another one at the table"),
        ({"who_2": ""}, "Choose at least 2 players."),
        ({"who_1": "medium", "who_2": "medium"}, "At least one player must be a person."),
        ({"who_2": "grandmaster"}, "Select a valid choice"),
        (
            {"name_3": "Cyd"},
            (
                "This seat has a name but is set to “Empty”. Choose “Person on this "
                "device”, or clear the name."
            ),
        ),
        ({"preset": "house"}, "Select a valid choice"),
    ],
)
def test_invalid_form_is_refused_with_sentence(fields: dict, sentence: str, client: Client) -> None:
    answer = client.post(reverse("new-practice"), filled(**fields))
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Game.objects.exists()
    assert not User.objects.exists()  # an invalid form creates no guest


def test_rule_options_are_used(alice: User) -> None:
    device = device_of(alice)
    page = device.get(reverse("new-practice"))
    option = page.context["form"].options[0].name
    value = page.context["form"].options[0].field.choices[-1][0]
    device.post(reverse("new-practice"), filled(**{option: value}))
    rules = Game.objects.get().rules
    assert str(getattr(rules, option.removeprefix("option_"))) == value


# -- A whole game --------------------------------------------------------------------------------------


def form_of(page: Any, rng: Random) -> dict[str, str]:
    """One of the answers offered by the page, as form fields, confirmed if it has to be."""
    decision = page.context["decision"]
    if not decision.choices:
        return {"move": "redraw"}
    key = rng.choice([*decision.choices])
    sure = {"sure": "1"} if decision.choices[key].get("question") else {}
    return {"kind": decision.kind, **sure, **dict(zip(decision.fields, key.split(","), strict=False))}


def test_three_people_and_bot_finish_game(alice: User) -> None:
    game, device, rng = practise(alice, "random", skips=True), device_of(alice), Random(1)
    opened = []
    while (game := fresh(game)).seat_to_move is not None:
        if game.bot_due_at is not None:
            play_bot_move(game.pk, game.version)
            continue
        page = device.get(game.get_absolute_url())
        if page.context["decision"] is None:
            opened.append(who_decides(game).name)
            open_hand(device, game)
            page = device.get(game.get_absolute_url())
        assert device.post(page.context["move_url"], form_of(page, rng)).status_code == 302
    assert {*opened} == {"Ann", "Bob", "Cyd"}
    assert len(opened) > 15
    page = device.get(game.get_absolute_url())
    assert page.context["final"]
    assert page.context["again_url"]
    assert not replay(fresh(game)).faults
