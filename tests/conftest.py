"""Marks and fixtures of all tests, among them the services that a test may ask for by name."""

import contextlib
import datetime
import functools
import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
import time_machine
from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY, record_authentication
from django.apps import AppConfig
from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.core.cache import caches
from django.db import connection
from django.db.models.signals import post_migrate
from django.dispatch import receiver
from django.http import HttpRequest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from acquire_site import embedded_redis
from games.clocks import machine_clock
from games.engine.compiled_modules import is_compiled
from games.lobby.game_start import create_game, start_game
from games.lobby.game_terms import GameTerms
from games.models import Game
from games.play.deadlines import clock_watch
from tests.support import proof
from tests.support.bot_games import Searching, level
from tests.support.games import NewGame
from tests.support.hidden_state import Viewer
from tests.support.played_site import FREE_NAMES, PlayedSite, missing, play
from tests.support.suites import WORDS, is_in_suite, may_have_tests, own_suite, skipping_suite
from tests.tools import available_services, fixed_seeds

if TYPE_CHECKING:
    from playwright.sync_api import Browser


PERMISSION = "The tests, since they were written"


# -- Which tests run -------------------------------------------------------------------------------

# Only long suites run failures again at once: the plugin costs each test a twentieth of a second, and so the
# thousands of short ones minutes. Of these `run_tests` runs what failed once more.
RERUNS = {"e2e": 2, "safety": 1, "proof": 1}

LINES_OF_A_FAILURE = 30  # of one that led to another run

# The suite to which a test belongs although it skips the module.
SKIPPED_BY = pytest.StashKey[str]()

