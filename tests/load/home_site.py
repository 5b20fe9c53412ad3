"""The site of `make play`: one web process, SQLite, no proxy."""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Self

from acquire_site import embedded_redis
from acquire_site.processes import MANAGE
from acquire_site.supervisor import Program
from tests.safety.site_stack import START_SECONDS, Process
from tests.tools import available_services


class HomeSite:
    """A site in a folder of its own; as a context manager it runs inside."""

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix="acquire-home-")
        self.port = embedded_redis.free_port()
        self._env = {**available_services.environment(), "DATA_DIR": self._folder.name}
        # The people come from one address.
        self._env |= {"GUESTS_PER_HOUR": "1000", "DJANGO_SETTINGS_MODULE": "acquire_site.settings"}
        command = [sys.executable, str(MANAGE), "play", "--port", str(self.port)]
        self._process = Process("play", Program("play", command), self._env, Path(self._folder.name))
        self._process.start()
        try:
            embedded_redis.wait_until_it_answers(self.port, START_SECONDS)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._process.stop()
        self._folder.cleanup()

    def manage(self, *arguments: str, text: str = "") -> str:
        """Run a management command with this input and return its output."""
        done = subprocess.run(
            [sys.executable, str(MANAGE), *arguments],
            cwd=MANAGE.parent,
            env=self._env,
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout
