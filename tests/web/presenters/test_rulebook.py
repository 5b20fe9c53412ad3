"""The rules for people agree with the rules of the engine."""

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.web.presenters.acquire.rulebook import (
    differences,
    example,
    option_names,
    option_values,
    preset_name,
    preset_page,
    presets,
    prices,
    rules_page,
)

CHART_2008 = [
    ("$200", ("2", "", "")),
    ("$300", ("3", "2", "")),
    ("$400", ("4", "3", "2")),
    ("$500", ("5", "4", "3")),
    ("$600", ("6–10", "5", "4")),
    ("$700", ("11–20", "6–10", "5")),
    ("$800", ("21–30", "11–20", "6–10")),
    ("$900", ("31–40", "21–30", "11–20")),
    ("$1,000", ("41 or more", "31–40", "21–30")),
    ("$1,100", ("", "41 or more", "31–40")),
    ("$1,200", ("", "", "41 or more")),
]


def test_price_chart_is_that_of_the_game() -> None:
    chart = prices(acquire.PRESETS["avalon-hill"])
    assert [(row.price, row.sizes) for row in chart.rows] == CHART_2008
    assert (chart.rows[0].majority, chart.rows[0].minority) == ("$2,000", "$1,000")


def test_tiers_are_named_low_to_high() -> None:
    tiers = prices(acquire.PRESETS["classic"]).tiers
    assert [[chain.label for chain in chains] for _, chains in tiers] == [
        ["Luxor", "Tower"],
        ["American", "Festival", "Worldwide"],
        ["Continental", "Imperial"],
    ]


def test_every_option_and_value_has_words() -> None:
    assert set(option_names()) == set(acquire.OPTIONS)
    assert set(option_values()) == {
        (name, value) for name, values in acquire.OPTIONS.items() for value in values
    }


def test_every_preset_has_a_title_a_line_and_a_credit() -> None:
    assert [preset.name for preset in presets()] == list(acquire.PRESETS)
    assert all(preset.title and preset.line and preset.credit for preset in presets())
    assert [preset_name(name) for name in acquire.PRESETS] == [
        "Rulebook",
        "Classic",
        "Quick reference",
        "University course",
    ]


@pytest.mark.parametrize("name", acquire.PRESETS)
def test_preset_page_names_each_difference_from_the_rule_book(name: str) -> None:
    rules, usual = acquire.PRESETS[name], acquire.PRESETS["avalon-hill"]
    differing = [option for option in acquire.OPTIONS if getattr(rules, option) != getattr(usual, option)]
    assert [row.option for row in differences(rules)] == [option_names()[option] for option in differing]
    assert len(preset_page(name)["all_options"]) == len(acquire.OPTIONS)


def test_unknown_preset_has_no_page() -> None:
    with pytest.raises(KeyError):
        preset_page("nonsense")


def test_worked_example_follows_the_rules() -> None:
    shown = example(acquire.PRESETS["avalon-hill"])
    assert (shown["price"], shown["majority"], shown["minority"]) == ("$500", "$5,000", "$2,500")
    # Ben and Cleo share $2,500: $1,250 each, rounded up.
    assert shown["rows"] == [
        ("Ann", 6, "$5,000"),
        ("Ben", 4, "$1,300"),
        ("Cleo", 4, "$1,300"),
        ("Dev", 1, "–"),
    ]
    assert rules_page()["example"] == shown
