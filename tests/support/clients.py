"""Browsers of users."""

from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from django.test import Client

from accounts.models import User


def client_of(user: User | None = None) -> Client:
    """Return a browser in which the user is logged in, or that of a visitor."""
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def forget_log_in(client: Client) -> Client:
    """Let the browser's log-in be long ago, so that the password is asked for again; return the browser."""
    session = client.session
    session.pop(AUTHENTICATION_METHODS_SESSION_KEY, None)
    session.save()
    return client
