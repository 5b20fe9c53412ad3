"""The end of a game: standings, sources of the money, chart."""

import re
from itertools import pairwise

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.web.presenters.acquire.money_sources import sources
from games.web.presenters.worth_chart import HEIGHT, chart
from tests.web.presenters.presenter_cases import Played, asked, random_game


@pytest.mark.parametrize("preset", acquire.PRESETS)
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_sources_add_up_to_the_final_money(preset: str, seats: int) -> None:
    played = random_game(seats, seats, **acquire.to_options(acquire.PRESETS[preset]))
    money = sources(seats, (event for entry in played.entries for event in entry.events))
    assert [seat.total() for seat in money] == played.state.cash


def test_standings_agree_with_the_rules() -> None:
    played = random_game(9, 5)
    final = played.context(0)["final"]
    ranks = [(rank, f"${dollars:,}") for rank, _, dollars in acquire.standings(played.state)]
    assert [(line.rank, line.dollars) for line in final.standings] == ranks
    assert [line.won for line in final.standings] == [rank == 1 for rank, _ in ranks]


def test_standings_are_empty_before_the_end() -> None:
    assert random_game(9, 5, asked("found")).context(0)["final"] is None


def test_incomplete_log_shows_the_money_without_its_sources() -> None:
    played = random_game(9, 3)
    final = Played(played.state, played.entries[-5:]).context(0)["final"]
    assert final.headings == ()
    assert final.chart is None
    assert [line.dollars for line in final.standings] == [
        f"${dollars:,}" for dollars in sorted(played.state.cash, reverse=True)
    ]


def test_chart_stays_inside_its_frame() -> None:
    drawn = chart(("a", "b", "c"), [[6000] * 3, [9000, 20_000, 6000], [12_300, 47_800, 12_300]])
    assert [tick.label for tick in drawn.amounts] == [
        "$0",
        "$10,000",
        "$20,000",
        "$30,000",
        "$40,000",
        "$50,000",
    ]
    heights = [int(y) for line in drawn.lines for y in re.findall(r",(\d+)", line.points)]
    assert all(0 <= y <= HEIGHT for y in heights)


def test_names_beside_the_lines_do_not_overlap() -> None:
    drawn = chart("abcdef", [[6000] * 6, [8000] * 6])
    places = sorted(line.label_y for line in drawn.lines)
    assert all(below - above >= 18 for above, below in pairwise(places))
    assert places[-1] <= HEIGHT
