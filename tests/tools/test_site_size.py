"""The needs of a site with many people are computed from figures that were measured."""

from dataclasses import replace

import pytest

from tests.tools import site_size
from tests.tools.site_size import MEASURED, Need


def test_table_on_the_page_is_up_to_date() -> None:
    """After a change of the figures: python -m tests.tools.site_size."""
    text = site_size.PAGE.read_text()
    assert site_size.written(text) == text


def test_ten_times_the_people_need_ten_times_the_cores() -> None:
    small, large = Need(1_000), Need(10_000)
    assert large.web_processes == pytest.approx(10 * small.web_processes, rel=0.1)
    assert large.statements == pytest.approx(10 * small.statements)


def test_ticks_grow_with_the_square_of_the_people() -> None:
    assert Need(10_000).ticks == pytest.approx(100 * Need(1_000).ticks, rel=0.1)


def test_pages_that_cost_half_need_half_the_processes() -> None:
    cheaper = replace(MEASURED, web_cores=MEASURED.web_cores / 2)
    assert Need(10_000, cheaper).web_processes == pytest.approx(Need(10_000).web_processes / 2, rel=0.02)


@pytest.mark.parametrize(
    ("value", "shown"), [(0.44, "0.4"), (3.0, "3"), (12.4, "12"), (117.0, "120"), (7_634_000.0, "7,600,000")]
)
def test_numbers_are_rounded_to_two_digits(value: float, shown: str) -> None:
    assert site_size._rounded(value) == shown
