"""Web push: encrypted messages to browsers.

Messages are encrypted by RFC 8291, in one record of RFC 8188; requests are signed by RFC 8292 (VAPID).
"""

import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from email.utils import parseaddr
from functools import cache
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02

# Push services take 4,096 bytes; the header, the padding delimiter and the tag need about 100 of them.
MAX_MESSAGE_BYTES = 3900

AUTH_BYTES = 16

# Seconds: how long a push service keeps a message for an offline browser, and how long a signature is valid.
_KEPT = 24 * 3600
_SIGNED_FOR = 12 * 3600


def is_on() -> bool:
    """Return whether the site has a key for web push."""
    return bool(settings.VAPID_PRIVATE_KEY)


def public_key() -> str:
    """The site's public key in the form that browsers expect."""
    return _public_key(settings.VAPID_PRIVATE_KEY)


def headers(url: str, topic: str) -> dict[str, str]:
    """The HTTP headers of an encrypted message to this URL.

    Of several messages on one `topic` (up to 32 letters and digits), an offline browser gets the last.
    """
    parts = urlsplit(url)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + _SIGNED_FOR,
        "sub": settings.VAPID_SUBJECT or f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}",
    }
    return {
        "Authorization": _signer(settings.VAPID_PRIVATE_KEY).sign(claims)["Authorization"],
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(_KEPT),
        "Topic": topic,
        "Urgency": "normal",
    }


def encrypt(message: bytes, public: str, auth: str) -> bytes:
    """Return the message encrypted for the browser with this public key and secret, both in base64.

    Raises ValueError for invalid keys or a message that is too long.
    """
    # Imported late: it loads two HTTP clients, which most processes never need.
    from pywebpush import WebPusher

    if len(message) > MAX_MESSAGE_BYTES:
        raise ValueError("The message is too long.")
    check_keys(public, auth)
    # No endpoint: pywebpush does not send the message, `public_http` does.
    pusher = WebPusher({"endpoint": "", "keys": {"p256dh": public, "auth": auth}})
    encrypted: bytes = pusher.encode(message)["body"]
    return encrypted


def check_keys(public: str, auth: str) -> None:
    """Raise ValueError unless these are a browser's keys in base64."""
    EllipticCurvePublicKey.from_encoded_point(SECP256R1(), decode(public))
    if len(decode(auth)) != AUTH_BYTES:
        raise ValueError("The secret has another length.")


def decode(text: str) -> bytes:
    """Bytes from base64 for URLs, with or without padding."""
    return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))


def encode(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def new_private_key() -> str:
    """A new value for VAPID_PRIVATE_KEY."""
    return encode(generate_private_key(SECP256R1()).private_numbers().private_value.to_bytes(32, "big"))


@cache
def _signer(private_key: str) -> Vapid02:
    return Vapid02.from_string(private_key)


@cache
def _public_key(private_key: str) -> str:
    key = _signer(private_key).private_key.public_key()
    return encode(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
