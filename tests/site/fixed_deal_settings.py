"""Settings of a site that deals the same games in the same order each time it starts.

The site runs with DJANGO_SETTINGS_MODULE=tests.site.fixed_deal_settings; with another word as DEAL it deals
others. With GAME_REVIEWS=0 no finished game is assessed.
"""

import os

from django.apps import AppConfig

from acquire_site.settings import *  # noqa: F403
from acquire_site.settings import INSTALLED_APPS
from tests.tools import fixed_seeds


class Dealt(AppConfig):
    name = "tests.site"
    label = "dealt"

    def ready(self) -> None:
        from games.lobby import game_start
        from games.realtime import worker_queue

        game_start.new_seed = fixed_seeds.drawn(os.environ.get("DEAL", ""))
        if os.environ.get("GAME_REVIEWS") == "0":
            worker_queue.request_assessment = lambda game_id: False


INSTALLED_APPS = [*INSTALLED_APPS, "tests.site.fixed_deal_settings.Dealt"]
