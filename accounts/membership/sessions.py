"""Where somebody is logged in."""

from allauth.usersessions.models import UserSession

from accounts.models import User


def end_sessions(user: User) -> int:
    """Log the user out everywhere; returns in how many places. Open pages hear of it and fall silent."""
    sessions = list(UserSession.objects.filter(user=user))
    for session in sessions:
        session.end()
    return len(sessions)
