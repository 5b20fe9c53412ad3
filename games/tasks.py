"""Work for Celery's workers. Every task may come late or twice."""

from celery import shared_task

from games import notices, services

# Well within the time that a task may take, with one more mail on its way.
DELIVERY_SECONDS = 20.0


@shared_task
def play_computer(game_id: int, version: int) -> None:
    """Let a computer move if it still has to."""
    services.play_computer(game_id, version)


@shared_task
def deliver() -> None:
    """Send what people are to be told, as far as nobody else does."""
    notices.deliver(DELIVERY_SECONDS)
