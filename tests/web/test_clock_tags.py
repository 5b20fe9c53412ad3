"""The time left in words."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.templatetags.clock_tags import left


@pytest.mark.parametrize(
    ("time", "words"),
    [
        (timedelta(days=3), "3 days left"),
        (timedelta(days=3, minutes=-2), "3 days left"),
        (timedelta(days=2, hours=23), "2 days left"),
        (timedelta(days=1), "24 hours left"),
        (timedelta(minutes=5), "5 minutes left"),
        (timedelta(minutes=4, seconds=30), "4 minutes left"),
        (timedelta(seconds=40), "less than a minute left"),
        (timedelta(), "time is up"),
    ],
)
def test_clock_that_starts_shows_all_its_time(time: timedelta, words: str) -> None:
    assert left(timezone.now() + time) == words
