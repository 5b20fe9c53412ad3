"""Settings read in a process of their own."""

import json
import os
import subprocess
import sys

from tests.support.played_site import ROOT

PRODUCTION = {
    "DEBUG": "0",
    "SECRET_KEY": "8uW-2Jx7yJ0ZpB6vQk3mT1sNfR5hL9dGcXaE4oYiUwKtHzVbMn",
    "ALLOWED_HOSTS": "acquire.example, .club.example",
    "CSRF_TRUSTED_ORIGINS": "https://acquire.example",
    "DATABASE_URL": "postgres://acquire:secret@db.example/acquire",
    "REDIS_URL": "redis://redis.example/0",
}


def python(code_or_arguments, tmp_path, **env):
    """Run Python in the project with this environment and no other settings.

    A site that is checked has a data folder.
    """
    clean = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    command = [sys.executable, *code_or_arguments]
    if "--deploy" in code_or_arguments:
        (tmp_path / "data").mkdir(exist_ok=True)
    env = {**clean, "DATA_DIR": str(tmp_path / "data"), **env}
    return subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True)


def settings(tmp_path, *names, **env):
    """Return the values of some settings in a new process."""
    code = (
        "import json; from acquire_site import settings; "
        f"print(json.dumps([getattr(settings, name) for name in {names!r}], default=str))"
    )
    done = python(["-c", code], tmp_path, **env)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
