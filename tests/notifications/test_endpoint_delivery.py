"""Messages to chats, programs and browsers."""

import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import ECDH, SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey as PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.utils import timezone

from accounts.mail import outbox
from accounts.models import User
from games.models import DeliveryAttempt, Endpoint, Game, Kind, Notification
from games.notifications.outbox import claim, settle
from games.web.notifications import delivery, endpoint_delivery, web_push
from tests.notifications.conftest import behind, minutes, rows
from tests.notifications.https_server import NAME, Server
from tests.support import wording
from tests.support.games import NewGame, play_on, play_until_asked
from tests.support.mailboxes import changed

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(start: NewGame, alice: User) -> Game:
    """A game in which alice, who gets no mail, is to decide."""
    changed(alice, mail_mode=User.MailMode.OFF)
    return play_until_asked(start(alice, "random"), alice)


def tell(server: Server, game: Game, kind: Endpoint.Kind, **keys: str) -> Endpoint:
    """Add an endpoint of alice at the server, with the decision due for it."""
    url = f"https://{NAME}:{server.port}/in"
    endpoint = Endpoint.objects.create(user_id=game.waiting_for_id, kind=kind, url=url, **keys)
    due = timezone.now() - minutes(5)
    Notification.objects.create(
        user_id=game.waiting_for_id,
        game=game,
        kind=Kind.DECISION,
        version=game.version,
        endpoint=endpoint,
        due=due,
        made=due,
    )
    return endpoint


def body_of(server: Server) -> Any:
    return json.loads(server.requests[-1].split(b"\r\n\r\n", 1)[1])


def test_json_webhook_gets_the_facts(server: Server, game: Game) -> None:
    tell(server, game, Endpoint.Kind.JSON)
    assert delivery.deliver(10) == 1
    assert body_of(server) == {
        "kind": "decision",
        "game": game.public_id,
        "title": wording.YOUR_TURN_TO_PLACE,
        "text": f"Game with {game.seats.get(user=None).name}",
        "url": f"http://localhost:8000/games/{game.public_id}/?for={game.waiting_for}#headline",
    }
    assert delivery.deliver(10) == 0
    assert {row.state for row in rows(endpoint__isnull=False)} == {Notification.State.SENT}


