"""Signs of life of the processes of the site."""

from typing import Final

from django.db import models

# The work of each queue, as operators read it. Celery gives its own name to the queue of the rest.
WORK_OF_QUEUES: Final = {"celery": "emails and messages", "bots": "bots"}


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
    # The start of the process in ticks of the kernel, because numbers of processes are used again.
    start_ticks = models.BigIntegerField(default=0)
    # By the clock of the database, so that signs of several machines compare.
    started = models.DateTimeField()
    at = models.DateTimeField(db_index=True)
    version = models.CharField(max_length=40)
    build = models.CharField(max_length=16)
    key_mark = models.CharField(max_length=16)
    # The lead of the machine's clock over the database's; null if that has none of its own.
    clock_ahead_seconds = models.FloatField(null=True)
    memory_bytes = models.BigIntegerField(default=0)
    # The first and the last request that a web process refused, most lately, because too many came at once.
    refusing_since = models.DateTimeField(null=True)
    refused_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        kind = self.Kind(self.kind).label
        work = ", ".join(WORK_OF_QUEUES.get(queue, queue) for queue in self.queue_names)
        what = f"{kind} for {work}" if work else kind
        return f"{what}, process {self.pid} on {self.host}"

    @property
    def queue_names(self) -> list[str]:
        return self.queues.split(",") if self.queues else []
