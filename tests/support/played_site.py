"""A whole site in processes of its own, started by `manage.py play`."""

import contextlib
import functools
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings

from tests.support.site_console import Console
from tests.tools import available_services

ROOT = Path(settings.BASE_DIR)

# File name of a site's database.
DATABASE = "acquire.sqlite3"


def missing(name: str) -> None:
    """End the test that needs a missing service: skip it with the reason, or fail if it is required."""
    end = pytest.fail if name in available_services.required() else pytest.skip
    end(f"needs {name}: {available_services.find(name).reason}")


def require(*names: str) -> None:
    """End the test if one of these services is missing."""
    for name in names:
        if not available_services.find(name).path:
            missing(name)


@dataclass(frozen=True)
class PlayedSite:
    """A site started by `manage.py play`, in processes of its own."""

    url: str
    admin_password: str  # empty when the database was there already
    data_dir: Path
    process: "subprocess.Popen[bytes]"
    console: Console

    @property
    def log(self) -> str:
        """Everything that its processes have printed."""
        return (self.data_dir / "play.log").read_text()

    def manage(self, *arguments: str) -> str:
        """Run a management command on this site's database and return its output."""
        env = {**available_services.environment(), "DATA_DIR": str(self.data_dir)}
        command = [sys.executable, str(ROOT / "manage.py"), *arguments]
        return subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout

    def shell(self, code: str) -> str:
        """Run code with this site's settings and database and return what it printed."""
        return self.console.run(code)


# All members who joined between these moments give up their names and addresses.
FREE_NAMES = """
from allauth.account.models import EmailAddress
from accounts.models import User
for user in User.objects.filter(is_superuser=False, date_joined__range=("{since}", "{until}")):
    was = "was-%d" % user.pk
    address = was + "@example.org"
    EmailAddress.objects.filter(user=user).update(email=address)
    User.objects.filter(pk=user.pk).update(username=was, skeleton=was, email=user.email and address)
"""


@functools.cache
def empty_database() -> bytes:
    """The file of a database without rows; creating its tables takes longer than the rest of a start."""
    with tempfile.TemporaryDirectory(prefix="acquire-") as folder:
        command = [sys.executable, str(ROOT / "manage.py"), "migrate", "--verbosity=0"]
        subprocess.run(command, env={**available_services.environment(), "DATA_DIR": folder}, check=True)
        return (Path(folder) / DATABASE).read_bytes()


@contextlib.contextmanager
def play(data_dir: Path, *, with_tables: bool = True, **env: str) -> Iterator[PlayedSite]:
    """`manage.py play` on a free port with its data in this folder; ended with Ctrl-C.

    A folder without a database gets one, which has its tables unless the site is to make them. With these
    variables besides, as those for games that a new site does not offer.
    """
    if with_tables and not (data_dir / DATABASE).exists():
        (data_dir / DATABASE).write_bytes(empty_database())
    site_env = {"DATA_DIR": str(data_dir), "GUESTS_PER_HOUR": "1000", "BOT_DELAY_FACTOR": "0"}
    site_env["ANSWER_DELAY_SECONDS"] = "0"
    # No puzzle search and no game review runs beside the test.
    site_env |= {"PUZZLE_DAYS_AHEAD": "0", "GAME_REVIEWS": "0"}
    site_env["DJANGO_SETTINGS_MODULE"] = "tests.site.fixed_deal_settings"
    log = data_dir / "play.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), "play", "--port", "0"],
            env={**available_services.environment(), **site_env, **env},
            stdout=output,
            stderr=output,
        )
    console = Console(ROOT, data_dir)
    try:
        while "is open at" not in log.read_text():
            assert process.poll() is None, f"manage.py play did not start:\n{log.read_text()}"
            time.sleep(0.05)
        said = log.read_text()
        url = re.search(r"http://localhost:\d+", said)
        password = re.search(r"password is (\S+)", said)
        assert url, said
        yield PlayedSite(url[0], password[1] if password else "", data_dir, process, console)
    finally:
        console.close()
        process.send_signal(signal.SIGINT)
        process.wait(60)
