"""Codes by which members log in without a password. They are stored nowhere.

The session of the browser that asks holds a nonce, and so does the row of the outbox. The code is derived
from nonce, address and `SECRET_KEY`: when the mail is sent, and again when a code is typed. So no copy of the
database opens an account, and the page looks nobody up before the code was right.
"""

import secrets
from datetime import timedelta

from allauth.account.models import EmailAddress
from django.utils.crypto import constant_time_compare, salted_hmac

# From the request, not from the mail: the page does not know when that is sent.
LIFETIME = timedelta(minutes=15)

_SALT = "accounts.login_codes"

# Without vowels and what looks like a digit: no code is a word, and none is misread.
_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"


def new_nonce() -> str:
    return secrets.token_urlsafe(16)


def make_code(address: str, nonce: str) -> str:
    """The code for an address and a nonce, such as "BCDF-GHJK"."""
    digest = salted_hmac(_SALT, f"{nonce} {address}", algorithm="sha256").digest()
    code = "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:8])
    return f"{code[:4]}-{code[4:]}"


def is_code(typed: str, address: str, nonce: str) -> bool:
    """Return whether this is the code, in upper or lower case, with or without the hyphen and spaces."""
    letters = "".join(typed.upper().replace("-", " ").split())
    return constant_time_compare(letters, make_code(address, nonce).replace("-", ""))


def find_address(typed: str) -> EmailAddress | None:
    """The confirmed address of an open account that is spelled exactly so, in lower case; else None.

    The spelling matters because databases treat some different letters as equal, and then the code would be
    mailed to somebody else.
    """
    confirmed = EmailAddress.objects.filter(email=typed, verified=True, user__is_active=True)
    return confirmed.select_related("user").first()
