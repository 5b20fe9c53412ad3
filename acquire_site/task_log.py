"""Lines that are logged while a worker does a task say which task it is, and about which game."""

from typing import Any

from celery.signals import task_postrun, task_prerun

from acquire_site.log_context import log_context


@task_prerun.connect
def know_task(task_id: str = "", task: Any = None, args: Any = (), **_: Any) -> None:
    known: dict[str, Any] = {"request": task_id, "task": getattr(task, "name", "")}
    # The tasks of a game are given its key and its version.
    known |= dict(zip(("game_key", "version"), args or (), strict=False))
    log_context.set(known)


@task_postrun.connect
def forget_task(**_: Any) -> None:
    log_context.set(None)
