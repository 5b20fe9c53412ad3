"""The page of a puzzle: before and after the answer, and for whom."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Game, Puzzle, PuzzleAnswer
from games.privacy.retention import forget_user
from games.puzzles import puzzle_calendar, puzzle_positions, shown_puzzles
from tests.puzzles.made_puzzles import game_source, house_source, legal_answers, make_puzzle, of_kind
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, play_on, play_to_the_end, whole_record

pytestmark = pytest.mark.django_db

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)

DAY = timedelta(days=1)


@pytest.fixture
def public(start: NewGame, alice: User, bob: User) -> Game:
    return play_to_the_end(start(alice, bob, terms={"visibility": "public", "name": "Autumn cup"}))


@pytest.fixture
def puzzle(public: Game) -> Puzzle:
    """Today's puzzle, from a game of alice and bob."""
    return make_puzzle(game_source(public))


def url(puzzle: Puzzle) -> str:
    return f"/puzzle/{puzzle.day}/"


def page(client: Client, address: str = "/puzzle/", **headers: str) -> str:
    answer = client.get(address, headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def without_tokens(html: str) -> str:
    html = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", html)
    return re.sub(r'"X-CSRFToken": "\w+"', "", html)


def send(client: Client, puzzle: Puzzle, move: str, **headers: str) -> Any:
    return client.post(url(puzzle), {"move": move}, headers=headers)


# -- Before the answer ---------------------------------------------------------------------------------


def test_anybody_may_see_the_puzzle_of_the_day(puzzle: Puzzle) -> None:
    html = page(client_of())
    assert "One move is clearly the best" in html
    assert f'action="{url(puzzle)}"' in html
    seen, _told = puzzle_positions.entries_before(puzzle, 40)
    for move in seen.legal:
        assert str(move).removeprefix("place ") in html


def task(html: str) -> str:
    """The line above the headline of the table."""
    found = re.search(r'<p class="game-name task">([^<]*)</p>', html)
    assert found is not None and html.index("game-name") < html.index('id="headline"')
    return found[1]


def test_line_above_the_table_tells_the_puzzle_from_a_game(puzzle: Puzzle) -> None:
    assert task(page(client_of())) == "Puzzle of the day: your first answer counts"
    client = client_of()
    send(client, puzzle, puzzle.best)
    assert task(page(client)) == "Puzzle of the day"
    puzzle.day = datetime(2026, 1, 3, tzinfo=UTC).date()
    puzzle.save()
    assert task(page(client_of(), url(puzzle))) == "Puzzle of 3 January 2026"


def test_solution_names_the_best_move(puzzle: Puzzle) -> None:
    client = client_of()
    send(client, puzzle, legal_answers(puzzle)[-1])
    told = re.search(r"<strong>[^<]+</strong>\s*The best move is “([^”]+)”", page(client))
    assert told is not None and puzzle.best.removeprefix("place ") in told[1]


def test_stranger_reads_before_the_answer_that_members_have_streaks(puzzle: Puzzle, alice: User) -> None:
    way = 'href="/accounts/login/?next=%2Fpuzzle%2F">Log in</a> before you answer'
    assert way in page(client_of())
    assert way not in page(client_of(alice))


def test_page_reveals_nothing_of_the_solution(puzzle: Puzzle) -> None:
    """It is the same for every best answer and estimate."""
    before = without_tokens(page(client_of()))
    puzzle.best = legal_answers(puzzle)[2]
    puzzle.estimates = [[puzzle.best, 0.91234, 7654, 3]]
    puzzle.save()
    assert without_tokens(page(client_of())) == before


def test_page_does_not_reveal_the_game(puzzle: Puzzle, public: Game) -> None:
    html = page(client_of())
    for word in (public.public_id, "Autumn cup", "alice", "bob"):
        assert word not in html, word
    # The twin: after the answer all of it is shown.
    client = client_of()
    send(client, puzzle, puzzle.best)
    html = page(client, url(puzzle))
    assert public.public_id in html and "Autumn cup" in html


def test_page_shows_only_the_hand_of_the_seat_that_is_asked(puzzle: Puzzle) -> None:
    from games.engine.rules.acquire.board import SQUARE_NAMES
    from games.puzzles.puzzle_positions import position

    state, html = position(puzzle), page(client_of())
    shown = set(re.findall(r'id="tile-(\w+)"', html)) | set(re.findall(r'class="tile"[^>]*>(\w+) <', html))
    assert shown == {SQUARE_NAMES[square] for square in state.hands[puzzle.seat]}


def test_opening_the_page_changes_nothing(puzzle: Puzzle) -> None:
    with CaptureQueriesContext(connection) as asked:
        page(client_of())
        page(client_of(), url(puzzle))
    assert not [query for query in asked.captured_queries if not query["sql"].startswith("SELECT")]


def test_every_kind_of_decision_has_its_form(alice: User) -> None:
    for number, kind in enumerate(("place", "buy", "dispose", "found", "survivor")):
        sources = (house_source(seed) for seed in range(1, 60))
        source = next(one for one in sources if any(map(of_kind(kind), puzzle_positions.asked(one))))
        puzzle = make_puzzle(source, puzzle_calendar.today() - number * DAY, of_kind(kind))
        client = client_of(alice)
        html = page(client, url(puzzle))
        assert f'name="kind" value="{kind}"' in html, kind
        assert send(client, puzzle, puzzle.best).status_code == 302
        assert "Correct" in page(client, url(puzzle))


def test_form_is_read_as_that_of_the_table(puzzle: Puzzle) -> None:
    tile = puzzle.best.removeprefix("place ")
    client = client_of()
    assert client.post(url(puzzle), {"kind": "place", "tile": tile}).status_code == 302
    assert "Correct" in page(client, url(puzzle))


def test_other_rule_system_has_puzzles_too(alice: User) -> None:
    puzzle = make_puzzle(house_source(3, "acquisition", 2), wanted=lambda one: len(one.seen.legal) > 3)
    client = client_of(alice)
    assert url(puzzle) in page(client)
    assert send(client, puzzle, puzzle.best).status_code == 302
    assert "Correct" in page(client)


# -- Days ----------------------------------------------------------------------------------------------


def test_page_says_when_there_is_no_puzzle_yet(settings: Any) -> None:
    assert "There is no puzzle for today yet. Check back later." in page(client_of())
    settings.PUZZLE_DAYS_AHEAD = 0
    html = page(client_of())
    assert "There is no puzzle for today" in html and "Check back later" not in html


def test_each_player_has_a_name_that_fits_the_narrowest_column(puzzle: Puzzle) -> None:
    heads = re.findall(r'<span class="visually-hidden">(P\d)</span></th>', page(client_of()))
    assert heads == [f"P{number + 1}" for number in range(puzzle.seats) if number != puzzle.seat]


def test_puzzle_of_a_future_day_is_not_found(puzzle: Puzzle) -> None:
    tomorrow = make_puzzle(day=puzzle_calendar.today() + DAY)
    assert client_of().get(url(tomorrow)).status_code == 404
    assert send(client_of(), tomorrow, tomorrow.best).status_code == 404
    assert url(tomorrow) not in page(client_of())


def test_earlier_puzzle_can_be_solved_but_does_not_count(puzzle: Puzzle, alice: User) -> None:
    yesterday = make_puzzle(day=puzzle_calendar.today() - DAY)
    client = client_of(alice)
    assert url(yesterday) in page(client)
    assert "does not count" in page(client, url(yesterday))
    send(client, yesterday, yesterday.best)
    html = page(client, url(yesterday))
    assert "Correct" in html and "Your streak: 0 days" in html


@pytest.mark.parametrize(
    "day", ["today", "2026-13-01", "20261122", "2026-W47-7", "0001-01-01", "9999-12-31", "٢٠٢٦-01-01", "-1"]
)
def test_day_without_a_puzzle_is_not_found(puzzle: Puzzle, day: str) -> None:
    assert client_of().get(f"/puzzle/{day}/").status_code == 404
    assert client_of().post(f"/puzzle/{day}/", {"move": puzzle.best}).status_code == 404


# -- Answers -------------------------------------------------------------------------------------------


def test_right_answer_is_shown_with_the_estimates(puzzle: Puzzle, alice: User) -> None:
    client = client_of(alice)
    answer = send(client, puzzle, puzzle.best)
    assert answer.status_code == 302 and answer["Location"] == url(puzzle)
    html = page(client, url(puzzle))
    for words in ("Correct", "Master", "50%", "$800", "Your streak: 1 day."):
        assert words in html, words
    assert "1 member has tried this puzzle." in html and "1 member has solved it." in html
    # The form is gone.
    assert 'id="decision"' not in html


def test_wrong_answer_is_shown_with_the_best_one(puzzle: Puzzle, alice: User) -> None:
    wrong = legal_answers(puzzle)[3]
    client = client_of(alice)
    send(client, puzzle, wrong)
    html = page(client, url(puzzle))
    assert wording.THERE_WAS_A_BETTER_MOVE in html
    rows = re.findall(r'<th scope="row">(.*?)</th>', html, re.DOTALL)
    told = [row for row in rows if "badge" in row]
    assert ["Best" in row for row in told] == [True, False]
    assert ["Yours" in row for row in told] == [False, True]
    assert "1 member has tried this puzzle." in html and "0 members have solved it." in html


def test_answer_without_an_estimate_is_told_so(puzzle: Puzzle, alice: User) -> None:
    puzzle.estimates = puzzle.estimates[:2]
    puzzle.save()
    client = client_of(alice)
    send(client, puzzle, legal_answers(puzzle)[2])
    assert "did not consider it" in page(client, url(puzzle))


def test_htmx_gets_the_table_alone(puzzle: Puzzle) -> None:
    answer = send(client_of(), puzzle, puzzle.best, **{"HX-Request": "true"})
    html = answer.content.decode()
    assert answer.status_code == 200 and "<html" not in html and "Correct" in html


def test_answer_changes_no_game(puzzle: Puzzle, public: Game, alice: User) -> None:
    before = whole_record(public)
    send(client_of(alice), puzzle, puzzle.best)
    send(client_of(), puzzle, puzzle.best)
    assert whole_record(public) == before


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"move": ""},
        {"move": "dance"},
        {"move": "x" * 9000},
        {"kind": "buy", "tower": "99"},
        {"kind": "x"},
    ],
    ids=str,
)
def test_invalid_answer_is_refused_with_a_message(puzzle: Puzzle, data: dict[str, str], alice: User) -> None:
    for client in (client_of(), client_of(alice)):
        answer = client.post(url(puzzle), data)
        assert answer.status_code == 422
        assert 'class="problem" role="alert"' in answer.content.decode()
    assert not PuzzleAnswer.objects.exists()


