"""Settings of a deliberately broken site, which the safety tests must notice.

The site runs with DJANGO_SETTINGS_MODULE=tests.safety.sabotaged_settings; SABOTAGE names what is broken, one
or more.
"""

import os

from django.apps import AppConfig

from acquire_site.settings import *  # noqa: F403
from acquire_site.settings import CELERY_BROKER_TRANSPORT_OPTIONS, CHANNEL_LAYERS, INSTALLED_APPS

BROKEN = os.environ["SABOTAGE"].split()


def answer_before_the_commit() -> None:
    """Acknowledge a move before it is recorded."""
    import threading
    import time

    from games.web.play import move_views

    play_move = move_views.play_move

    def later(**facts: object) -> None:
        time.sleep(1.5)
        play_move(**facts)  # type: ignore[arg-type]

    def acknowledge(**facts: object) -> None:
        threading.Thread(target=later, kwargs=facts).start()

    move_views.play_move = acknowledge


def note_before_sending() -> None:
    """Record a mail as sent before it is."""
    from games.models import Notification
    from games.notifications.outbox import claim

    claim_row = claim.claim_row

    def note_and_claim(row: Notification, *facts: object) -> bool:
        taken = claim_row(row, *facts)  # type: ignore[arg-type]
        Notification.objects.filter(pk=row.pk).update(state="sent")
        return taken

    claim.claim_row = note_and_claim  # type: ignore[assignment]


def show_the_traceback() -> None:
    """Show the traceback of an error."""
    import traceback

    from django.http import HttpResponse

    from acquire_site import site_views

    site_views.server_error = lambda request: HttpResponse(traceback.format_exc(), status=500)


def wait_for_redis() -> None:
    """Let ticks wait for Redis without a limit."""
    from games.realtime import best_effort

    best_effort.REDIS_BACKOFF_SECONDS = 0.0


def hear_every_origin() -> None:
    """Accept sockets from pages of other sites."""
    from acquire_site import socket_origins

    socket_origins.is_allowed = lambda scope: True


def count_no_sockets() -> None:
    """Accept any number of sockets."""
    from games.realtime import socket_limits

    async def take(scope: object, name: str) -> str:
        return "somebody"

    socket_limits.take = take


def hear_every_frame() -> None:
    """Keep a socket open whatever its page sends."""
    from games.web.realtime.consumers import GameConsumer, TickConsumer

    async def listen(self: object, *words: object, **facts: object) -> None:
        pass

    for consumer in (GameConsumer, TickConsumer):
        consumer.receive = listen  # type: ignore[method-assign]


def never_look_again() -> None:
    """Keep a socket open although its user is logged out."""
    from games.realtime import socket_limits

    async def always(scope: object) -> bool:
        return True

    socket_limits.is_still_there = always


def trip_over_hosts() -> None:
    """Fail on a request to another host."""
    from django.http import HttpRequest

    def get_host(self: HttpRequest) -> str:
        host = self._get_raw_host()  # type: ignore[attr-defined]
        if "evil" in host:
            raise RuntimeError(host)
        return str(host)

    HttpRequest.get_host = get_host  # type: ignore[method-assign]


def forget_refusals() -> None:
    """Let nobody know that requests are refused."""
    from games.processes.refused_requests import RefusedRequests

    def note(self: object) -> None:
        pass

    RefusedRequests.note = note  # type: ignore[method-assign]


def let_live_clocks_run() -> None:
    """Let live clocks run on while the site is away."""
    from datetime import timedelta

    from games.clocks import site_presence
    from games.play.deadlines import live_deadlines, outages

    site_presence.web_silence = timedelta
    live_deadlines.does_redis_answer = lambda: True
    outages.restore_live_time = lambda since: 0


if "wait_for_redis" in BROKEN:
    patient = {"socket_timeout": 20.0, "socket_connect_timeout": 20.0}
    CELERY_BROKER_TRANSPORT_OPTIONS.update(patient)
    CHANNEL_LAYERS["default"]["CONFIG"]["hosts"][0].update(patient)


class Sabotage(AppConfig):
    name = "tests.safety"
    label = "sabotage"

    def ready(self) -> None:
        for name in BROKEN:
            globals()[name]()


INSTALLED_APPS = [*INSTALLED_APPS, "tests.safety.sabotaged_settings.Sabotage"]
