"""Failures of tasks in workers and of rounds of the sweeper."""

from django.db import models
from django.utils import timezone


class TaskFailure(models.Model):
    """The number of times that a task has failed, and how it did last.

    Stores only the type of the error: its message may contain secrets.
    """

    task = models.CharField(max_length=100, primary_key=True)
    times = models.PositiveIntegerField(default=1)
    error = models.CharField(max_length=100)
    last = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.task}: {self.error}"
