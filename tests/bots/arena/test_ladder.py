"""The table of matches, how far each is, and the page that tells of them."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from games.bots import BOTS
from games.bots.arena import Results, page, played
from games.bots.arena import ladder as ladder_module
from games.bots.arena.ladder import ROWS, Row, Standing, play_row, standing
from games.bots.arena.matches import bots
from games.bots.arena.results import this_home
from games.bots.arena.scores import Score
from games.rules import acquire

ROW = Row("tables", "medium", "random", 1, games=4, goal=0.4)


def test_no_match_is_in_the_table_twice() -> None:
    assert len({replace(row, part="goals", games=0, goal=None) for row in ROWS}) == len(ROWS)


def test_every_match_of_the_table_can_be_played_and_keeps_its_own_file(tmp_path: Path) -> None:
    assert len({row.path(tmp_path) for row in ROWS}) == len(ROWS)
    # A match of somebody unknown, or of too many, cannot be made.
    known = bots("acquire")
    for row in ROWS:
        assert len(row.match.players) == row.count + 1
        assert set(row.match.players) <= set(known)


def test_the_table_holds_every_goal() -> None:
    goals = {(row.hero, row.others): row.goal for row in ROWS if row.part == "goals"}
    assert goals == {
        ("medium", "random"): 0.90,
        ("hard", "medium"): 0.75,
        ("expert", "medium"): 0.87,
        ("expert", "hard"): 0.32,
        ("master", "plain-300"): 0.40,
    }
    assert all(row.count == 3 and row.games >= 400 for row in ROWS if row.part == "goals")
    # Nobody is called quick without a clock.
    assert [row.hero for row in ROWS if row.real_time] == ["expert"]


@pytest.mark.parametrize("seats", [2, 3, 5, 6])
def test_at_every_size_of_table_each_level_meets_the_one_below(seats: int) -> None:
    levels = ["random", "easy", "medium", "hard", "expert", "master"]
    found = {
        (row.others, row.hero): row.goal for row in ROWS if row.part == "tables" and row.count == seats - 1
    }
    assert set(found) == {*pairwise(levels)}
    for (_, hero), goal in found.items():
        assert goal == (None if hero == "master" else pytest.approx(1 / seats))


def test_the_cheap_matches_come_first() -> None:
    levels = ["random", "easy", "medium", "hard", "expert", "master"]
    strongest = [levels.index(row.hero) for row in ROWS if row.hero != "easy"]
    assert strongest == sorted(strongest)


def test_every_preset_is_played() -> None:
    first, *others = acquire.PRESETS
    assert {row.preset or first for row in ROWS if row.hero == "expert"} == {first, *others}


def test_a_row_goes_on_where_it_was(tmp_path: Path) -> None:
    assert not standing(ROW, tmp_path).scores
    games = play_row(ROW, tmp_path, 1)
    assert next(games) == 1
    games.close()  # type: ignore[attr-defined]
    half = standing(ROW, tmp_path)
    assert (half.games, half.done, half.reached) == (1, False, None)
    assert list(play_row(ROW, tmp_path, 1)) == [2, 3, 4]
    whole = standing(ROW, tmp_path)
    assert (whole.games, whole.done, whole.late) == (4, True, False)
    assert whole.scores[0].player == "medium"
    assert whole.reached is (whole.scores[0].low >= 0.4)


def test_more_games_than_the_row_has_do_not_count(tmp_path: Path) -> None:
    with Results(ROW.path(tmp_path), ROW.match) as results:
        list(played(results, 6))
    assert standing(ROW, tmp_path).games == 4


def test_a_row_that_takes_too_long_ends_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder_module, "HOURS", 1e-9)
    assert list(play_row(ROW, tmp_path, 1)) == [1]
    assert list(play_row(ROW, tmp_path, 1)) == []
    late = standing(ROW, tmp_path)
    assert (late.games, late.done, late.late) == (1, True, True)
    assert late.reached is not None
    assert "| 1 of 4, in 2 hours |" in page([late])


@pytest.fixture
def score() -> Callable[..., Score]:
    def make(player: str, share: float, low: float, high: float) -> Score:
        return Score(player, 400, share, low, high, 0.25, 41_234.5, 12.345, 190.4, 18_000, 3)

    return make


def told(one: Standing) -> dict[str, str]:
    """The row of the page as cells by their heads."""
    lines = page([one]).splitlines()
    (line,) = [line for line in lines if line.startswith("| 1 |")]
    heads = next(line for line in lines if line.startswith("| no. |"))
    return dict(zip(*[[cell.strip() for cell in text.split("|")] for text in (heads, line)], strict=True))


@pytest.mark.parametrize(("low", "reached"), [(0.879, "yes"), (0.869, "no")])
def test_the_page_tells_every_number(score: Callable[..., Score], low: float, reached: str) -> None:
    row = Row("goals", "medium", "random", 3, 400, goal=0.87, real_time=True)
    scores = [score("medium", 0.9, low, 0.95), score("random", 0.1, 0.05, 1 - low)]
    assert told(Standing(row, 400, scores, this_home(), done=True, late=False)) == {
        "": "",
        "no.": "1",
        "match": "medium against 3 random",
        "games": "400",
        "wins": "90.0 %",
        "95 % interval": f"{100 * low:.1f} to 95.0 %",
        "goal": "87 %",
        "reached": reached,
        "mean money": "$41,234 / $41,234",
        "a decision": "12 ms / 12 ms",
        "longest": "190 ms / 190 ms",
        "caps struck": "3 of 18,000",
    }


def test_the_page_names_what_is_not_played_yet_or_not_in_full(score: Callable[..., Score]) -> None:
    row = Row("presets", "medium", "random", 3, 400, goal=0.87, preset="course")
    new = told(Standing(row, 0, [], this_home(), done=False, late=False))
    assert (new["match"], new["games"], new["reached"]) == (
        "medium against 3 random, course",
        "not yet played",
        "",
    )
    scores = [score("medium", 0.9, 0.88, 0.95), score("random", 0.1, 0.05, 0.12)]
    begun = told(Standing(row, 120, scores, this_home(), done=False, late=False))
    assert (begun["games"], begun["reached"], begun["caps struck"]) == (
        "120 of 400 so far",
        "not yet",
        "no caps",
    )
    done = told(Standing(replace(row, goal=None), 400, scores, this_home(), done=True, late=False))
    assert (done["goal"], done["reached"]) == ("none", "")


def test_the_page_names_levels_commands_and_what_it_was_played_on(tmp_path: Path) -> None:
    assert "Nothing has been played yet." in page([standing(ROW, tmp_path)])
    list(play_row(ROW, tmp_path, 1))
    text = page([standing(ROW, tmp_path)])
    home = this_home()
    assert f"Played on {home.cores} cores with Python {home.python}." in text
    assert "1. `manage.py arena --players medium,random --games 4 --seed 2718`" in text
    for key, bot in BOTS["acquire"].items():
        assert f"| `{key}` | {bot.name} | {bot.character} |" in text
    # Each table of Markdown has as many cells in each of its rows.
    cells = Counter(line.count("|") for line in text.splitlines() if line.startswith("|"))
    assert set(cells) == {5, 12}
