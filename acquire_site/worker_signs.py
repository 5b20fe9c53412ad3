"""Workers show that they live, count the tasks that fail, and say when a task was requested."""

import time
from typing import Any

from celery import Celery, bootsteps
from celery.signals import before_task_publish, task_failure, worker_shutting_down
from django.conf import settings

from games.models import ProcessSign
from games.processes import heartbeat_files, process_signs, task_failures

# Header of a task: when it was requested, in seconds since 1970.
SENT_AT = "sent_at"

_PART_OF_QUEUE = {"celery": "mail", "bots": "bots"}

_BEAT_SECONDS = 5.0
# A worker's loop waits up to a second for Redis, several times in a row when Redis hangs.
_PULSE_SECONDS = 30.0
# The time that the database may take to remove the sign before the worker begins to end.
_END_SECONDS = 1.0


class ShowLife(bootsteps.StartStopStep):
    """Shows that a worker lives as long as its own loop goes round.

    Starts again with every new connection to the broker, because a lost one ends all timers of the loop.
    """

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def start(self, parent: Any) -> None:
        for queue in parent.app.amqp.queues.consume_from:
            if part := _PART_OF_QUEUE.get(queue):
                heartbeat_files.beat(part)
                parent.timer.call_repeatedly(heartbeat_files.BEAT_SECONDS, heartbeat_files.beat, (part,))
        if not settings.SIGN_OF_LIFE_SECONDS:
            return
        pulse = _pulse(parent)
        pulse.beat()
        parent.timer.call_repeatedly(_BEAT_SECONDS, pulse.beat)


_shown: list[tuple[process_signs.Pulse, process_signs.SigningThread]] = []


def _pulse(consumer: Any) -> process_signs.Pulse:
    """The pulse of this worker; the first call starts the thread that shows it."""
    if not _shown:
        pulse = process_signs.Pulse(_PULSE_SECONDS)
        queues = map(str, consumer.app.amqp.queues.consume_from)
        thread = process_signs.SigningThread(process_signs.SignOfLife(ProcessSign.Kind.WORKER, queues), pulse)
        _shown.append((pulse, thread))
        thread.start()
    return _shown[0][0]


@worker_shutting_down.connect
def end_sign(**_: Any) -> None:
    for _pulse, thread in _shown:
        thread.end(_END_SECONDS)


@task_failure.connect
def count_failure(sender: Any = None, exception: BaseException | None = None, **_: Any) -> None:
    task_failures.record(getattr(sender, "name", "an unknown task"), exception)


@before_task_publish.connect
def note_time(headers: dict[str, Any] | None = None, **_: Any) -> None:
    if headers is not None:
        headers.setdefault(SENT_AT, time.time())


def add_to(app: Celery) -> None:
    """Make all workers of the app show that they live."""
    app.steps["consumer"].add(ShowLife)
