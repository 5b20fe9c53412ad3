"""Limits of open sockets per visitor, and whether the user of a socket is still logged in.

All web processes count together, and each for itself while Redis does not answer. Members and guests count by
account, visitors by IP address.
"""

import asyncio
from collections import Counter
from importlib import import_module
from typing import Any

from channels.auth import get_user
from django.conf import settings
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.realtime import shared_counts

_open: Counter[str] = Counter()


async def take(scope: dict[str, Any], name: str) -> str:
    """Count one more socket and return its holder, or "" if the holder has reached the limit."""
    user, client = scope["user"], scope.get("client")
    if user.is_authenticated:
        holder, most = f"user {user.pk}", settings.SOCKETS_PER_USER
    else:
        holder, most = f"address {client[0] if client else ''}", settings.SOCKETS_PER_ADDRESS
    if _open[holder] >= most:
        return ""
    _open[holder] += 1
    if await asyncio.to_thread(shared_counts.take_place, holder, name, most):
        return holder
    _count_less(holder)
    return ""


async def give_back(holder: str, name: str) -> None:
    """Count the socket of this name and holder no longer, if there is a holder."""
    if holder:
        _count_less(holder)
        await asyncio.to_thread(shared_counts.give_back_place, holder, name)


def _count_less(holder: str) -> None:
    _open[holder] -= 1
    if _open[holder] <= 0:
        del _open[holder]


def open_sockets() -> int:
    """The number of sockets that are open in this process."""
    return sum(_open.values())


async def is_still_there(scope: dict[str, Any]) -> bool:
    """Return whether the user of the socket is still logged in with the same session and not banned."""
    user, session = scope["user"], scope.get("session")
    if not user.is_authenticated:
        return True
    if session is None:
        return await User.objects.filter(pk=user.pk, is_active=True).aexists()
    store = import_module(settings.SESSION_ENGINE).SessionStore
    found: User | AnonymousUser = await get_user({"session": store(session.session_key)})
    return found.pk == user.pk
