"""Pages of the lessons: asking, hints, right answers, and progress that is kept."""

import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.engine.rules.rule_systems import SYSTEMS
from games.lessons.course import COURSE, SYSTEM
from games.models import Game, LessonProgress
from games.privacy.personal_data import my_data
from games.web.lessons.lesson_text import STEPS, TITLES
from tests.support import wording
from tests.support.clients import client_of
from tests.support.htmx import HTMX

pytestmark = pytest.mark.django_db

FIRST = "/learn/tiles/1/"
RIGHT = {"kind": "place", "tile": "2B"}
WRONG = {"kind": "place", "tile": "6E"}
HINT = wording.TILE_HAS_A_NEIGHBOUR
ALL = [(lesson, number) for lesson in COURSE for number in range(1, len(lesson.steps) + 1)]


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def solve(client: Client, lesson: Any, number: int) -> Any:
    return client.post(f"/learn/{lesson.name}/{number}/", {"move": lesson.steps[number - 1].example})


def solve_all(client: Client) -> None:
    for lesson, number in ALL:
        assert solve(client, lesson, number).status_code == 302


def progress(user: User) -> dict[str, int]:
    return dict(LessonProgress.objects.filter(user=user).values_list("lesson", "solved"))


def test_later_steps_lead_back_to_the_step_before() -> None:
    client = client_of()
    assert "Previous step" not in page(client, FIRST)
    client.post(FIRST, RIGHT)
    second = page(client, "/learn/tiles/2/")
    assert f'href="{FIRST}"' in second and "Previous step" in second
    assert "2B" in page(client, FIRST)


# -- The list ------------------------------------------------------------------------------------------


def test_list_names_all_lessons_and_begins_with_the_first() -> None:
    html = page(client_of(), "/learn/")
    assert all(str(title) in html for title in TITLES.values())
    assert 'href="/learn/tiles/"' in html and "Start lesson 1" in html and "0 done" in html


def test_lesson_announces_no_keys_because_it_has_none() -> None:
    client = client_of()
    for lesson, number in ALL:
        assert "aria-keyshortcuts" not in page(client, f"/learn/{lesson.name}/{number}/")
        solve(client, lesson, number)


def test_list_goes_on_where_the_reader_stopped() -> None:
    client = client_of()
    client.post(FIRST, RIGHT)
    html = page(client, "/learn/")
    assert "Continue: 1 · Place and found" in html
    assert re.search(r"1\s+of\s+3", html)


def test_after_the_last_lesson_a_first_game_against_easy_begins(alice: User) -> None:
    client = client_of(alice)
    solve_all(client)
    html = page(client, "/learn/")
    assert "8 done" in html and "Start lesson" not in html
    assert_first_game(client, html)


@pytest.mark.parametrize("finished", [False, True])
def test_reader_with_a_game_is_not_sent_into_a_first_one(alice: User, finished: bool) -> None:
    client = client_of(alice)
    solve_all(client)
    client.post("/play/", {"preset": "classic", "opponents": "2", "level": "random"})
    if finished:
        Game.objects.update(status=Game.Status.FINISHED, finished=timezone.now())
    html = page(client, "/learn/")
    assert "You have done them all." in html and "first game" not in html
    assert '<a class="button" href="/">Play now</a>' in html


def assert_first_game(client: Client, html: str) -> None:
    form = re.search(r'<form method="post" action="/play/">.*?</form>', html, re.S)
    assert form and "Play your first game" in form[0]
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([\w-]+)">', form[0]))
    answer = client.post("/play/", {name: value for name, value in fields.items() if "csrf" not in name})
    game = Game.objects.get()
    assert answer.status_code == 302 and answer["Location"] == game.get_absolute_url()
    assert {seat.bot_level for seat in game.seats.all() if seat.bot_level} == {"easy"}


def test_pages_link_to_the_lessons(alice: User) -> None:
    home = page(client_of(), "/")
    assert home.count('href="/learn/"') == 5  # in menus and dock, at the top and beside the pictures
    assert page(client_of(alice), "/").count('href="/learn/"') == 4
    rules = page(client_of(), "/rules/")
    assert all(f'href="/learn/{lesson.name}/"' in rules for lesson in COURSE)
    assert 'href="/learn/">Learn the rulebook' in page(client_of(), "/rules/classic/")


@pytest.mark.parametrize("preset", SYSTEMS[SYSTEM].PRESETS)
def test_rules_of_each_preset_lead_to_the_lesson_of_each_term(preset: str) -> None:
    rules = page(client_of(), f"/rules/{preset}/")
    terms = dict(re.findall(r'<a href="/learn/(\w+)/">([^<]+)</a>', rules))
    assert set(terms) == {lesson.name for lesson in COURSE}
    assert terms["ending"] == "Declaring the end"


