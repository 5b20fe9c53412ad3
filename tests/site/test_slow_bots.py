"""Computers that think for long, or never stop, or die of it: the rest of the site goes on without them."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.browser.page_recorder import watched
from tests.site.site_record import rows
from tests.support.played_site import ROOT, play
from tests.support.site_processes import family, one, wait_for
from tests.tools import available_services

pytestmark = pytest.mark.site

# The administrator and a computer of that level, which is to move first.
START = """
from accounts.models import User
from games.lobby.game_start import start_game
from games.models import Game, Seat
host = User.objects.get(username="admin")
started = 0
while started < {games}:
    Seat.objects.filter(user=host).update(ended="2000-01-01T00:00Z")  # else these are too many at once
    game = start_game(system="acquire", preset="classic", host=host, players=[host, "{level}"])
    if game.waiting_for_id is None:
        started += 1
        print(game.public_id)
    else:
        Game.objects.filter(pk=game.pk).delete()
"""

START_GAMES_OF_COMPUTERS = """
from accounts.models import User
from games.lobby.game_start import start_game
host = User.objects.get(username="admin")
for _ in range({games}):
    print(start_game(system="acquire", preset="classic", host=host, players=["{level}"] * 2).public_id)
"""

# From now on mail is sent by the computers' workers.
WRONG_QUEUE = """
from celery import current_app
current_app.conf.task_routes = {"games.tasks.deliver": {"queue": "bots"}}
"""

INVITE = """
from accounts.models import User
from games.lobby.game_start import create_game
from games.lobby.game_terms import GameTerms
from games.lobby.invite import invite_address
host = User.objects.get(username="admin")
game = create_game(host=host, terms=GameTerms(system="acquire", preset="classic", least=2, most=2))
invite_address(game_id=game.pk, address="{address}", by=host)
"""


@dataclass(frozen=True)
class SlowSite:
    """A running site with slow computers. Its sweeper stands still, so that only the workers act."""

    url: str
    data_dir: Path
    played: Any
    env: dict[str, str]

    def shell(self, code):
        """Run this code in the site; returns the words that it printed."""
        command = [sys.executable, str(ROOT / "manage.py"), "shell", "--no-imports", "-c", code]
        done = subprocess.run(command, env=self.env, check=True, capture_output=True, text=True)
        return done.stdout.split()

    def begun(self, level):
        """In which processes such computers began to think, one after the other."""
        return [int(pid) for pid in re.findall(rf"{level} begins in process (\d+)", self.played.log)]

    def version(self, game):
        return rows(self, "SELECT version FROM games_game WHERE public_id = ?", game)[0][0]

    def log(self, game):
        """The numbers and authors of the game's moves."""
        query = """
            SELECT number, author FROM games_logentry JOIN games_game ON games_game.id = game_id
            WHERE public_id = ? ORDER BY number
        """
        return rows(self, query, game)

    @property
    def letters(self):
        folder = self.data_dir / "mail"
        return "".join(letter.read_text() for letter in folder.glob("*.log")) if folder.exists() else ""

    @contextlib.contextmanager
    def all_thinking(self):
        """All workers of the computers think, and more games wait for them; in the end all move."""
        before, count = len(self.begun("waiting")), len(thinkers(self.played))
        games = self.shell(START.format(level="waiting", games=count + 1))
        wait_for(lambda: len(self.begun("waiting")) == before + count)
        yield
        assert [self.version(game) for game in games] == [0] * len(games)
        go = self.data_dir / "go"
        go.touch()
        wait_for(lambda: all(self.is_asked(game) for game in games))
        go.unlink()

    def is_asked(self, game):
        """Whether it is for the person to move."""
        return rows(self, "SELECT waiting_for_id FROM games_game WHERE public_id = ?", game)[0][0] is not None


def thinkers(played):
    """The processes in which computers think."""
    _, *thinking = [pid for pid, command in family(played.process).items() if "--queues bots" in command]
    return thinking


@contextlib.contextmanager
def slow_site(folder, redis, **env):
    env = {
        "DJANGO_SETTINGS_MODULE": "tests.site.slow_bot_settings",
        "REDIS_URL": redis,
        "BOT_DELAY_FACTOR": "0",
        **env,
    }
    with play(folder, **env) as played:
        wait_for(lambda: len(thinkers(played)) >= 2)
        sweeper = one(played, "sweep --loop")
        os.kill(sweeper, signal.SIGSTOP)
        yield SlowSite(
            played.url, folder, played, {**available_services.environment(), **env, "DATA_DIR": str(folder)}
        )
        (folder / "go").touch()
        os.kill(sweeper, signal.SIGCONT)


@pytest.fixture(scope="module")
def site(tmp_path_factory, redis_url):
    """Time limits are short here."""
    redis = redis_url.removesuffix("0") + "1"
    with slow_site(tmp_path_factory.mktemp("site"), redis, BOT_TIME_LIMIT="2") as site:
        yield site


