"""Fixtures of the pages of a game's chat, which are those of the chat itself."""

from tests.chat.conftest import clock, game

__all__ = ["clock", "game"]
