"""Bots that think long, never stop, or die of it do not hold up the rest of the site."""

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

# The administrator and a bot of that level, which is to move first.
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

# From now on the bot workers send mail.
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
    """A running site with slow bots; its sweeper is suspended, so that only the workers act."""

    url: str
    data_dir: Path
    played: Any
    env: dict[str, str]

    def shell(self, code):
        """Run this code in the site and return the words that it printed."""
        command = [sys.executable, str(ROOT / "manage.py"), "shell", "--no-imports", "-c", code]
        done = subprocess.run(command, env=self.env, check=True, capture_output=True, text=True)
        return done.stdout.split()

    def begun(self, level):
        """Processes in which such bots began to think, in order."""
        return [int(pid) for pid in re.findall(rf"{level} begins in process (\d+)", self.played.log)]

    def version(self, game):
        return rows(self, "SELECT version FROM games_game WHERE public_id = ?", game)[0][0]

    def log(self, game):
        """Numbers and authors of the game's moves."""
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
        """Keep all bot workers thinking, with more games waiting; all of them move in the end."""
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
        """Return whether a person is to move."""
        return rows(self, "SELECT waiting_for_id FROM games_game WHERE public_id = ?", game)[0][0] is not None


def thinkers(played):
    """Processes in which bots think."""
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
    """A site with short time limits."""
    redis = redis_url.removesuffix("0") + "1"
    with slow_site(tmp_path_factory.mktemp("site"), redis, BOT_TIME_LIMIT="2") as site:
        yield site


@pytest.fixture(scope="module")
def broken_site(tmp_path_factory, redis_url):
    """A site without time limits that forgets the work of a dead process."""
    redis = redis_url.removesuffix("0") + "2"
    with slow_site(tmp_path_factory.mktemp("site"), redis, BROKEN="1") as site:
        yield site


def comes(condition, seconds=3.0):
    """Return whether the condition comes true within the seconds."""
    try:
        return bool(wait_for(condition, seconds))
    except AssertionError:
        return False


# -- Workers of bots ---------------------------------------------------------------------------------


def test_mail_is_sent_while_all_bots_think(broken_site):
    with broken_site.all_thinking():
        broken_site.shell(INVITE.format(address="ann@mail.example"))
        wait_for(lambda: "ann@mail.example" in broken_site.letters, 60)


def test_mail_in_the_bot_queue_is_detected(broken_site):
    """The twin: mail waits behind bots."""
    with broken_site.all_thinking():
        broken_site.shell(WRONG_QUEUE + INVITE.format(address="bob@mail.example"))
        assert not comes(lambda: "bob@mail.example" in broken_site.letters)
    wait_for(lambda: "bob@mail.example" in broken_site.letters)


def test_bot_workers_run_with_low_priority(broken_site):
    web, mail = one(broken_site.played, "uvicorn"), one(broken_site.played, "--queues celery")
    polite = {os.getpriority(os.PRIO_PROCESS, pid) for pid in thinkers(broken_site.played)}
    assert min(polite) > os.getpriority(os.PRIO_PROCESS, web) == os.getpriority(os.PRIO_PROCESS, mail)


# -- Endless searches --------------------------------------------------------------------------------


def test_stand_in_decides_when_a_search_does_not_end(site):
    """A search that ignores the interruption is ended with its process."""
    [deaf] = site.shell(START.format(level="deaf", games=1))
    [stubborn] = site.shell(START.format(level="stubborn", games=1))
    for game in (deaf, stubborn):
        wait_for(lambda game=game: site.version(game) >= 1, 60)
        assert site.log(game)[0] == (1, "computer")
    assert f"The computer opponent deaf failed in game {deaf} at version 0" in site.played.log
    # By chance, either the worker or the sweeper finds the move first.
    assert "stubborn goes on" in site.played.log


def test_game_stuck_without_time_limits_is_detected(broken_site):
    [game] = broken_site.shell(START.format(level="deaf", games=1))
    wait_for(lambda: broken_site.begun("deaf"))
    assert not comes(lambda: broken_site.version(game) >= 1)
    (broken_site.data_dir / "go").touch()
    wait_for(lambda: broken_site.is_asked(game))
    (broken_site.data_dir / "go").unlink()


# -- Lost processes ----------------------------------------------------------------------------------


def killed_while_it_thinks(site):
    """A game whose bot's process was killed while thinking about the first move."""
    before = len(site.begun("waiting"))
    [game] = site.shell(START.format(level="waiting", games=1))
    wait_for(lambda: len(site.begun("waiting")) == before + 1)
    os.kill(site.begun("waiting")[-1], signal.SIGKILL)
    return game


def test_stand_in_makes_a_move_that_killed_its_process(site):
    before = len(site.begun("waiting"))
    game = killed_while_it_thinks(site)
    wait_for(lambda: site.version(game) >= 1)
    # The move is made once, without a second search; the next one is searched as usual.
    wait_for(lambda: site.is_asked(game) or len(site.begun("waiting")) == before + 2)
    assert site.log(game)[0] == (1, "computer")
    assert f"failed in game {game} at version 0" not in site.played.log


def test_lost_move_without_protection_is_left_to_the_sweeper(broken_site):
    game = killed_while_it_thinks(broken_site)
    assert not comes(lambda: broken_site.version(game) >= 1)


# -- Pages -------------------------------------------------------------------------------------------


def test_page_says_when_a_bot_is_still_thinking(browser, broken_site):
    with broken_site.all_thinking(), watched(browser, broken_site) as witness:
        [(game,)] = rows(broken_site, "SELECT public_id FROM games_game ORDER BY id DESC LIMIT 1")
        thinking = witness.page.get_by_text("A computer player is thinking…", exact=True)
        still = witness.page.get_by_text("A computer player is still thinking…", exact=True)
        for _ in range(2):  # also when it is loaded again
            witness.page.goto(f"/games/{game}/")
            thinking.or_(still).first.wait_for()
            still.wait_for()
            assert not thinking.is_visible()
        assert witness.complaints == []


def test_headline_of_a_phone_has_its_lines_to_itself(browser, broken_site):
    with broken_site.all_thinking(), watched(browser, broken_site) as witness:
        [(game,)] = rows(broken_site, "SELECT public_id FROM games_game ORDER BY id DESC LIMIT 1")
        witness.page.set_viewport_size({"width": 360, "height": 740})
        witness.page.goto(f"/games/{game}/")
        note = witness.page.locator(".thinking-note")
        assert "A computer player is" in note.inner_text(), "it is read out"
        assert note.bounding_box()["height"] <= 1
        headline = witness.page.locator("#headline")
        assert headline.evaluate("one => one.scrollHeight <= one.clientHeight + 1")


# -- Many games at once ------------------------------------------------------------------------------


def test_twenty_games_go_on_at_once(site):
    games = site.shell(START_GAMES_OF_COMPUTERS.format(level="medium", games=20))
    wait_for(lambda: all(site.version(game) >= 8 for game in games), 60)
    for game in games:
        entries = site.log(game)
        assert entries == [(number, "computer") for number in range(1, len(entries) + 1)]