@pytest.fixture(scope="module")
def broken_site(tmp_path_factory, redis_url):
    """There are no time limits here, and what a dead process had to do is forgotten."""
    redis = redis_url.removesuffix("0") + "2"
    with slow_site(tmp_path_factory.mktemp("site"), redis, BROKEN="1") as site:
        yield site


def comes(condition, seconds=3.0):
    """Whether it happens while one waits for it."""
    try:
        return bool(wait_for(condition, seconds))
    except AssertionError:
        return False


# -- Computers' moves have workers of their own ------------------------------------------------------


def test_mail_goes_out_while_all_computers_think(broken_site):
    with broken_site.all_thinking():
        broken_site.shell(INVITE.format(address="ann@mail.example"))
        wait_for(lambda: "ann@mail.example" in broken_site.letters, 60)


def test_mail_in_the_queue_of_the_computers_would_wait(broken_site):
    """The twin of the test above: that one would notice if mail came behind the computers."""
    with broken_site.all_thinking():
        broken_site.shell(WRONG_QUEUE + INVITE.format(address="bob@mail.example"))
        assert not comes(lambda: "bob@mail.example" in broken_site.letters)
    wait_for(lambda: "bob@mail.example" in broken_site.letters)


def test_whoever_thinks_is_nice_to_the_rest(broken_site):
    web, mail = one(broken_site.played, "uvicorn"), one(broken_site.played, "--queues celery")
    polite = {os.getpriority(os.PRIO_PROCESS, pid) for pid in thinkers(broken_site.played)}
    assert min(polite) > os.getpriority(os.PRIO_PROCESS, web) == os.getpriority(os.PRIO_PROCESS, mail)


# -- A search that does not end ----------------------------------------------------------------------


def test_the_stand_in_decides_when_a_search_does_not_end(site):
    """It is broken off if it lets itself be, else ended with its process."""
    [deaf] = site.shell(START.format(level="deaf", games=1))
    [stubborn] = site.shell(START.format(level="stubborn", games=1))
    for game in (deaf, stubborn):
        wait_for(lambda game=game: site.version(game) >= 1, 60)
        assert site.log(game)[0] == (1, "computer")
    assert f"The computer opponent deaf failed in game {deaf} at version 0" in site.played.log
    # Whether the move comes back from the worker or the sweeper finds it first is a matter of chance.
    assert "stubborn goes on" in site.played.log


def test_without_time_limits_such_a_game_would_be_stuck(broken_site):
    [game] = broken_site.shell(START.format(level="deaf", games=1))
    wait_for(lambda: broken_site.begun("deaf"))
    assert not comes(lambda: broken_site.version(game) >= 1)
    (broken_site.data_dir / "go").touch()
    wait_for(lambda: broken_site.is_asked(game))
    (broken_site.data_dir / "go").unlink()


# -- A process that dies while a computer thinks -----------------------------------------------------


def killed_while_it_thinks(site):
    """A game whose computer's process was killed while it thought about the first move."""
    before = len(site.begun("waiting"))
    [game] = site.shell(START.format(level="waiting", games=1))
    wait_for(lambda: len(site.begun("waiting")) == before + 1)
    os.kill(site.begun("waiting")[-1], signal.SIGKILL)
    return game


def test_the_stand_in_makes_the_move_that_has_cost_a_process(site):
    before = len(site.begun("waiting"))
    game = killed_while_it_thinks(site)
    wait_for(lambda: site.version(game) >= 1)
    # There is one of that move, and it was not thought about a second time; the next one is, as usual.
    wait_for(lambda: site.is_asked(game) or len(site.begun("waiting")) == before + 2)
    assert site.log(game)[0] == (1, "computer")
    assert f"failed in game {game} at version 0" not in site.played.log


def test_else_it_would_be_left_to_the_sweeper(broken_site):
    game = killed_while_it_thinks(broken_site)
    assert not comes(lambda: broken_site.version(game) >= 1)


# -- What people see ---------------------------------------------------------------------------------


def test_the_page_says_when_a_computer_is_still_thinking(browser, broken_site):
    with broken_site.all_thinking(), watched(browser, broken_site) as witness:
        [(game,)] = rows(broken_site, "SELECT public_id FROM games_game ORDER BY id DESC LIMIT 1")
        thinking = witness.page.get_by_text("The computer is thinking …", exact=True)
        still = witness.page.get_by_text("The computer is still thinking …", exact=True)
        for _ in range(2):  # when it is loaded again, too
            witness.page.goto(f"/games/{game}/")
            thinking.or_(still).first.wait_for()
            still.wait_for()
            assert not thinking.is_visible()
        assert witness.complaints == []


# -- Many games at once ------------------------------------------------------------------------------


def test_twenty_games_go_on_at_once(site):
    games = site.shell(START_GAMES_OF_COMPUTERS.format(level="medium", games=20))
    wait_for(lambda: all(site.version(game) >= 8 for game in games), 60)
    for game in games:
        entries = site.log(game)
        assert entries == [(number, "computer") for number in range(1, len(entries) + 1)]
