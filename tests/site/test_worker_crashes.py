"""Bots at their natural pace while parts of the site are killed: nothing is lost."""

import itertools
import os
import signal
import time
from datetime import UTC, datetime
from random import Random

import pytest

from tests.browser.page_player import Player, version, wait_for
from tests.browser.page_recorder import watched
from tests.site.site_record import improper, rows
from tests.support import wording
from tests.support.played_site import play
from tests.support.site_processes import answers, one
from tests.support.site_processes import wait_for as wait_without_a_page

pytestmark = pytest.mark.site

FIRST, NEXT = 0.8, 0.4  # seconds until a bot moves, and until it moves again

START_A_GAME_OF_COMPUTERS = """
from accounts.models import User
from games.lobby.game_start import start_game
host = User.objects.get(username="admin")
print(start_game(system="acquire", preset="classic", host=host, players=["random"] * 6).public_id)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with play(tmp_path_factory.mktemp("site"), BOT_DELAY_FACTOR="1") as site:
        yield site


@pytest.fixture(scope="module")
def game(site):
    """A long game of bots alone: its public id.

    It is started without the site's Redis, so the sweeper has to find it first.
    """
    return site.shell(START_A_GAME_OF_COMPUTERS).split()[-1]


def stored(site, game):
    """The game's version, and the Unix time at which the next move is due."""
    [(number, due)] = rows(site, "SELECT version, bot_due_at FROM games_game WHERE public_id = ?", game)
    return number, datetime.fromisoformat(due).replace(tzinfo=UTC).timestamp()


def log(site, game):
    """Numbers and seats of the log, and Unix times."""
    query = """
        SELECT number, seat, created_at FROM games_logentry JOIN games_game ON games_game.id = game_id
        WHERE public_id = ? ORDER BY number
    """
    return [
        (number, seat, datetime.fromisoformat(made).replace(tzinfo=UTC).timestamp())
        for number, seat, made in rows(site, query, game)
    ]


def check_log(site, game):
    """Check that the log has no gap and no repetition, and that no bot moved early."""
    entries = log(site, game)
    assert [number for number, _, _ in entries] == list(range(1, len(entries) + 1))
    for (_, seat, made), (_, next_seat, next_made) in itertools.pairwise(entries):
        assert next_made - made > pace(seat, next_seat) - 0.01


def pace(seat, next_seat):
    """Seconds from one bot move to the next, fewer if the same seat moves again."""
    return NEXT if next_seat == seat else FIRST


def kill(site, part):
    """Kill a part of the site with all its descendants."""
    os.killpg(one(site, part), signal.SIGKILL)


# -- The pace --------------------------------------------------------------------------------------


def test_bot_moves_are_shown_one_by_one(browser, site, game):
    with watched(browser, site) as witness:
        witness.page.goto(f"/games/{game}/")
        wait_for(witness.page, lambda: len(longest_run(witness.versions)) >= 6, "six moves one by one", 40)
        assert witness.loads == 1
        assert witness.complaints == []
        run = longest_run(witness.versions)
    check_log(site, game)
    # The page may hear of one move sooner than of another, so only the whole run is timed, and roughly.
    seats = {number: seat for number, seat, _ in log(site, game)}
    times = [pace(seats.get(before), seats[number]) for (before, _), (number, _) in itertools.pairwise(run)]
    assert run[-1][1] - run[0][1] > sum(times) / 2


def longest_run(shown):
    """The longest run of versions in what a page showed, each following the one before."""
    runs = [[shown[0]]]
    for number, at in shown[1:]:
        if number == runs[-1][-1][0] + 1:
            runs[-1].append((number, at))
        else:
            runs.append([(number, at)])
    return max(runs, key=len)


# -- The worker ------------------------------------------------------------------------------------


def test_move_of_a_killed_worker_is_made_once(site, game):
    number = kill_worker_in_the_middle_of_a_move(site, game)
    wait_without_a_page(lambda: stored(site, game)[0] >= number, seconds=30)
    assert "The worker-bots process ended by itself (exit code -9); starting it again." in site.log
    # And it goes on as if nothing had happened.
    wait_without_a_page(lambda: stored(site, game)[0] >= number + 3, seconds=30)
    check_log(site, game)


def kill_worker_in_the_middle_of_a_move(site, game):
    """Kill the bot worker just before it makes a move; return the number of that move.

    The worker is frozen first, to see that the move has not been made; else the next one is tried.
    """
    worker = one(site, "--queues bots")
    for _ in range(10):
        number, due = stored(site, game)
        time.sleep(max(0.0, due - 0.1 - time.time()))  # the page has heard of it by then
        os.killpg(worker, signal.SIGSTOP)
        if stored(site, game)[0] == number:
            os.killpg(worker, signal.SIGKILL)
            return number + 1
        os.killpg(worker, signal.SIGCONT)
    raise AssertionError("every move was made before its worker could be killed")


# -- The web server --------------------------------------------------------------------------------


def test_pages_recover_after_the_web_server_was_killed(browser, site, game):
    with watched(browser, site) as mine, watched(browser, site) as strangers:
        player = Player(mine.page, Random(1))
        player.start(opponents="1", level="random")
        strangers.page.goto(f"/games/{game}/")
        player.wait()
        before = version(mine.page)
        player.choose(player.any_answer())
        kill(site, "uvicorn")

        # A move that could not be sent is reported, and can be sent again.
        player.send()
        mine.page.get_by_text(wording.SERVER_OUT_OF_REACH).wait_for()
        wait_without_a_page(lambda: answers(site.url))
        player.send()
        wait_for(mine.page, lambda: version(mine.page) > before, "the answer")
        assert mine.page.locator("#trouble").is_hidden()

        # The other page has its socket again, and follows.
        there = stored(site, game)[0] + 2
        wait_for(strangers.page, lambda: version(strangers.page) >= there, "the computers' moves", 40)
        assert strangers.loads == 1
        assert mine.loads == 2
    check_log(site, game)
    assert "The web server ended by itself (exit code -9); starting it again." in site.log


# -- The log ---------------------------------------------------------------------------------------


def test_log_of_the_site_names_no_other_trouble_no_tile_and_no_seed(site):
    assert improper(site) == []
