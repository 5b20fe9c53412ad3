"""Which services the tests can use on this machine."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from acquire_site.embedded_redis import hidden, redis_program

NAMES = ("postgres", "redis", "browser")


@dataclass(frozen=True)
class Service:
    """A service's program, or the reason why there is none, and what is done about it."""

    path: Path | None
    reason: str
    note: str


def required() -> list[str]:
    """The services that ACQUIRE_REQUIRE names."""
    return os.environ.get("ACQUIRE_REQUIRE", "").replace(",", " ").split()


def find(name: str) -> Service:
    """Look for one of `NAMES`."""
    look, title, otherwise = {
        "postgres": (_initdb, "PostgreSQL", "the tests ran on SQLite only"),
        "redis": (_redis, "Redis", "fakeredis stood in for it"),
        "browser": (_chromium, "Browser", "its tests were skipped"),
    }[name]
    path = None if hidden(name) else look()
    reason = "ACQUIRE_WITHOUT hides it" if hidden(name) else "it is not installed"
    return Service(path, reason, f"{title}: {path}" if path else f"{title}: {reason}; {otherwise}")


def _initdb() -> Path | None:
    on_path = shutil.which("initdb")
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return Path(on_path) if on_path else next(reversed(debian), None)


def _redis() -> Path | None:
    program = redis_program()
    return Path(program) if program else None


def _chromium() -> Path | None:
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return Path(found)
    return None
