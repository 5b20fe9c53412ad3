"""Count of the tasks that failed, for operators."""

import logging

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from games.models import TaskFailure

logger = logging.getLogger(__name__)


def record(task: str, error: BaseException | None) -> None:
    """Count a failure of a task; never raises, because it would hide the failure itself."""
    values = {"error": type(error).__name__[:100], "last": timezone.now()}
    try:
        with transaction.atomic():
            if not TaskFailure.objects.filter(task=task).update(times=F("times") + 1, **values):
                TaskFailure.objects.create(task=task[:100], **values)
    except Exception as trouble:
        logger.warning("That %s failed could not be counted: %s", task, type(trouble).__name__)