TAKEN_BETWEEN = pytest.StashKey[tuple[datetime.datetime, datetime.datetime]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--suite", choices=("test", "sqlite", "e2e", "safety", "proof"), help="only this suite")
    parser.addoption("--alone", choices=("no", "only"), help="without what runs alone, or only that")
    parser.addoption("--only-named-in", type=Path, help="only the tests of this list, a JSON file")
    parser.addoption("--write-access", action="store_true", help="write tests/safety/access.txt anew")
    parser.addoption("--deal", default="", help="any word: games of the tests are dealt otherwise")


def pytest_configure(config: pytest.Config) -> None:
    hypothesis.settings.load_profile(proof.LONG if config.getoption("--suite") == "proof" else proof.SHORT)
    change_settings()


def change_settings() -> None:
    """Change the site's settings to those of tests."""
    settings.BOT_DELAY_FACTOR = settings.ANSWER_DELAY_SECONDS = 0
    # A process keeps what it read of the switches until it is told of a change, however slow the machine.
    settings.SWITCH_CACHE_SECONDS = 3600
    # A server that a test starts in its own process must not write in the background.
    settings.SIGN_OF_LIFE_SECONDS = 0
    # Tests play faster than people; tests of the limit set their own.
    settings.MOVES_PER_MINUTE = settings.API_PER_MINUTE = 100_000
    # All systems may be played; tests of withheld systems take the permission away.
    settings.ACQUISITION_PERMISSION = PERMISSION
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip modules without tests of the suite: importing all of them takes longer than some suites run."""
    if not collection_path.match("test_*.py"):
        return None
    named = config.getoption("--only-named-in")
    if named and collection_path.name not in modules_of(named):
        return True
    return None if may_have_tests(collection_path, config.getoption("--suite")) else True


@functools.cache
def modules_of(file: Path) -> set[str]:
    """Return the file names of the modules of the tests in a list."""
    return {Path(name.partition("::")[0]).name for name in json.loads(file.read_text())}


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Leave out what does not belong to the suite; let failed tests of long suites run again at once.

    Tests that wait for programs, threads and browsers may fail on a busy machine. The summary names every
    test that needed another run.
    """
    suite, alone = config.getoption("--suite"), config.getoption("--alone")
    for item in items:
        if suite == "test" and (skipping := skipping_suite(item)):
            item.stash[SKIPPED_BY] = skipping
        if suite in RERUNS:
            item.add_marker(pytest.mark.flaky(reruns=RERUNS[suite]))
        if is_compiled() and item.get_closest_marker("plain"):
            item.add_marker(pytest.mark.skip(reason="rules and bots are compiled"))
    chosen = [item for item in items if is_in_suite(item, suite) and runs_beside(item, alone)]
    chosen += [item for item in items if SKIPPED_BY in item.stash]
    if file := config.getoption("--only-named-in"):
        named = set(json.loads(file.read_text()))
        chosen = [item for item in chosen if item.nodeid in named]
    config.hook.pytest_deselected(items=list(set(items) - set(chosen)))
    items[:] = chosen
    yield
    # After pytest-django, which sorts by the use of the database. The database and async tests do not work
    # once a browser is open. A long module that starts last would keep one process busy while the others have
    # nothing left to do.
    long = {item.path for item in items if item.get_closest_marker("long")}
    items.sort(key=lambda item: (own_suite(item) == "e2e", item.path not in long))


def pytest_runtest_setup(item: pytest.Item) -> None:
    if skipping := item.stash.get(SKIPPED_BY, ""):
        words = ", ".join(sorted(WORDS[skipping]))
        pytest.fail(f"{skipping} skips this module, because it contains none of: {words}", pytrace=False)


def runs_beside(item: pytest.Item, alone: str | None) -> bool:
    """Return whether a test is wanted by `--alone`."""
    return alone is None or bool(item.get_closest_marker("alone")) == (alone == "only")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if notes := os.environ.get("ACQUIRE_TEST_NOTES"):
        terminalreporter.section("services")
        terminalreporter.write_line(notes)
    if again := terminalreporter.getreports("rerun"):
        terminalreporter.section("failures that led to another run")
    for report in again:
        terminalreporter.write_sep("_", report.nodeid)
        terminalreporter.write_line("\n".join(report.longreprtext.splitlines()[-LINES_OF_A_FAILURE:]))
    if results := os.environ.get("ACQUIRE_TEST_RESULTS"):
        kinds = ("failed", "error", "passed", "rerun", "skipped", "xfailed")
        reports = {kind: terminalreporter.getreports(kind) for kind in kinds}
        failed = {report.nodeid: None for report in reports["failed"] + reports["error"]}
        counts = {kind: len(found) for kind, found in reports.items()}
        Path(results).write_text(json.dumps({"counts": counts, "failed": list(failed)}))


# -- Deals -----------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def same_deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the same games in each run of a test; `--deal WORD` deals others.

    A test that holds with some deals only would otherwise fail once in a while, on somebody else.
    """
    from games.lobby import game_start

    draw_seed = fixed_seeds.drawn(request.config.getoption("--deal"), request.node.nodeid)
    monkeypatch.setattr(game_start, "new_seed", draw_seed)


# -- Switches --------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _fresh_switches() -> Iterator[None]:
    """Make each test read the site switches afresh."""
    from accounts.operator import site_switches

    settings.SWITCH_CACHE_SECONDS = 3600
    site_switches.clear_cache()
    yield
    site_switches.clear_cache()


# -- Clocks ----------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def all_clocks_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time that a test lets pass has passed on every clock: none has jumped, and the database's agrees."""
    monkeypatch.setattr(machine_clock, "steady", time.time)
    monkeypatch.setattr(machine_clock, "boot", lambda: "")
    monkeypatch.setattr(machine_clock, "database_offset", lambda: None)
    monkeypatch.setattr(clock_watch, "_watch", clock_watch.ClockWatch())


# -- Staff -----------------------------------------------------------------------------------------


@receiver(user_logged_in)
def record_password(request: HttpRequest, user: Any, **_: Any) -> None:
    """Count a login without a password as one with it: the admin asks staff for a fresh password."""
    if AUTHENTICATION_METHODS_SESSION_KEY not in request.session:
        record_authentication(request, user, method="password")


# -- The database ----------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Put SQLite's database into a file, which threads can share, in a folder that no other process locks."""
    if connection.vendor == "sqlite":
        path = tmp_path_factory.mktemp("database") / "acquire.sqlite3"
        connection.settings_dict["TEST"]["NAME"] = str(path)


@receiver(post_migrate, dispatch_uid="tests.empty_cache")
def empty_cache(sender: AppConfig, **_: Any) -> None:
    """Empty the cache with the tables: the flush after a test with real transactions spares it."""
    if sender.label == "games" and "site_cache" in connection.introspection.table_names():
        caches["record"].clear()


# -- Services --------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """A Redis of our own: the installed server, or fakeredis over TCP if there is none."""
    port = embedded_redis.free_port()
    with contextlib.ExitStack() as stack:
        if executable := embedded_redis.redis_program():
            command = embedded_redis.redis_server(executable, port).command
            server = stack.enter_context(subprocess.Popen(command))
            stack.callback(server.terminate)
        elif "redis" in available_services.required():
            missing("redis")
        else:
            embedded_redis.serve_in_python(port)
        embedded_redis.wait_until_it_answers(port)
        yield f"redis://127.0.0.1:{port}/0"


@pytest.fixture
def channel_layer(settings: Any, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A channel layer on a Redis, as in production."""
    layer = {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [redis_url]}}
    settings.CHANNEL_LAYERS = {**settings.CHANNEL_LAYERS, "default": layer}
    monkeypatch.setattr("games.realtime.best_effort._silent_until", 0.0)


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """A Chromium, shared by all tests of a process.

    While it is open this thread counts as running an event loop: async tests and the database do not
    work beside it. So tests with a browser use a site in processes of its own (`played_site`), and come last.
    """
    from playwright.sync_api import sync_playwright

    executable = available_services.find("browser").path
    if not executable:
        missing("browser")
    flags = (
        "--no-sandbox --disable-gpu --disable-dev-shm-usage --disable-quic --no-first-run "
        "--disable-background-networking --disable-component-update --disable-sync"
    )
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=flags.split())
        yield chromium
        chromium.close()


@pytest.fixture(scope="module", autouse=True)
def names_of_this_module(request: pytest.FixtureRequest) -> Iterator[None]:
    """Free the names a module took, if its last test runs again after the module was torn down."""
    with names_to_be_free_in_the_next_run(request):
        yield


@pytest.fixture(autouse=True)
def names_of_this_test(request: pytest.FixtureRequest) -> Iterator[None]:
    """Free the names a test took on the shared site in its first run, but not those of its module."""
    with names_to_be_free_in_the_next_run(request):
        yield


@contextlib.contextmanager
def names_to_be_free_in_the_next_run(request: pytest.FixtureRequest) -> Iterator[None]:
    """Note from when to when names are taken on the shared site, and free those of the run before."""
    if "played_site" not in request.fixturenames:
        yield
        return
    stash = request.node.stash
    if TAKEN_BETWEEN in stash:
        since, until = stash[TAKEN_BETWEEN]
        site = request.getfixturevalue("played_site")
        site.shell(FREE_NAMES.format(since=since, until=until))
    since = datetime.datetime.now(datetime.UTC)
    yield
    stash[TAKEN_BETWEEN] = since, datetime.datetime.now(datetime.UTC)


@pytest.fixture(scope="session")
def played_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedSite]:
    """A whole running site, shared by all tests of a process: web server, worker, sweeper and Redis.

    Its tests use names of people that no other module uses. A module that changes what others rely on
    overrides this fixture with a site of its own.
    """
    with play(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture(scope="module")
def log_start(played_site: PlayedSite) -> int:
    """Length of the shared site's log when the first test of a module asked for it."""
    return len(played_site.log)


@pytest.fixture
def alice(db: None) -> User:
    return User.objects.create_user("alice")


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("bob")


@pytest.fixture
def carol(db: None) -> User:
    return User.objects.create_user("carol")


@pytest.fixture
def guest(db: None) -> User:
    return User.objects.create_user("Guest-1", is_guest=True)


@pytest.fixture
def create() -> NewGame:
    """Return a function that opens a game; its keywords are `GameTerms`."""

    def create(host: User, **terms: Any) -> Game:
        usual = {"system": "acquire", "preset": "avalon-hill", "least": 2, "most": 4, "skips": False}
        return create_game(host=host, terms=GameTerms(**{**usual, **terms}))

    return create


@pytest.fixture
def start() -> NewGame:
    """Return a function that starts a game of Acquire for these people and bot levels.

    Keywords are options of the rules, `terms` is everything else. Every decision is asked, so that the
    entries of the log are the moves that a test makes, unless `terms` say otherwise.
    """

    def start(
        *players: User | str,
        preset: str = "avalon-hill",
        terms: dict[str, Any] | None = None,
        **options: object,
    ) -> Game:
        host = next(player for player in players if isinstance(player, User))
        asked = {"skips": False, **(terms or {})}
        return start_game(
            system="acquire", preset=preset, host=host, players=players, options=options, **asked
        )

    return start


@pytest.fixture
def clock() -> Iterator[Any]:
    with time_machine.travel(timezone.now(), tick=False) as traveller:
        yield traveller


@pytest.fixture
def searching(monkeypatch: pytest.MonkeyPatch) -> Searching:
    """Make the bot at the table search."""
    bot = Searching()
    level(monkeypatch, bot)
    return bot


@pytest.fixture
def viewers(alice: User, bob: User) -> Callable[[Game], list[Viewer]]:
    """Both players, a member who watches, a stranger, and a moderator."""

    def viewers(game: Game) -> list[Viewer]:
        carol = User.objects.create_user("carol")
        staff = User.objects.create_superuser("staff")
        found = [Viewer("a stranger", Client(), None)]
        for user in (alice, bob, carol, staff):
            client = Client()
            client.force_login(user)
            seat = game.seats.filter(user=user).values_list("number", flat=True).first()
            found.append(Viewer(user.username, client, seat))
        return found

    return viewers
