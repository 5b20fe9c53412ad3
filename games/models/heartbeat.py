"""Heartbeats of background processes."""

from django.db import models


class Heartbeat(models.Model):
    """The last sign of life of a process that others rely on, such as the sweeper."""

    name = models.CharField(max_length=20, primary_key=True)
    at = models.DateTimeField()
    # The steady clock of the machine at that time, and which start of a machine it counts from.
    steady_seconds = models.FloatField(null=True)
    boot = models.CharField(max_length=40, default="", db_default="")
    detail = models.CharField(max_length=200, default="", db_default="")

    def __str__(self) -> str:
        return f"{self.name} at {self.at}"