def test_stranger_keeps_the_first_answer_in_the_browser(puzzle: Puzzle) -> None:
    client, wrong = client_of(), legal_answers(puzzle)[1]
    send(client, puzzle, wrong)
    send(client, puzzle, puzzle.best)
    html = page(client, url(puzzle))
    assert wording.THERE_WAS_A_BETTER_MOVE in html and wording.LOG_IN in html
    assert "No member has tried this puzzle yet." in html
    assert not PuzzleAnswer.objects.exists()
    assert wording.THERE_WAS_A_BETTER_MOVE not in page(client_of())


def test_answer_of_a_stranger_counts_after_log_in(puzzle: Puzzle, alice: User) -> None:
    client, wrong = client_of(), legal_answers(puzzle)[1]
    send(client, puzzle, wrong)
    client.force_login(alice)
    send(client, puzzle, puzzle.best)
    assert not PuzzleAnswer.objects.exists()
    html = page(client, url(puzzle))
    assert wording.THERE_WAS_A_BETTER_MOVE in html and "Your answer does not count towards a streak." in html


def test_browser_keeps_the_latest_answers_only() -> None:
    from games.web.puzzles.session_answers import _MAX_ANSWERS_KEPT

    client, source = client_of(), house_source()
    puzzle = make_puzzle(source)
    session = client.session
    session["puzzles"] = {str(number): "place 1A" for number in range(-100, 0)}
    session.save()
    send(client, puzzle, puzzle.best)
    kept = client.session["puzzles"]
    assert len(kept) == _MAX_ANSWERS_KEPT and str(puzzle.pk) in kept


