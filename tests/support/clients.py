"""Browsers of users."""

from django.test import Client

from accounts.models import User


def client_of(user: User | None = None) -> Client:
    """Return a browser in which the user is logged in, or that of a visitor."""
    client = Client()
    if user is not None:
        client.force_login(user)
    return client
