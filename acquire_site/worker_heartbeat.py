"""Heartbeat of Celery workers: as long as a worker's own loop runs, it touches a file."""

from typing import Any

from celery import Celery, bootsteps

from games.realtime import heartbeat_files

_PART_OF_QUEUE = {"celery": "mail", "bots": "bots"}


class Heartbeat(bootsteps.StartStopStep):
    """Makes a worker touch the files of the parts that it serves."""

    requires = ("celery.worker.components:Timer",)

    def start(self, parent: Any) -> None:
        for queue in parent.app.amqp.queues.consume_from:
            if part := _PART_OF_QUEUE.get(queue):
                heartbeat_files.beat(part)
                parent.timer.call_repeatedly(heartbeat_files.BEAT_SECONDS, heartbeat_files.beat, (part,))


def add_to(app: Celery) -> None:
    """Make all workers of the app beat."""
    app.steps["worker"].add(Heartbeat)