# -- A step --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lesson", "number"), ALL, ids=[f"{one.name} {n}" for one, n in ALL])
def test_step_can_be_played_without_a_script(lesson: Any, number: int) -> None:
    client = client_of()
    for before in range(1, number):
        solve(client, lesson, before)
    text = STEPS[lesson.name, lesson.steps[number - 1].name]
    address = f"/learn/{lesson.name}/{number}/"
    html = page(client, address)
    assert str(text.goal) in html and str(text.note) in html
    assert f'action="{address}"' in html and str(text.why) not in html
    answer = solve(client, lesson, number)
    assert answer.status_code == 302
    html = page(client, answer["Location"])
    assert str(text.why) in html and "<form id=" not in html


def test_wrong_answer_gets_a_hint_and_keeps_the_choice() -> None:
    client = client_of()
    answer = client.post(FIRST, WRONG)
    html = answer.content.decode()
    assert answer.status_code == 200 and HINT in html
    assert re.search(r'value="6E"[^>]*checked', html, re.S)
    assert "lessons" not in client.session


def refusal(answer: Any) -> str:
    """The words of the coach, where the note stood."""
    found = re.search(r'<span class="problem" role="alert"[^>]*>(.*?)</span>', answer.content.decode(), re.S)
    assert answer.status_code == 422 and found
    return found[1].strip()


@pytest.mark.parametrize("sent", [{"kind": "place", "tile": "1A"}, {"move": "found tower"}])
def test_illegal_answer_gets_a_sentence_and_the_hint(sent: dict[str, str]) -> None:
    client = client_of()
    words = refusal(client.post(FIRST, sent))
    assert HINT in words and len(words) > len(HINT)
    assert "lessons" not in client.session


@pytest.mark.parametrize("sent", [{}, {"kind": "place"}, {"kind": "place", "tile": ""}, {"move": "x" * 9000}])
def test_answer_that_names_no_move_gets_no_hint(sent: dict[str, str]) -> None:
    client = client_of()
    words = refusal(client.post(FIRST, sent))
    assert words and HINT not in words
    assert "lessons" not in client.session


def test_refusal_stands_in_for_the_note() -> None:
    html = client_of().post(FIRST, WRONG).content.decode()
    note = STEPS["tiles", "place"].note
    assert html.count(HINT) == 2  # for the eye, and for the voice
    assert re.search(rf"<span data-refused hidden>{note}", html)


def test_dead_tile_is_plain_text_in_a_lesson(alice: User) -> None:
    client = client_of(alice)
    solve(client, COURSE[6], 1)
    html = page(client, "/learn/safety/2/")
    assert "8C" in html and "#dead-tiles" not in html


def test_answer_to_a_step_that_is_not_reached_is_stale(alice: User) -> None:
    client = client_of(alice)
    answer = client.post("/learn/tiles/3/", {"move": "found tower"})
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "You have not reached that step yet." in html and f'action="{FIRST}"' in html
    assert progress(alice) == {}


def test_step_that_is_not_reached_leads_to_the_open_one() -> None:
    client = client_of()
    answer = client.get("/learn/tiles/3/", follow=True)
    assert answer.redirect_chain[-1][0] == FIRST


def test_solved_step_can_be_played_again(alice: User) -> None:
    client = client_of(alice)
    for number in (1, 2, 3):
        solve(client, COURSE[0], number)
    assert client.get("/learn/tiles/", follow=True).redirect_chain[-1][0] == FIRST
    assert client.post(FIRST, WRONG).status_code == 200
    assert client.post(FIRST, RIGHT).status_code == 302
    assert progress(alice) == {"tiles": 3}


@pytest.mark.parametrize(
    "address", ["/learn/nothing/", "/learn/nothing/1/", "/learn/tiles/0/", "/learn/tiles/4/"]
)
def test_other_addresses_have_no_page(address: str) -> None:
    client = client_of()
    assert client.get(address).status_code == 404
    assert client.post(address, RIGHT).status_code in (404, 405)


def test_script_gets_the_step_alone() -> None:
    client = client_of()
    wrong = client.post(FIRST, WRONG, **HTMX)
    assert wrong.status_code == 200 and "<html" not in wrong.content.decode()
    right = client.post(FIRST, RIGHT, **HTMX)
    html = right.content.decode()
    assert right.status_code == 200 and "<html" not in html
    assert "A tile without neighbours stays a lone tile." in html
    assert 'data-announce="Correct.' in html and 'href="/learn/tiles/2/"' in html


def test_right_answer_can_be_shown() -> None:
    html = page(client_of(), f"{FIRST}?show=1")
    assert re.search(r'value="2B"[^>]*checked', html, re.S)
    assert "Show answer" not in html and 'class="spot"' in html
    asked = page(client_of(), FIRST)
    assert "Show answer" in asked and 'href="/learn/tiles/1/?show=1"' in asked


