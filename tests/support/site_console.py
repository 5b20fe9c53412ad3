"""A Python inside a played site that stays open, because each start of one takes seconds.

`Console.run` sends code to the process, which runs this module.
"""

import contextlib
import io
import json
import subprocess
import sys
import traceback
from pathlib import Path
from typing import TextIO

from tests.tools import available_services


class Console:
    """A process with the site's settings and data; it starts with the first code that it runs."""

    def __init__(self, root: Path, data_dir: Path) -> None:
        self._root = root
        self._data_dir = data_dir
        self._process: subprocess.Popen[str] | None = None

    def run(self, code: str) -> str:
        """Run code and return what it printed.

        Raises AssertionError with the traceback if the code fails.
        """
        process = self._process = self._process or self._start()
        assert process.stdin and process.stdout
        print(json.dumps(code), file=process.stdin, flush=True)
        answer = process.stdout.readline()
        assert answer, f"The console has ended: {(self._data_dir / 'console.log').read_text()}"
        printed, failure = json.loads(answer)
        assert not failure, failure
        return str(printed)

    def close(self) -> None:
        """End the process."""
        if self._process:
            self._process.communicate(timeout=60)
            self._process = None

    def _start(self) -> "subprocess.Popen[str]":
        pipe = subprocess.PIPE
        with (self._data_dir / "console.log").open("w") as log:
            return subprocess.Popen(
                [sys.executable, "-m", __name__],
                cwd=self._root,
                env={**available_services.environment(), "DATA_DIR": str(self._data_dir)},
                stdin=pipe,
                stdout=pipe,
                stderr=log,
                text=True,
            )


def answer(requests: TextIO, answers: TextIO) -> None:
    """Run the code of each line, and answer with a line: what it printed, and its traceback if it failed."""
    from django.db import close_old_connections

    for line in requests:
        printed, failure = io.StringIO(), ""
        close_old_connections()
        try:
            with contextlib.redirect_stdout(printed):
                exec(json.loads(line), {"__name__": "__console__"})  # noqa: S102 - code of our tests
        except Exception:
            failure = traceback.format_exc()
        print(json.dumps([printed.getvalue(), failure]), file=answers, flush=True)


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "acquire_site.settings")
    django.setup()
    answer(sys.stdin, sys.stdout)
