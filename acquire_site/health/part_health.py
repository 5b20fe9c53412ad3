"""Health of the workers and the sweeper of this machine, by their heartbeat files."""

from acquire_site.health import service_health
from games.processes import heartbeat_files

PARTS = ("mail", "bots", "sweeper")


def problem(part: str) -> str:
    """Return what is wrong with a part on this machine, or ""."""
    age = heartbeat_files.age(part)
    if age is None:
        if not heartbeat_files.can_be_written():
            return f"{part}: cannot show that it runs, because no file can be written into HEARTBEAT_DIR."
        return f"{part}: does not run on this machine."
    if heartbeat_files.has_ended(part):
        return f"{part}: ended {age:.0f} seconds ago and is not running again yet."
    if age < -heartbeat_files.BEAT_SECONDS:
        return f"{part}: was last seen {-age:.0f} seconds in the future; the clock was set back."
    return f"{part}: has been silent for {age:.0f} seconds." if _is_silent(part, age) else ""


def is_stale(part: str) -> bool:
    """Return whether the part has long been silent, as far as that is its own fault."""
    # A disk that takes no files silences all parts; to kill them would not help.
    return _is_silent(part, heartbeat_files.age(part)) and heartbeat_files.can_be_written()


def _is_silent(part: str, age: float | None) -> bool:
    # A living part soon writes a new heartbeat, even after the clock was set back.
    if age is not None and abs(age) < heartbeat_files.STALE_SECONDS:
        return False
    # Workers wait for Redis, and go on by themselves when it is back.
    return part == "sweeper" or service_health.broker() == service_health.OK
