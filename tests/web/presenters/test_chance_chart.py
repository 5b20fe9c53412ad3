"""The chart and the bar of everybody's chance to win."""

import re

from games.web.presenters.chance_chart import HEIGHT, WIDTH, chance_bar, chance_chart


def test_areas_are_stacked_and_cover_each_other() -> None:
    chart = chance_chart([0, 300, 600], [[0.5, 0.25, 0.25], [0.2, 0.3, 0.5], [1, 0, 0]])
    assert [area.seat for area in chart.areas] == [2, 1, 0]
    first = chart.areas[-1].path
    assert first == f"M0 {HEIGHT}L0 75L300 120L600 0H{WIDTH}V{HEIGHT}z"
    whole = chart.areas[0].path
    assert re.findall(r"L\d+ (\d+)", whole) == ["0", "0", "0"]


def test_bar_is_full_and_labels_what_fits() -> None:
    bar = chance_bar([0.5, 0.12, 0.05, 0.33], ["Ann", "Ben", "Cleo", "Dan"])
    assert [part.label for part in bar] == ["Ann 50", "12", "", "Dan 33"]
    assert [part.start for part in bar] == [0, 50, 62, 67]
    assert sum(part.width for part in bar) == 100
    assert bar[0].middle == 25


def test_long_name_is_cut_to_its_part_of_the_bar() -> None:
    assert chance_bar([0.3, 0.7], ["Konstantinopolitanus", "Ann"])[0].label == "Konstan… 30"


def test_bar_without_chances_has_no_parts() -> None:
    assert chance_bar([], []) == ()
