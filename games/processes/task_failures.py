"""Count of the tasks that failed, for operators."""

import logging

from django.db import transaction
from django.db.models import F

from games.clocks import machine_clock
from games.models import TaskFailure

logger = logging.getLogger(__name__)


def record(task: str, error: BaseException | None) -> None:
    """Count a failure of a task; never raises, because it would hide the failure itself."""
    try:
        # By the clock of the database, because any machine may ask how long ago it was.
        values = {"error": type(error).__name__[:100], "last": machine_clock.database_time()}
        with transaction.atomic():
            if not TaskFailure.objects.filter(task=task).update(times=F("times") + 1, **values):
                TaskFailure.objects.create(task=task[:100], **values)
    except Exception as trouble:
        logger.warning("That %s failed could not be counted: %s", task, type(trouble).__name__)
