"""Games and what belongs to them in the admin: one module for each noun."""

from . import games, members, notices, reports

__all__ = ["games", "members", "notices", "reports"]
