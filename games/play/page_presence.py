"""Visibility of open game pages."""

from django.utils import timezone

from games.models import OpenPage
from games.models.presence import VISIBLE_FOR


def mark_visible(user_id: int, game_id: int, socket: str) -> None:
    """Mark that the user has a visible page of the game; `socket` identifies the page."""
    until = timezone.now() + VISIBLE_FOR
    if not OpenPage.objects.filter(socket=socket).update(visible_until=until):
        OpenPage.objects.bulk_create(
            [OpenPage(user_id=user_id, game_id=game_id, socket=socket, visible_until=until)],
            ignore_conflicts=True,
        )


def mark_hidden(socket: str) -> None:
    """Mark that the page is hidden or closed."""
    now = timezone.now()
    OpenPage.objects.filter(socket=socket, visible_until__gt=now).update(visible_until=now)
