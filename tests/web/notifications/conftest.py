"""Fixtures of the pages of notifications, which are those of notifications."""

from tests.notifications.conftest import alice, asked, bob, clock, server

__all__ = ["alice", "asked", "bob", "clock", "server"]
