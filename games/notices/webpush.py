"""Web push: a message for one browser, sealed so that the push service between cannot read it.

The sealing is RFC 8291 with one record of RFC 8188; who sends is told as in RFC 8292 (VAPID).
"""

import os
import struct
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from email.utils import parseaddr
from functools import cache
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02

# Push services take messages of 4,096 bytes; the head, the padding mark and the tag leave so many.
LONGEST_MESSAGE = 3900

AUTH_BYTES = 16
_RECORD_SIZE = 4096
_LAST_RECORD = b"\x02"

# Seconds: how long a service keeps a message for a browser that sleeps, how long a signature is good.
_KEPT = 24 * 3600
_SIGNED_FOR = 12 * 3600


def is_on() -> bool:
    """Whether the site has a key to sign with; without one there is no web push."""
    return bool(settings.VAPID_PRIVATE_KEY)


def public_key() -> str:
    """The key by which browsers know the site, as their scripts want it."""
    return _public_key(settings.VAPID_PRIVATE_KEY)


def headers(url: str, topic: str) -> dict[str, str]:
    """What goes before a sealed message to this address.

    Of several messages on one `topic` (up to 32 letters and digits) a sleeping browser gets the last.
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


def seal(
    message: bytes,
    public: bytes,
    auth: bytes,
    *,
    key: EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """The message for the browser with this public key and secret.

    `key` and `salt` are drawn anew for every message; only a test names them. Raises ValueError
    when `public` is no point of the curve or the message is too long.
    """
    if len(message) > LONGEST_MESSAGE:
        raise ValueError("The message is too long.")
    theirs = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), public)
    ours = key or generate_private_key(SECP256R1())
    salt = salt or os.urandom(16)
    sender = _point(ours)
    secret = _derive(ours.exchange(ECDH(), theirs), auth, b"WebPush: info\0" + public + sender, 32)
    content_key = _derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\0", 12)
    sealed = AESGCM(content_key).encrypt(nonce, message + _LAST_RECORD, None)
    return salt + struct.pack("!LB", _RECORD_SIZE, len(sender)) + sender + sealed


def check_keys(public: str, auth: str) -> None:
    """Raise ValueError unless these are a browser's keys in base64."""
    EllipticCurvePublicKey.from_encoded_point(SECP256R1(), decode(public))
    if len(decode(auth)) != AUTH_BYTES:
        raise ValueError("The secret has another length.")


def decode(text: str) -> bytes:
    """Bytes from base64 for URLs, with or without the signs at its end."""
    return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))


def encode(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def new_private_key() -> str:
    """A key for VAPID_PRIVATE_KEY."""
    return encode(generate_private_key(SECP256R1()).private_numbers().private_value.to_bytes(32, "big"))


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


def _point(key: EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


@cache
def _signer(private_key: str) -> Vapid02:
    return Vapid02.from_string(private_key)


@cache
def _public_key(private_key: str) -> str:
    return encode(_point(_signer(private_key).private_key))