def test_discord_message_mentions_nobody_and_contains_no_markup(server: Server, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(name="@everyone **[free](https://bad)** <@1>")
    tell(server, game, Endpoint.Kind.DISCORD)
    assert delivery.deliver(10) == 1
    body = body_of(server)
    assert body["allowed_mentions"] == {"parse": []}
    assert "\\@everyone \\*\\*\\[free\\]\\(" in body["content"]
    assert "<@1>" not in body["content"]


def test_slack_message_mentions_nobody(server: Server, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(name="<!channel> & <https://bad|free>")
    tell(server, game, Endpoint.Kind.SLACK)
    assert delivery.deliver(10) == 1
    assert "&lt;!channel&gt; &amp; &lt;https" in body_of(server)["text"]


def test_only_the_browser_can_decrypt_its_push_message(server: Server, game: Game, settings: Any) -> None:
    settings.VAPID_PRIVATE_KEY = web_push.new_private_key()
    key, auth = generate_private_key(SECP256R1()), bytes(range(16))
    public = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    tell(server, game, Endpoint.Kind.PUSH, public=web_push.encode(public), auth=web_push.encode(auth))
    assert delivery.deliver(10) == 1
    head, encrypted = server.requests[-1].split(b"\r\n\r\n", 1)
    assert b"Content-Encoding: aes128gcm" in head
    assert b"Authorization: vapid t=" in head
    assert f"Topic: {game.public_id}".encode() in head
    assert game.public_id.encode() not in encrypted
    assert json.loads(decrypted(encrypted, key, public, auth)) == {
        "title": wording.YOUR_TURN_TO_PLACE,
        "text": f"Game with {game.seats.get(user=None).name}",
        "url": f"http://localhost:8000/games/{game.public_id}/?for={game.waiting_for}#headline",
        "tag": game.public_id,
    }


def decrypted(message: bytes, key: Any, public: bytes, auth: bytes) -> bytes:
    """Return what a browser reads; written from RFC 8291 without the library that encrypts."""
    salt, sender, text = message[:16], message[21:86], message[86:]

    def derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
        return HKDF(SHA256(), length, salt, info).derive(secret)

    shared = key.exchange(ECDH(), PublicKey.from_encoded_point(SECP256R1(), sender))
    secret = derive(shared, auth, b"WebPush: info\0" + public + sender, 32)
    content_key = derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derive(secret, salt, b"Content-Encoding: nonce\0", 12)
    return AESGCM(content_key).decrypt(nonce, text, None).removesuffix(b"\x02")


@pytest.mark.parametrize("status", [404, 410])
def test_endpoint_that_is_gone_is_given_up_at_once(status: int, server: Server, game: Game) -> None:
    endpoint = tell(server, game, Endpoint.Kind.JSON)
    server.answer = lambda sock: sock.sendall(f"HTTP/1.1 {status} Gone\r\n\r\n".encode())
    assert delivery.deliver(10) == 0
    endpoint.refresh_from_db()
    assert endpoint.stopped is not None
    assert str(status) in endpoint.trouble


@pytest.mark.parametrize("status", [301, 400, 500])
def test_failed_delivery_is_retried_until_the_limit(status: int, server: Server, game: Game) -> None:
    endpoint = tell(server, game, Endpoint.Kind.JSON)
    server.answer = lambda sock: sock.sendall(f"HTTP/1.1 {status} No\r\n\r\n".encode())
    for number in range(1, settle.MAX_FAILURES + 1):
        Notification.objects.update(due=timezone.now() - minutes(1))
        DeliveryAttempt.objects.update(at=timezone.now() - max(outbox.BACK_OFF))
        assert delivery.deliver(10) == 0
        endpoint.refresh_from_db()
        assert (endpoint.failures, endpoint.stopped is not None) == (number, number == settle.MAX_FAILURES)
    assert DeliveryAttempt.objects.filter(endpoint=endpoint).count() == settle.MAX_FAILURES


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_obeyed(status: int, server: Server, game: Game) -> None:
    endpoint = tell(server, game, Endpoint.Kind.DISCORD)
    server.answer = lambda sock: sock.sendall(f"HTTP/1.1 {status} Later\r\n\r\n".encode())
    assert delivery.deliver(10) == 0
    endpoint.refresh_from_db()
    assert (endpoint.failures, endpoint.stopped) == (0, None)
    [row] = rows(endpoint=endpoint)
    assert (row.state, row.attempts) == (Notification.State.WAITING, 1)


def test_endpoint_that_moved_to_a_private_address_is_not_called(
    server: Server, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address was public when it was added."""
    endpoint = tell(server, game, Endpoint.Kind.JSON)
    behind(monkeypatch, "10.0.0.1")
    assert delivery.deliver(10) == 0
    assert server.requests == []
    endpoint.refresh_from_db()
    assert "not on the public internet" in endpoint.trouble


def test_outdated_notification_is_not_sent(
    server: Server, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(server, game, Endpoint.Kind.JSON)
    claim_message = claim.claim_message

    def claim_and_dawdle() -> object:
        claimed = claim_message()
        if claimed is not None:
            play_on(game, 1)
        return claimed

    monkeypatch.setattr(endpoint_delivery, "claim_message", claim_and_dawdle)
    delivery.deliver(10)
    assert server.requests == []


def test_message_says_that_it_is_a_test(server: Server, game: Game) -> None:
    endpoint = tell(server, game, Endpoint.Kind.JSON)
    assert endpoint_delivery.send_trial(endpoint) == ""
    assert body_of(server)["kind"] == "trial"
    assert DeliveryAttempt.objects.get().trial
