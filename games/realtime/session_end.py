"""Receivers that close the sockets of users whose session or account has ended."""

from functools import partial
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.utils import timezone

from accounts.models import User
from games.realtime import ticks

# Columns whose change ends the user's sessions.
_ENDS = {"is_active", "password"}


@receiver(post_delete, sender=Session, dispatch_uid="games.session_ended")
def session_ended(instance: Session, **_: Any) -> None:
    """Close the user's sockets when a session is deleted; expired sessions have none."""
    user = instance.get_decoded().get(SESSION_KEY)
    if user and instance.expire_date > timezone.now():
        _close_sockets(int(user))


@receiver(post_save, sender=User, dispatch_uid="games.user_changed")
def user_changed(instance: User, created: bool, update_fields: Any = None, **_: Any) -> None:
    """Close the user's sockets when the account is closed or its password changes."""
    if not created and (update_fields is None or _ENDS & set(update_fields)):
        _close_sockets(instance.pk)


def _close_sockets(user_id: int) -> None:
    transaction.on_commit(partial(ticks.recheck_login, user_id), robust=True)
