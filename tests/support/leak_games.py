"""Whole games checked for leaks."""

from tests.safety.leaks import games
from tests.safety.leaks.checking import MOMENTS, Check

EVERYWHERE = 2 * MOMENTS


def whole_game(number: int) -> Check:
    """The check of a game, done."""
    check = Check(games.script(number), share=EVERYWHERE, all_look=False)
    check.run()
    print(check.script, dict(check.counts))
    return check
