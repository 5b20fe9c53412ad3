"""Members: addresses, log-in and sign-up."""

import re
from typing import Any

from allauth.account.models import EmailAddress
from django.test import Client

from accounts.models import User

PASSWORD = "a long enough secret"

CODE, CONFIRM = "/accounts/login/code/", "/accounts/login/code/confirm/"


def create_member(name: str, address: str = "", *, verified: bool = True, **columns: Any) -> User:
    """Create a member with the password of the tests and, if given, a mail address."""
    user = User.objects.create_user(name, address, PASSWORD, **columns)
    if address:
        add_address(user, address, verified=verified)
    return user


def add_address(user: User, address: str, *, verified: bool = True) -> EmailAddress:
    """Give the user a primary mail address."""
    return EmailAddress.objects.create(user=user, email=address, verified=verified, primary=True)


def log_in(client: Client, login: str, password: str = PASSWORD) -> Any:
    """Send the form of the log-in page."""
    return client.post("/accounts/login/", {"login": login, "password": password})


def sign_up(client: Client, name: str, **fields: str) -> Any:
    """Send the form of the sign-up page."""
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD, "consent": "on", **fields}
    return client.post("/accounts/signup/", form)


def ask_for_code(client: Client, email: str, address: str = "192.0.2.2") -> Any:
    """Send the form of the page that mails a code to log in."""
    return client.post(CODE, {"email": email}, REMOTE_ADDR=address)


def code_in(message: Any) -> str:
    """The code in a mail."""
    found = re.search(r"^([A-Z]{4}-[A-Z]{4})$", message.body, re.MULTILINE)
    assert found, message.body
    return found[1]
