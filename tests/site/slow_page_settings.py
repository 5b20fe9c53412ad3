"""Settings of a site with a page that takes as long as its address says, such as /slow/2.5/.

The site runs with DJANGO_SETTINGS_MODULE=tests.site.slow_page_settings.
"""

import re
import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from acquire_site.settings import *  # noqa: F403
from acquire_site.settings import MIDDLEWARE


def answer_slowly(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    def middleware(request: HttpRequest) -> HttpResponse:
        if not (slow := re.fullmatch(r"/slow/([\d.]+)/", request.path)):
            return get_response(request)
        print("A slow request begins.", flush=True)
        time.sleep(float(slow[1]))
        return HttpResponse("late")

    return middleware


MIDDLEWARE = ["tests.site.slow_page_settings.answer_slowly", *MIDDLEWARE]
