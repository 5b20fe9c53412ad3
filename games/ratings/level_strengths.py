"""The strengths of the bot levels, by rule system, level and number of players (0: any).

`manage.py fit_levels` writes this module from the totals in docs/ladder.
"""

from typing import Final

LEVEL_STRENGTHS: Final[dict[str, dict[str, dict[int, float]]]] = {
    "acquire": {
        "random": {0: 4.5, 2: 7.2, 3: 2.5, 4: 3.5, 5: 6.2, 6: 3.3},
        "easy": {0: 18.5, 2: 20.7, 3: 14.6, 4: 17.6, 5: 19.9, 6: 19.6},
        "medium": {0: 25.0, 2: 25.0, 3: 25.0, 4: 25.0, 5: 25.0, 6: 25.0},
        "hard": {0: 35.7, 2: 33.7, 3: 35.4, 4: 37.4, 5: 36.7, 6: 35.3},
        "expert": {0: 44.9, 2: 45.9, 3: 44.6, 4: 45.9, 5: 44.5, 6: 43.4},
        "master": {0: 46.5, 2: 47.5, 3: 46.2, 4: 47.5, 5: 46.2, 6: 45.1},
    },
    "acquisition": {
        "random": {0: -15.1, 2: -10.3, 3: -14.2, 4: -20.6},
        "medium": {0: 25.0, 2: 25.0, 3: 25.0, 4: 25.0},
        "hard": {0: 46.7, 2: 46.7, 3: 46.7, 4: 46.7},
    },
}
