"""Signs of life of the processes of the site."""

from django.db import models
from django.utils import timezone


class ProcessSign(models.Model):
    """The last sign of life of one process, and what operators compare between processes.

    `key_mark` is a keyed hash that is the same for processes with the same SECRET_KEY; it does not tell the
    key. `build` is a hash of the program's files.
    """

    class Kind(models.TextChoices):
        WEB = "web", "web process"
        WORKER = "worker", "worker"
        SWEEPER = "sweeper", "sweeper"

    kind = models.CharField(max_length=10, choices=Kind)
    queues = models.CharField(max_length=100, default="", blank=True)
    host = models.CharField(max_length=255)
    pid = models.PositiveIntegerField()
    started = models.DateTimeField()
    at = models.DateTimeField(default=timezone.now, db_index=True)
    version = models.CharField(max_length=40)
    build = models.CharField(max_length=16)
    key_mark = models.CharField(max_length=16)
    # How far the clock of the machine is ahead of the database's; null where that has none of its own.
    clock_ahead_seconds = models.FloatField(null=True)
    memory_bytes = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        what = (
            f"{self.Kind(self.kind).label} for {self.queues}" if self.queues else self.Kind(self.kind).label
        )
        return f"{what}, process {self.pid} on {self.host}"

    @property
    def queue_names(self) -> list[str]:
        return self.queues.split(",") if self.queues else []
