"""Random games against the rules: `python -m tests.fuzz --moves 10000000`."""

import sys

from tests.fuzz import random_games

if __name__ == "__main__":
    sys.exit(random_games.main(random_games.play_game, "tests.fuzz", random_games.__doc__, moves=10_000_000))
