"""The operator's command that takes a backup to another machine."""

import os
import signal
import subprocess
import tempfile
from pathlib import Path

from django.conf import settings

from acquire_site.backup.backup_error import BackupError

# A machine that never answers must not hold up the next backup.
TIMEOUT_SECONDS = 6 * 3600


def carry_away(path: Path) -> str:
    """Run BACKUP_COMMAND for this backup and return what it prints; raise BackupError if it fails."""
    only_here = f"The backup is on this machine only: {path}"
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            ["/bin/sh", "-c", settings.BACKUP_COMMAND],
            cwd=settings.BASE_DIR,
            env={**os.environ, "BACKUP_FILE": str(path.resolve())},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = process.wait(TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired as error:
            # Programs that the shell has started hang, not the shell.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise BackupError(
                f"BACKUP_COMMAND did not end within {TIMEOUT_SECONDS // 3600} hours. {only_here}"
            ) from error
        output.seek(0)
        said = output.read().decode("utf-8", "replace").strip()
    if code:
        raise BackupError(f"BACKUP_COMMAND failed with exit code {code}. {only_here}\n{said[-2000:]}")
    return said
