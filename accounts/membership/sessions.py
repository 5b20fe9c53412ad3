"""Sessions of a user."""

from importlib import import_module

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY

from accounts.models import User


def end_sessions(user: User) -> int:
    """Log the user out everywhere, close open sockets and return the number of sessions."""
    sessions = list(UserSession.objects.filter(user=user))
    for session in sessions:
        session.end()
    return len(sessions)


def keep_sessions(user: User) -> None:
    """Let the user's sessions go on after a change of the password, which otherwise ends them."""
    engine = import_module(settings.SESSION_ENGINE)
    for key in UserSession.objects.filter(user=user).values_list("session_key", flat=True):
        session = engine.SessionStore(key)
        if HASH_SESSION_KEY in session:
            session[HASH_SESSION_KEY] = user.get_session_auth_hash()
            session.save(must_create=False)