@pytest.mark.parametrize("answer", ["place 6E", "place 1A", "nonsense", "", "x" * 3000])
def test_result_is_shown_for_right_answers_only(answer: str) -> None:
    client = client_of()
    client.post(FIRST, RIGHT)
    assert "Correct." not in page(client, f"{FIRST}?answer={answer}")


def test_result_is_not_shown_before_the_step_is_solved() -> None:
    client = client_of()
    assert "Correct." not in page(client, f"{FIRST}?answer=place+2B")
    assert "lessons" not in client.session


@pytest.mark.parametrize("address", ["/learn/shares/1/", "/learn/ending/1/"])
def test_lesson_leaves_out_net_worth(address: str) -> None:
    html = page(client_of(), address)
    assert "shares to buy" in html and "Your net worth after" not in html


def test_merger_shows_who_is_paid() -> None:
    client = client_of()
    html = page(client, solve(client, COURSE[4], 1)["Location"])
    told = " ".join(re.sub(r"<[^>]+>", "", html).split())
    assert "+$3,000" in told and "you, majority" in told


def test_board_shows_the_chains_merged() -> None:
    client = client_of()
    html = page(client, solve(client, COURSE[4], 1)["Location"])
    assert re.search(r'id="stock-worldwide"\s+class="[^"]*\boff\b', html)


def test_last_step_leads_to_the_next_lesson_and_at_the_end_to_a_game() -> None:
    client = client_of()
    for number in (1, 2, 3):
        answer = solve(client, COURSE[0], number)
    assert "Next lesson: Buying shares" in page(client, answer["Location"])
    for number in (1, 2):
        answer = solve(client, COURSE[-1], number)
    html = page(client, answer["Location"])
    assert "You won by" in html
    assert_first_game(client, html)


def test_no_tile_of_other_players_is_on_the_page() -> None:
    html = page(client_of(), FIRST)
    assert set(re.findall(r'id="tile-(\w+)"', html)) == {"2B", "6E", "9D"}


def test_hasty_answers_are_limited(settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"lesson": "1/m/ip"}
    client = client_of()
    client.post(FIRST, WRONG)
    assert client.post(FIRST, RIGHT).status_code == 429
    assert "lessons" not in client.session


# -- Progress ------------------------------------------------------------------------------------------


def test_looking_changes_nothing() -> None:
    client = client_of()
    with CaptureQueriesContext(connection) as asked:
        page(client, "/learn/")
        page(client, FIRST)
        page(client, f"{FIRST}?show=1")
    assert not [query for query in asked.captured_queries if not query["sql"].startswith("SELECT")]


def test_progress_is_read_once(alice: User) -> None:
    client = client_of(alice)
    with CaptureQueriesContext(connection) as asked:
        page(client, FIRST)
    assert sum("lessonprogress" in query["sql"] for query in asked.captured_queries) == 1


def test_list_beside_a_solved_step_counts_it(alice: User) -> None:
    html = client_of(alice).post(FIRST, RIGHT, **HTMX).content.decode()
    assert re.search(r"1\s+of\s+3", html)


def test_member_goes_on_with_another_device(alice: User) -> None:
    client_of(alice).post(FIRST, RIGHT)
    answer = client_of(alice).get("/learn/tiles/", follow=True)
    assert answer.redirect_chain[-1][0] == "/learn/tiles/2/"


def test_progress_of_others_does_not_count(alice: User, bob: User) -> None:
    client_of(alice).post(FIRST, RIGHT)
    assert "Start lesson 1" in page(client_of(bob), "/learn/")


def test_guest_keeps_the_progress_in_the_account(guest: User) -> None:
    client_of(guest).post(FIRST, RIGHT)
    assert progress(guest) == {"tiles": 1}


def test_visitor_keeps_the_progress_in_the_session() -> None:
    client = client_of()
    client.post(FIRST, RIGHT)
    assert client.session["lessons"] == {"tiles": 1}
    assert not LessonProgress.objects.exists()
    assert "Continue:" in page(client, "/learn/") and "Continue:" not in page(client_of(), "/learn/")


def test_visitor_who_logs_in_takes_the_progress_along(alice: User) -> None:
    alice.set_password("a long enough secret")
    alice.save()
    client = client_of()
    client.post(FIRST, RIGHT)
    client.post("/accounts/login/", {"login": "alice", "password": "a long enough secret"})
    assert progress(alice) == {"tiles": 1}
    assert "lessons" not in client.session


def test_visitor_who_becomes_a_guest_takes_the_progress_along() -> None:
    client = client_of()
    client.post(FIRST, RIGHT)
    client.post("/play/", {"preset": "classic", "opponents": "2", "level": "random"})
    assert progress(User.objects.get(is_guest=True)) == {"tiles": 1}


def test_member_reads_of_the_progress_in_the_export(alice: User) -> None:
    client_of(alice).post(FIRST, RIGHT)
    [row] = json.loads(dict(my_data(alice))["lessons.json"])
    assert (row["lesson"], row["solved"]) == ("tiles", 1)
