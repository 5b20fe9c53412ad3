"""What programs may read without asking anybody: public games, their positions, players and leaderboards.

docs/api.md tells it to people, openapi.py to programs. Whoever may play by a program has a door of its own.
"""

from .about import description, readable
from .answers import nowhere
from .games import game, games, position
from .leaderboards import leaderboard
from .players import player

__all__ = ["description", "game", "games", "leaderboard", "nowhere", "player", "position", "readable"]
