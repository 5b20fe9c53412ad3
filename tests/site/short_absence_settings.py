"""Settings of a site where a computer keeps the seat of an absent player after seconds, not after a minute.

The site runs with DJANGO_SETTINGS_MODULE=tests.site.short_absence_settings. It still speaks of a minute.
"""

from datetime import timedelta

from tests.site.fixed_deal_settings import *  # noqa: F403
from tests.site.fixed_deal_settings import INSTALLED_APPS, Dealt

# Long enough for a page to be loaded anew on a busy machine.
ABSENCE_SECONDS = 15


class ShortAbsence(Dealt):
    def ready(self) -> None:
        from games.play.seats import left_seats

        super().ready()
        left_seats.KEPT_AFTER = timedelta(seconds=ABSENCE_SECONDS)


INSTALLED_APPS = [*INSTALLED_APPS[:-1], "tests.site.short_absence_settings.ShortAbsence"]
