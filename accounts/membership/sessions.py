"""Sessions of a user."""

from allauth.usersessions.models import UserSession

from accounts.models import User


def end_sessions(user: User) -> int:
    """Log the user out everywhere, close open sockets and return the number of sessions."""
    sessions = list(UserSession.objects.filter(user=user))
    for session in sessions:
        session.end()
    return len(sessions)
