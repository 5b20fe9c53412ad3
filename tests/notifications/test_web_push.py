"""Messages for browsers are encrypted and signed by the standards."""

import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key
from py_vapid import Vapid02

from games.web.notifications import web_push
from games.web.notifications.web_push import decode, encode

# The example of RFC 8291, appendix A.
PUBLIC = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"


def test_encryption_reproduces_the_example_of_the_standard(monkeypatch: pytest.MonkeyPatch) -> None:
    sender = int.from_bytes(decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
    key, salt = derive_private_key(sender, SECP256R1()), decode("DGv6ra1nlYgDCS1FRnbzlw")
    monkeypatch.setattr("pywebpush.ec.generate_private_key", lambda *_: key)
    monkeypatch.setattr("http_ece.os.urandom", lambda _length: salt)
    encrypted = web_push.encrypt(b"When I grow up, I want to be a watermelon", PUBLIC, AUTH)
    assert encode(encrypted) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
        "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_each_message_uses_new_keys() -> None:
    assert web_push.encrypt(b"news", PUBLIC, AUTH) != web_push.encrypt(b"news", PUBLIC, AUTH)


@pytest.mark.parametrize("signs", ["", "="])
def test_padded_keys_are_accepted(signs: str) -> None:
    assert web_push.encrypt(b"news", PUBLIC + signs, AUTH + 2 * signs)


def test_longest_message_fits_into_one_record() -> None:
    encrypted = web_push.encrypt(bytes(web_push.MAX_MESSAGE_BYTES), PUBLIC, AUTH)
    assert len(encrypted) == 16 + 4 + 1 + 65 + web_push.MAX_MESSAGE_BYTES + 1 + 16 <= 4096


def test_signature_is_for_the_push_service_alone(settings: Any) -> None:
    settings.VAPID_PRIVATE_KEY = web_push.new_private_key()
    settings.VAPID_SUBJECT = "mailto:host@acquire.example"
    signed = web_push.headers("https://push.example/send/abc", "game1")["Authorization"]
    assert Vapid02.verify(signed)
    token = signed.removeprefix("vapid t=").partition(",")[0]
    claims = json.loads(decode(token.split(".")[1]))
    assert (claims["aud"], claims["sub"]) == ("https://push.example", "mailto:host@acquire.example")
    assert signed.endswith(f"k={web_push.public_key()}")


def test_push_is_off_without_a_key(settings: Any) -> None:
    settings.VAPID_PRIVATE_KEY = ""
    assert not web_push.is_on()


@pytest.mark.parametrize("public, auth", [("", ""), ("BAAA", "BTBZMqHH6r4Tts7J_aSIgg"), ("no base 64", "?")])
def test_invalid_browser_key_is_refused(public: str, auth: str) -> None:
    with pytest.raises(ValueError):
        web_push.check_keys(public, auth)
    with pytest.raises(ValueError):
        web_push.encrypt(b"news", public, auth)


def test_message_too_long_for_push_services_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        web_push.encrypt(bytes(web_push.MAX_MESSAGE_BYTES + 1), PUBLIC, AUTH)
