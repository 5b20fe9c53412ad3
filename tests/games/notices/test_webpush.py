"""Messages for browsers are sealed as the standards say."""

import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key
from py_vapid import Vapid02

from games.notices import webpush
from games.notices.webpush import decode, encode


def private(text: str) -> Any:
    return derive_private_key(int.from_bytes(decode(text), "big"), SECP256R1())


def test_it_seals_the_example_of_the_standard() -> None:
    """RFC 8291, appendix A."""
    sealed = webpush.seal(
        b"When I grow up, I want to be a watermelon",
        decode("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
        decode("BTBZMqHH6r4Tts7J_aSIgg"),
        key=private("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
        salt=decode("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert encode(sealed) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
        "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_every_message_is_sealed_anew() -> None:
    public = webpush.decode(webpush._public_key(webpush.new_private_key()))
    assert webpush.seal(b"news", public, bytes(16)) != webpush.seal(b"news", public, bytes(16))


def test_the_site_signs_for_the_service_alone(settings: Any) -> None:
    settings.VAPID_PRIVATE_KEY = webpush.new_private_key()
    settings.VAPID_SUBJECT = "mailto:host@acquire.example"
    signed = webpush.headers("https://push.example/send/abc", "game1")["Authorization"]
    assert Vapid02.verify(signed)
    token = signed.removeprefix("vapid t=").partition(",")[0]
    claims = json.loads(decode(token.split(".")[1]))
    assert (claims["aud"], claims["sub"]) == ("https://push.example", "mailto:host@acquire.example")
    assert signed.endswith(f"k={webpush.public_key()}")


def test_without_a_key_it_is_off(settings: Any) -> None:
    settings.VAPID_PRIVATE_KEY = ""
    assert not webpush.is_on()


@pytest.mark.parametrize("public, auth", [("", ""), ("BAAA", "BTBZMqHH6r4Tts7J_aSIgg"), ("no base 64", "?")])
def test_what_is_no_key_of_a_browser_is_refused(public: str, auth: str) -> None:
    with pytest.raises(ValueError):
        webpush.check_keys(public, auth)


def test_a_message_that_no_service_would_take_is_refused() -> None:
    public = webpush.decode(webpush._public_key(webpush.new_private_key()))
    with pytest.raises(ValueError):
        webpush.seal(bytes(4000), public, bytes(16))
