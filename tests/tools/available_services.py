"""Services and programs that the tests can use on this machine."""

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from acquire_site.embedded_redis import hidden, redis_program

NAMES = ("postgres", "redis", "browser", "caddy", "nginx", "pgbouncer", "promtool")

# Debian keeps servers where only administrators look for programs.
_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"])

# A test run must not use the developer's settings of the site.
SETTINGS_OF_THE_SITE = {
    *("ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "DATABASE_URL", "DEBUG", "DJANGO_SETTINGS_MODULE"),
    *("ACCESS_LOG", "ADMIN_PATH", "BROKER_URL", "CACHE_URL", "CHANNEL_URLS", "LOG_FORMAT", "LOG_LEVEL"),
    *("HEARTBEAT_DIR", "METRICS_TOKEN", "OTEL_EXPORTER_OTLP_ENDPOINT", "SENTRY_DSN", "STAFF_TOTP"),
    *("DEFAULT_FROM_EMAIL", "EMAIL_URL", "MAIL_BOUNCE_KEY", "REDIS_URL", "SECRET_KEY", "SITE_URL"),
    *("TRUSTED_PROXIES", "VAPID_PRIVATE_KEY", "VAPID_SUBJECT"),
}


def environment() -> dict[str, str]:
    """Our environment without the developer's settings of the site, and without a limit on moves."""
    ours = {name: text for name, text in os.environ.items() if name not in SETTINGS_OF_THE_SITE}
    # Without compiled files, every process needs seconds more to import the project and its tests.
    ours.pop("PYTHONDONTWRITEBYTECODE", None)
    ours.setdefault("PYTHONPYCACHEPREFIX", str(Path(sys.prefix) / "pycache"))
    return ours | {"MOVES_PER_MINUTE": "100000"}


@dataclass(frozen=True)
class Service:
    """A service's program, or the reason why it is missing and what replaces it."""

    path: Path | None
    reason: str
    note: str


def required() -> list[str]:
    """The services that ACQUIRE_REQUIRE names."""
    return os.environ.get("ACQUIRE_REQUIRE", "").replace(",", " ").split()


def find(name: str) -> Service:
    """Look for one of `NAMES`."""
    skipped = "its tests were skipped"
    services: dict[str, tuple[Callable[[], Path | None], str, str]] = {
        "postgres": (_initdb, "PostgreSQL", "the tests ran on SQLite only"),
        "redis": (_redis, "Redis", "fakeredis stood in for it"),
        "browser": (_chromium, "Browser", skipped),
        "caddy": (partial(_program, "caddy"), "Caddy", skipped),
        "nginx": (partial(_program, "nginx"), "nginx", skipped),
        "pgbouncer": (partial(_program, "pgbouncer"), "PgBouncer", skipped),
        "promtool": (partial(_program, "promtool"), "promtool", skipped),
    }
    look, title, otherwise = services[name]
    path = None if hidden(name) else look()
    reason = "ACQUIRE_WITHOUT hides it" if hidden(name) else "it is not installed"
    return Service(path, reason, f"{title}: {path}" if path else f"{title}: {reason}; {otherwise}")


def first_missing(*names: str) -> str:
    """The first of these services that is not there, or an empty text."""
    return next((name for name in names if find(name).path is None), "")


def _program(name: str) -> Path | None:
    path = shutil.which(name, path=_PATH)
    return Path(path) if path else None


def _initdb() -> Path | None:
    on_path = shutil.which("initdb")
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return Path(on_path) if on_path else next(reversed(debian), None)


def _redis() -> Path | None:
    program = redis_program()
    return Path(program) if program else None


def _chromium() -> Path | None:
    # The shell comes first: it draws only the page, the others also a window around it.
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return Path(found)
    return None
