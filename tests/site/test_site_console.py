"""The console that tests share instead of a process for each piece of code."""

import pytest

from tests.support.played_site import ROOT
from tests.support.site_console import Console


def test_code_that_fails_is_told_and_the_console_goes_on(tmp_path):
    console = Console(ROOT, tmp_path)
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        console.run("print(1 / 0)")
    assert console.run("from accounts.models import User; print(User.__name__)") == "User\n"
    console.close()


def test_console_that_ended_shows_its_log(tmp_path):
    console = Console(ROOT, tmp_path)
    with pytest.raises(AssertionError, match="farewell"):
        console.run("import os, sys; print('farewell', file=sys.stderr, flush=True); os._exit(1)")
    console.close()
