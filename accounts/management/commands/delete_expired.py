"""The command delete_expired: deletes expired rows, as the sweeper does daily."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts.privacy.cleanup import delete_expired


class Command(BaseCommand):
    help = "Deletes expired sessions, inactive guests, old notifications and similar data."

    def handle(self, *args: Any, **options: Any) -> None:
        for what, number in delete_expired(timezone.now()).items():
            self.stdout.write(f"{number} {what}")
