"""The settings of a site that deals the same games, in the same order, each time it is started.

The site runs with DJANGO_SETTINGS_MODULE=tests.site.dealt; with another word as DEAL it deals others.
With GAME_REVIEWS=0 no finished game is assessed.
"""

import os

from django.apps import AppConfig

from acquire_site.settings import *  # noqa: F403
from acquire_site.settings import INSTALLED_APPS
from tests import deals


class Dealt(AppConfig):
    name = "tests.site"
    label = "dealt"

    def ready(self) -> None:
        from games.services import hints, starting

        starting.draw_seed = deals.drawn(os.environ.get("DEAL", ""))
        if os.environ.get("GAME_REVIEWS") == "0":
            hints.ask_story = lambda game_id: False


INSTALLED_APPS = [*INSTALLED_APPS, "tests.site.dealt.Dealt"]
