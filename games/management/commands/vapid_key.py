"""Command `vapid_key`: create a key for web push."""

from typing import Any

from django.core.management import BaseCommand

from games.web.notifications import web_push


class Command(BaseCommand):
    help = "Prints a new key for web push. Browsers that subscribed under another key must do so again."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"VAPID_PRIVATE_KEY={web_push.new_private_key()}")
