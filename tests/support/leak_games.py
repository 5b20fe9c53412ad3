"""Whole games checked for leaks."""

from tests.safety.leaks import twin_games
from tests.safety.leaks.leak_check import MOMENTS, Check

EVERYWHERE = 2 * MOMENTS


def whole_game(number: int) -> Check:
    """Check a whole game and return the check."""
    check = Check(twin_games.script(number), share=EVERYWHERE, all_look=False)
    check.run()
    print(check.script, dict(check.counts))
    return check
