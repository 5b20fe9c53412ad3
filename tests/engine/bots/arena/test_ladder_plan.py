"""The matches of the ladder, their progress, and the page that reports them."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from games.engine.bots.acquire import greedy
from games.engine.bots.arena import ladder_plan
from games.engine.bots.arena.ladder_page import page
from games.engine.bots.arena.ladder_plan import ROWS, MatchProgress, Row, keep_row
from games.engine.bots.arena.match import bots, play
from games.engine.bots.arena.match_runner import play_missing_games
from games.engine.bots.arena.match_scores import Score, scores
from games.engine.bots.arena.results_file import Results, ResultsError, this_home
from games.engine.bots.bot_levels import BOTS, Bot
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.rule_systems import SYSTEMS

ROW = Row("tables", "medium", "random", 1, games=4, goal=0.4)


def standing(row: Row, folder: Path) -> MatchProgress:
    return ladder_plan.standing(row, folder, folder / "kept")


def play_row(row: Row, folder: Path, processes: int) -> Iterator[int]:
    return ladder_plan.play_row(row, folder, folder / "kept", processes)


def keep(row: Row, folder: Path) -> None:
    keep_row(row, folder, folder / "kept")


def lose_the_games(row: Row, folder: Path) -> None:
    row.path(folder).unlink()


def test_ladder_has_distinct_matches() -> None:
    assert len({replace(row, part="goals", games=0, goal=None) for row in ROWS}) == len(ROWS)


def test_every_match_is_playable_and_has_its_own_file(tmp_path: Path) -> None:
    assert len({row.path(tmp_path) for row in ROWS}) == len(ROWS)
    # A match with an unknown bot, or with too many players, cannot be created.
    for row in ROWS:
        assert len(row.match.players) == row.count + 1
        assert set(row.match.players) <= set(bots(row.system))


def test_ladder_has_all_goals() -> None:
    goals = {(row.system, row.hero, row.others): row.goal for row in ROWS if row.part == "goals"}
    assert goals == {
        ("acquire", "medium", "random"): 0.90,
        ("acquire", "hard", "medium"): 0.75,
        ("acquire", "expert", "medium"): 0.87,
        ("acquire", "expert", "hard"): 0.55,
        ("acquire", "expert", "expert-1"): 0.31,
        ("acquire", "master", "expert"): 0.26,
        ("acquire", "master", "plain-300"): 0.55,
        ("acquire", "master", "expert-1"): 0.38,
        ("acquisition", "medium", "random"): 0.90,
        ("acquisition", "hard", "medium"): 0.87,
    }
    assert all(row.count == 3 and row.games >= 400 for row in ROWS if row.part == "goals")
    # Real time is needed where a time limit is claimed.
    assert [row.hero for row in ROWS if row.real_time] == ["expert"]


@pytest.mark.parametrize(
    ("system", "seats"), [(system, seats) for system, rules in SYSTEMS.items() for seats in rules.SEATS]
)
def test_each_level_meets_the_one_below_with_any_seats(system: str, seats: int) -> None:
    rows = [row for row in ROWS if (row.system, row.count) == (system, seats - 1)]
    assert {*pairwise(BOTS[system])} <= {(row.others, row.hero) for row in rows}
    for row in rows:
        if row.part == "tables" and row.goal is not None:
            assert row.goal == pytest.approx(1 / seats)


def test_only_expensive_matches_have_no_goal() -> None:
    without = {(row.system, row.hero) for row in ROWS if row.part == "tables" and row.goal is None}
    assert without == {("acquire", "master")}


@pytest.mark.parametrize("system", SYSTEMS)
def test_cheap_matches_come_first(system: str) -> None:
    levels = [*BOTS[system]]
    strongest = [levels.index(row.hero) for row in ROWS if row.system == system and row.hero != "easy"]
    assert strongest == sorted(strongest)


def test_every_preset_is_played() -> None:
    first, *others = acquire.PRESETS
    assert {row.preset or first for row in ROWS if row.hero == "expert"} == {first, *others}


def test_row_continues_where_it_stopped(tmp_path: Path) -> None:
    assert not standing(ROW, tmp_path).scores
    games = play_row(ROW, tmp_path, 1)
    assert next(games) == 1
    games.close()  # type: ignore[attr-defined]
    half = standing(ROW, tmp_path)
    assert (half.games, half.end, half.reached) == (1, None, None)
    assert list(play_row(ROW, tmp_path, 1)) == [2, 3, 4]
    whole = standing(ROW, tmp_path)
    assert (whole.games, whole.end) == (4, "complete")
    assert whole.scores[0].player == "medium"
    assert whole.reached is (whole.scores[0].low >= 0.4)


def test_surplus_games_do_not_count(tmp_path: Path) -> None:
    with Results(ROW.path(tmp_path), ROW.match) as results:
        list(play_missing_games(results, 6))
    assert standing(ROW, tmp_path).games == 4


def test_row_over_time_limit_ends_and_is_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder_plan, "MAX_HOURS", 1e-9)
    assert list(play_row(ROW, tmp_path, 1)) == [1]
    assert list(play_row(ROW, tmp_path, 1)) == []
    late = standing(ROW, tmp_path)
    assert (late.games, late.end) == (1, "late")
    assert late.reached is not None
    assert "| 1 of 4, in 2 hours |" in page([late])


@pytest.fixture
def twelve_games_at_least(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder_plan, "MIN_GAMES", 12)


@pytest.mark.usefixtures("twelve_games_at_least")
@pytest.mark.parametrize(
    ("hero", "others", "reached"), [("medium", "random", True), ("random", "medium", False)]
)
def test_row_ends_early_when_its_verdict_is_clear(
    tmp_path: Path, hero: str, others: str, reached: bool
) -> None:
    row = Row("tables", hero, others, 1, games=20, goal=0.5)
    assert len(list(play_row(row, tmp_path, 1))) == 12
    keep(row, tmp_path)
    lose_the_games(row, tmp_path)
    assert list(play_row(row, tmp_path, 1)) == []
    clear = standing(row, tmp_path)
    assert (clear.games, clear.end, clear.reached) == (12, "clear", reached)
    assert cells_of(clear)["games"] == "12 of 20, clear"


@pytest.mark.usefixtures("twelve_games_at_least")
@pytest.mark.parametrize("goal", [0.6, None])
def test_row_goes_on_while_its_verdict_is_open(tmp_path: Path, goal: float | None) -> None:
    """Twelve games won put a share of 60% outside the 95% interval, but not outside the 99.9% interval."""
    row = Row("tables", "medium", "random", 1, games=14, goal=goal)
    assert len(list(play_row(row, tmp_path, 1))) == 14
    assert standing(row, tmp_path).end == "complete"


# -- Totals without games ------------------------------------------------------------------------------


def test_row_without_games_keeps_its_totals(tmp_path: Path) -> None:
    list(play_row(ROW, tmp_path, 1))
    before = standing(ROW, tmp_path)
    keep(ROW, tmp_path)
    lose_the_games(ROW, tmp_path)
    assert standing(ROW, tmp_path) == before
    assert list(play_row(ROW, tmp_path, 1)) == []
    assert not ROW.path(tmp_path).exists()


@pytest.mark.plain
def test_unfinished_row_continues_from_totals(tmp_path: Path) -> None:
    list(play_row(replace(ROW, games=5), tmp_path, 1))
    whole = standing(replace(ROW, games=5), tmp_path)
    lose_the_games(ROW, tmp_path)
    list(play_row(replace(ROW, games=2), tmp_path, 1))
    keep(ROW, tmp_path)
    lose_the_games(ROW, tmp_path)
    assert list(play_row(replace(ROW, games=5), tmp_path, 1)) == [3, 4, 5]
    again = standing(replace(ROW, games=5), tmp_path)
    assert (again.games, again.end, again.homes) == (5, "complete", whole.homes)
    for one, other in zip(again.scores, whole.scores, strict=True):
        assert (one.share, one.low, one.mean_money, one.decisions) == pytest.approx(
            (other.share, other.low, other.mean_money, other.decisions)
        )
        assert one.ms_max > 0
    # Games that are both in the totals and in the games file count once.
    keep(replace(ROW, games=5), tmp_path)
    assert standing(replace(ROW, games=5), tmp_path).games == 5
    assert len(list((tmp_path / "kept").iterdir())) == 1


@pytest.mark.plain
def test_totals_without_money_of_winners_are_continued(tmp_path: Path) -> None:
    """Totals from before this was counted have no such fields; later games alone tell it then."""
    list(play_row(replace(ROW, games=2), tmp_path, 1))
    keep(ROW, tmp_path)
    lose_the_games(ROW, tmp_path)
    kept = ROW.sum_path(tmp_path / "kept")
    record = json.loads(kept.read_text())
    for tally in record["tallies"]:
        for field in ("counted_wins", "win_money", "win_money_squares"):
            del tally[field]
    kept.write_text(json.dumps(record))
    old = standing(ROW, tmp_path)
    assert (old.games, old.scores[0].win_money) == (2, None)
    assert cells_of(old)["when it wins"] == ""
    row = replace(ROW, games=6)
    list(play_row(row, tmp_path, 1))
    later = [play(ROW.match, number) for number in range(2, 6)]
    assert standing(row, tmp_path).games == 6
    assert standing(row, tmp_path).scores[0].win_money == scores(ROW.match, later)[0].win_money


def test_totals_end_at_first_gap(tmp_path: Path) -> None:
    with Results(ROW.path(tmp_path), ROW.match) as results:
        for number in (0, 1, 3):
            results.add(play(ROW.match, number))
    assert standing(ROW, tmp_path).games == 2
    keep(ROW, tmp_path)
    lose_the_games(ROW, tmp_path)
    assert standing(ROW, tmp_path).games == 2


def test_unstarted_row_has_no_totals(tmp_path: Path) -> None:
    keep(ROW, tmp_path)
    assert not (tmp_path / "kept").exists()


def test_row_over_time_limit_elsewhere_is_not_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder_plan, "MAX_HOURS", 1e-9)
    list(play_row(ROW, tmp_path, 1))
    keep(ROW, tmp_path)
    lose_the_games(ROW, tmp_path)
    late = standing(ROW, tmp_path)
    assert (late.games, late.end) == (1, "late")
    assert list(play_row(ROW, tmp_path, 1)) == []


def test_totals_of_changed_bots_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    list(play_row(replace(ROW, games=2), tmp_path, 1))
    keep(ROW, tmp_path)
    lose_the_games(ROW, tmp_path)
    monkeypatch.setitem(BOTS["acquire"], "random", Bot("Random", "has changed.", greedy.choose))
    for games in (2, 4):
        with pytest.raises(ResultsError, match=r"come out differently today(.|\n)*Delete the file"):
            list(play_row(replace(ROW, games=games), tmp_path, 1))


@pytest.mark.parametrize(
    ("text", "said"),
    [("[]", "holds no sum"), ("{}", "holds no sum"), ("luck", "holds no sum"), (None, "of another match")],
)
def test_file_without_totals_is_refused(tmp_path: Path, text: str | None, said: str) -> None:
    list(play_row(replace(ROW, games=1), tmp_path, 1))
    keep(ROW, tmp_path)
    lose_the_games(ROW, tmp_path)
    other = replace(ROW, hero="easy")
    kept = ROW.sum_path(tmp_path / "kept")
    other.sum_path(tmp_path / "kept").write_text(kept.read_text() if text is None else text)
    with pytest.raises(ResultsError, match=said):
        standing(other, tmp_path)


# -- The page ------------------------------------------------------------------------------------------


@pytest.fixture
def score() -> Callable[..., Score]:
    def make(player: str, share: float, low: float, high: float) -> Score:
        numbers = (41_234.5, 12.345, 190.4, 18_000, 3, 50_123.4, 320.6)
        return Score(player, 400, share, low, high, 0.25, *numbers)

    return make


def cells_of(one: MatchProgress) -> dict[str, str]:
    """The row of the page as cells by their headings."""
    lines = page([one]).splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("| 1 |"))
    line, heads = lines[at], lines[at - 2]
    return dict(zip(*[[cell.strip() for cell in text.split("|")] for text in (heads, line)], strict=True))


@pytest.mark.parametrize(("low", "reached"), [(0.879, "yes"), (0.869, "no")])
def test_page_shows_all_numbers(score: Callable[..., Score], low: float, reached: str) -> None:
    row = Row("goals", "medium", "random", 3, 400, goal=0.87, real_time=True)
    scores = [score("medium", 0.9, low, 0.95), score("random", 0.1, 0.05, 1 - low)]
    assert cells_of(MatchProgress(row, 400, scores, (this_home(),), end="complete")) == {
        "": "",
        "no.": "1",
        "match": "medium against 3 random",
        "games": "400",
        "wins": "90.0%",
        "95% interval": f"{100 * low:.1f} to 95.0%",
        "goal": "87%",
        "reached": reached,
        "mean money": "$41,234 / $41,234",
        "when it wins": "$50,123 ± $321",
        "a decision": "12 ms / 12 ms",
        "longest": "190 ms / 190 ms",
        "caps struck": "3 of 18,000",
    }


def test_page_marks_unfinished_matches(score: Callable[..., Score]) -> None:
    row = Row("presets", "medium", "random", 3, 400, goal=0.87, preset="course")
    new = cells_of(MatchProgress(row, 0, [], (this_home(),), end=None))
    assert (new["match"], new["games"], new["reached"]) == (
        "medium against 3 random, course",
        "not yet played",
        "",
    )
    scores = [score("medium", 0.9, 0.88, 0.95), score("random", 0.1, 0.05, 0.12)]
    begun = cells_of(MatchProgress(row, 120, scores, (this_home(),), end=None))
    assert (begun["games"], begun["reached"], begun["caps struck"]) == (
        "120 of 400 so far",
        "not yet",
        "no caps",
    )
    done = cells_of(MatchProgress(replace(row, goal=None), 400, scores, (this_home(),), end="complete"))
    assert (done["goal"], done["reached"]) == ("none", "")


def test_page_has_no_times_of_compiled_bots(score: Callable[..., Score]) -> None:
    scores = [replace(score(name, 0.5, 0.4, 0.6), ms_mean=None, ms_max=None) for name in ("medium", "random")]
    compiled = MatchProgress(ROW, 4, scores, (replace(this_home(), compiled=True),), end="complete")
    assert (cells_of(compiled)["a decision"], cells_of(compiled)["longest"]) == ("not timed", "not timed")
    assert "rules and players compiled" in page([compiled])


def test_page_shows_score_of_rule_system(score: Callable[..., Score]) -> None:
    row = Row("goals", "medium", "random", 3, 400, goal=0.5, system="acquisition")
    buildings = replace(
        score("medium", 0.9, 0.8, 0.95), mean_money=4.25, win_money=4.75, win_money_reach=0.14
    )
    scores = [buildings, replace(buildings, player="random")]
    found = cells_of(MatchProgress(row, 400, scores, (this_home(),), end="complete"))
    assert found["mean large buildings"] == "4.2 / 4.2"
    assert found["when it wins"] == "4.8 ± 0.1"


def test_page_names_designer_of_acquisition() -> None:
    assert "the game by Phil Leduc (2011)" in page([])


@pytest.mark.plain
def test_page_lists_levels_commands_and_hardware(tmp_path: Path) -> None:
    assert "Nothing has been played yet." in page([standing(ROW, tmp_path)])
    list(play_row(ROW, tmp_path, 1))
    text = page([standing(ROW, tmp_path)])
    home = this_home()
    assert f"Played on {home.cores} cores with Python {home.python}.\n" in text
    more = page([standing(ROW, tmp_path), standing(replace(ROW, games=5), tmp_path)])
    assert f"with Python {home.python}. Not finished yet: 1 of the 2 matches.\n" in more
    assert "1. `manage.py arena --players medium,random --games 4 --seed 2718`" in text
    for bots_of_a_system in BOTS.values():
        for key, bot in bots_of_a_system.items():
            assert f"| `{key}` | {bot.name} | {bot.character} |" in text
    # Every row of a Markdown table has the same number of cells.
    cells = Counter(line.count("|") for line in text.splitlines() if line.startswith("|"))
    assert set(cells) == {5, 13}