def test_text_for_sharing_holds_no_solution(puzzle: Puzzle, alice: User) -> None:
    client = client_of(alice)
    send(client, puzzle, puzzle.best)
    [share] = re.findall(r'id="puzzle-share"\s+value="([^"]*)"', page(client, url(puzzle)))
    assert url(puzzle) in share and puzzle.best.removeprefix("place ") not in share.replace(url(puzzle), "")


# -- Games that are not public any more ----------------------------------------------------------------


def test_puzzle_disappears_and_returns_with_its_game(puzzle: Puzzle, public: Game) -> None:
    client = client_of()
    for change in ({"deleted": LONG_AGO}, {"visibility": "unlisted"}, {"visibility": "invited"}):
        Game.all_games.filter(pk=public.pk).update(**change)
        assert client.get(url(puzzle)).status_code == 404
        assert send(client, puzzle, puzzle.best).status_code == 404
        # An open page loads again, and then says so.
        assert send(client, puzzle, puzzle.best, **{"HX-Request": "true"}).headers["HX-Redirect"] == url(
            puzzle
        )
        Game.all_games.filter(pk=public.pk).update(deleted=None, visibility="public")
        assert client.get(url(puzzle)).status_code == 200


def test_running_game_is_in_no_puzzle_whatever_is_stored(
    start: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = play_on(start(alice, bob, terms={"visibility": "public"}), 40)
    source = game_source(running)
    puzzle = Puzzle.objects.create(
        source=source,
        number=20,
        seat=0,
        seats=2,
        kind="place",
        best="x",
        estimates=[],
        day=puzzle_calendar.today(),
    )
    assert client_of().get(url(puzzle)).status_code == 404
    assert "There is no puzzle" in page(client_of())
    assert "Puzzle of the day" not in page(client_of(), "/")
    # The twin: without the check of visibility, the log itself refuses.
    monkeypatch.setattr("games.puzzles.puzzle_view.visible_puzzles", Puzzle.objects.all)
    with pytest.raises(ValueError, match="running"):
        client_of().get(url(puzzle))


def test_withheld_game_is_in_no_puzzle(settings: Any) -> None:
    puzzle = make_puzzle(house_source(3, "acquisition", 2), wanted=lambda one: len(one.seen.legal) > 3)
    assert puzzle in shown_puzzles.visible_puzzles()
    settings.ACQUISITION_PERMISSION = ""
    assert client_of().get(url(puzzle)).status_code == 404


# -- Links and personal data ---------------------------------------------------------------------------


def test_lobby_links_to_the_puzzle(puzzle: Puzzle, alice: User) -> None:
    client = client_of(alice)
    assert wording.SOLVE_PUZZLE in page(client, "/")
    send(client, puzzle, puzzle.best)
    assert "See the solution" in page(client, "/")
    Puzzle.objects.all().delete()
    assert "Puzzle of the day" not in page(client, "/")


def test_page_takes_the_same_few_queries_for_any_amount_of_data(puzzle: Puzzle, alice: User) -> None:
    def queries() -> list[int]:
        taken = []
        for client in (client_of(), client_of(alice)):
            client.get("/puzzle/")  # a visit is recorded once a day
            for address in ("/puzzle/", url(puzzle)):
                with CaptureQueriesContext(connection) as asked:
                    page(client, address)
                taken.append(len(asked))
        return taken

    send(client_of(alice), puzzle, puzzle.best)
    few = queries()
    for number in range(12):
        user = User.objects.create_user(f"member-{number}")
        PuzzleAnswer.objects.create(puzzle=puzzle, user=user, move=puzzle.best, right=True)
        make_puzzle(day=puzzle_calendar.today() - (number + 2) * DAY)
    assert queries()[2:] == few[2:]
    # For strangers, only the link to the puzzle before is new.
    assert queries()[:2] == few[:2]
    assert max(few) <= 16, few


def test_answers_are_in_the_personal_data_and_deleted_with_the_account(puzzle: Puzzle, alice: User) -> None:
    from games.privacy.personal_data import my_data

    send(client_of(alice), puzzle, puzzle.best)
    assert puzzle.best in dict(my_data(alice))["puzzles.json"].decode()
    forget_user(alice)
    assert not PuzzleAnswer.objects.exists()
