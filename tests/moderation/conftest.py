"""Fixtures of moderation."""

from tests.moderation.actions.conftest import mona

__all__ = ["mona"]
