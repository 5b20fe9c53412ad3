"""Whether the workers and the sweeper of this machine go round, as their heartbeat files tell."""

from acquire_site import health_probes
from games.realtime import heartbeat_files

PARTS = ("mail", "bots", "sweeper")


def problem(part: str) -> str:
    """Return what is wrong with a part on this machine, or ""."""
    age = heartbeat_files.age(part)
    if age is not None and age < heartbeat_files.STALE_SECONDS:
        return ""
    if part != "sweeper" and health_probes.broker() != health_probes.OK:
        return ""  # workers wait for Redis, and go on by themselves when it is back
    silent = "has never run on this machine" if age is None else f"has been silent for {age:.0f} seconds"
    return f"{part}: {silent}."


def is_stale(part: str) -> bool:
    """Return whether the part has gone silent, as far as that is its own fault."""
    return bool(problem(part))
