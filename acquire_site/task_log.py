"""Context of log lines in workers: task and game."""

from typing import Any

from celery.signals import task_postrun, task_prerun

from acquire_site.log_context import log_context


@task_prerun.connect
def know_task(task_id: str = "", task: Any = None, args: Any = (), **_: Any) -> None:
    known: dict[str, Any] = {"request": task_id, "task": getattr(task, "name", "")}
    # Tasks of a game have its key and version as arguments.
    known |= dict(zip(("game_key", "version"), args or (), strict=False))
    log_context.set(known)


@task_postrun.connect
def forget_task(**_: Any) -> None:
    log_context.set(None)
