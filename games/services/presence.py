"""What pages tell about being looked at."""

from datetime import timedelta

from django.utils import timezone

from games.models import Presence

# A visible page says so twice within this time; when it falls silent it counts as hidden.
TTL = timedelta(seconds=45)


def look_at(user_id: int, game_id: int, socket: str) -> None:
    """The user has a page of the game before the eyes; `socket` tells it from the user's other pages."""
    until = timezone.now() + TTL
    if not Presence.objects.filter(socket=socket).update(until=until):
        Presence.objects.bulk_create(
            [Presence(user_id=user_id, game_id=game_id, socket=socket, until=until)], ignore_conflicts=True
        )


def look_away(socket: str) -> None:
    """The page is hidden, or gone."""
    now = timezone.now()
    Presence.objects.filter(socket=socket, until__gt=now).update(until=now)
