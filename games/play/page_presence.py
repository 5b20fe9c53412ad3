"""What pages tell about being looked at."""

from datetime import timedelta

from django.utils import timezone

from games.models import OpenPage

# A visible page says so twice within this time; when it falls silent it counts as hidden.
TTL = timedelta(seconds=45)


def mark_visible(user_id: int, game_id: int, socket: str) -> None:
    """The user has a page of the game before the eyes; `socket` tells it from the user's other pages."""
    until = timezone.now() + TTL
    if not OpenPage.objects.filter(socket=socket).update(visible_until=until):
        OpenPage.objects.bulk_create(
            [OpenPage(user_id=user_id, game_id=game_id, socket=socket, visible_until=until)],
            ignore_conflicts=True,
        )


def mark_hidden(socket: str) -> None:
    """The page is hidden, or gone."""
    now = timezone.now()
    OpenPage.objects.filter(socket=socket, visible_until__gt=now).update(visible_until=now)
