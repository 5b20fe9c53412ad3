"""The processes of a played site."""

import contextlib
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path


def family(process: subprocess.Popen) -> dict[int, str]:
    """Command lines of a process and all its descendants, parents first."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(entry.name))
    found = {process.pid: "play"}
    waiting = [process.pid]
    while waiting:
        for pid in children.get(waiting.pop(0), []):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                found[pid] = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
                waiting.append(pid)
    return found


def one(site, part: str) -> int:
    """Return the id of the site's first process whose command holds `part`."""
    return next(pid for pid, command in family(site.process).items() if part in command)


def is_running(pid: int) -> bool:
    """Return whether a process exists and is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_for(condition, seconds=30.0):
    deadline = time.monotonic() + seconds
    while not (result := condition()):
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.1)
    return result


def read(url):
    with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310 -- our own site
        return answer.read().decode()


def answers(url):
    try:
        return bool(read(url))
    except OSError:
        return False
