"""The example of docs/example_bot.py plays a whole game at a site with processes of its own.

`tests/web/api/bots/test_example_bot.py` lets it play at a server inside the test.
"""

import subprocess
import sys
import time

import pytest

from tests.site.site_record import rows
from tests.support import wording
from tests.support.played_site import ROOT, play
from tests.tools import available_services

pytestmark = [pytest.mark.site, pytest.mark.proof]

# A member, a bot account of another member, and a game for both and a bot, which its host concedes.
SITE = """
from accounts.api_access.api_tokens import make_token
from accounts.api_access.bot_accounts import register_program
from accounts.models import User
from games.lobby.game_start import create_game
from games.lobby.game_terms import GameTerms
host, owner = (User.objects.create_user(name) for name in ("host", "owner"))
terms = GameTerms(
    system="acquire", preset="classic", least=3, most=3, computers={1: "random"}, programs=True, start="full"
)
game = create_game(host=host, terms=terms)
print(game.public_id, make_token(register_program(owner, "Example-bot").user, "here", by=owner)[1])
"""
GIVEN_UP = """
from accounts.models import User
from games.models import Game
from games.play.seats.concession import concede
concede(game_id=Game.objects.get(public_id="{game}").pk, by=User.objects.get(username="host"))
"""

# Seconds for joining, and for a whole game on a busy machine.
LONGEST = 240


def shell(site, code):
    return site.shell(code)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The site, the id of the game, and the output of the program."""
    with play(tmp_path_factory.mktemp("site"), PROGRAM_ASKS_PER_MINUTE="100000") as site:
        game, token = shell(site, SITE).split()
        program = subprocess.Popen(
            [sys.executable, str(ROOT / "docs" / "example_bot.py"), site.url, token, "1"],
            env=available_services.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            give_up_when_it_runs(site, game)
            said, _nothing = program.communicate(timeout=LONGEST)
        finally:
            program.kill()
        yield site, game, said, program.returncode


def give_up_when_it_runs(site, game):
    """Let the host concede, so that the program plays against bots."""
    until = time.monotonic() + LONGEST
    while rows(site, "SELECT status FROM games_game WHERE public_id = ?", game) != [("running",)]:
        assert time.monotonic() < until
        time.sleep(0.2)
    shell(site, GIVEN_UP.format(game=game))


def test_example_plays_to_the_end_and_stops(played):
    site, game, said, code = played
    # The host may concede while the bot chooses its first move.
    unexpected = [line for line in said.splitlines() if f"{wording.GAME_HAS_MOVED_ON}." not in line]
    assert (code, unexpected) == (0, [])
    assert rows(site, "SELECT status, ending FROM games_game WHERE public_id = ?", game) == [("finished", "")]


def test_moves_are_logged_in_the_name_of_the_bot_account(played):
    site, game, _said, _code = played
    made = rows(
        site,
        "SELECT count(*), sum(author = 'person') FROM games_logentry WHERE game_id ="
        " (SELECT id FROM games_game WHERE public_id = ?)"
        " AND user_id = (SELECT id FROM accounts_user WHERE username = 'Example-bot')",
        game,
    )
    [(number, by_person)] = made
    assert number == by_person and number > 20


def test_example_has_sixty_lines_and_needs_only_python():
    text = (ROOT / "docs" / "example_bot.py").read_text()
    assert len(text.splitlines()) <= 60
    imported = {line.split()[1].partition(".")[0] for line in text.splitlines() if line.startswith("import ")}
    assert imported <= set(sys.stdlib_module_names)
