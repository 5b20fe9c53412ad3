"""No text that somebody writes gets into the headers of a mail."""

import re
from email import message_from_bytes

import pytest
from django.core import mail
from django.utils import timezone

from games.web.notifications import mail_message
from tests.safety.populated_site import PASSWORD, World, undone

pytestmark = pytest.mark.django_db

PATIENCE = 20

EVIL = "evil.example"

BREAKS = [
    *(
        "\r\nBcc: x@evil.example",
        "\nBcc: x@evil.example",
        "\rBcc: x@evil.example",
        "%0d%0aBcc: x@evil.example",
    ),
    *("\r\n\r\n<h1>x</h1>", "\r\n Bcc: x@evil.example", "\x0bBcc: x@evil.example", "\x0cBcc: x@evil.example"),
    *(
        "\x1cBcc: x@evil.example",
        "\x85Bcc: x@evil.example",
        "\u2028Bcc: x@evil.example",
        "\u2029Bcc: x@evil.example",
    ),
    *(
        "\r\nContent-Type: text/html",
        "\r\nSubject: other",
        "\r\n.\r\nRCPT TO:<x@evil.example>",
        "\\r\\nBcc: x@evil.example",
    ),
    *(
        "=?utf-8?q?=0d=0aBcc:_x@evil.example?=",
        "\0\r\nBcc: x@evil.example",
        "\u560d\u560aBcc: x",
        ",x@evil.example",
    ),
]


def written_with(world: World, text: str) -> dict[str, dict[str, str]]:
    """Forms that make the site send mail, with this text in them."""
    return {
        "/accounts/password/reset/": {"email": f"player@club.example{text}"},
        "/accounts/signup/": {
            **{"username": "newcomer", "email": f"new@club.example{text}", "consent": "on"},
            **{"password1": PASSWORD, "password2": PASSWORD},
        },
        "/accounts/email/": {"action_add": "", "email": f"other@club.example{text}"},
        world.says("/games/{open}/invite/"): {"who": f"friend2@club.example{text}"},
        world.says("/games/{open}/kick/the-seat/"): {"reason": f"Rude.{text}"},
        "/games/new/": {
            "name": f"Tower{text}",
            "preset": "classic",
            "least": "2",
            "most": "4",
            "start": "host",
        },
    }


def sent_with(world: World, text: str) -> list[bytes]:
    """Mails sent when people write this text wherever they can, as a mail server gets them."""
    from accounts.mail.account_delivery import deliver_account_mail
    from games.models import Game, Notification
    from games.web.notifications import mail_delivery

    with undone():
        for path, form in written_with(world, text).items():
            role = "anonymous" if path.startswith(("/accounts/p", "/accounts/s")) else "host"
            assert world.client(role).post(path, form).status_code < 500
        running = Game.objects.filter(public_id=world.words["running"])
        running.update(name=f"T{text}"[:40].replace("\0", ""))
        game, player = running.get(), world.people["player"]
        Notification.objects.all().delete()
        asked = {"kind": "decision", "version": game.version, "due": timezone.now()}
        Notification.objects.create(user=player, game=game, **asked)
        mail.outbox.clear()
        deliver_account_mail(PATIENCE)
        about_accounts = list(mail.outbox)
        mail.outbox.clear()
        mail_delivery.deliver_mail(PATIENCE)
        assert any(letter.to == ["player@club.example"] for letter in mail.outbox), "no news of the game"
        mail_delivery.send_trial(player)
        return [letter.message().as_bytes() for letter in [*about_accounts, *mail.outbox]]


def broken_out(sent: bytes) -> list[str]:
    """Return headers of a mail that were not written by the site."""
    letter = message_from_bytes(sent)
    known = {"Subject": "other", "Content-Type": "text/html"}
    faults = [f"{name}: {text}" for name, text in known.items() if letter[name] == text]
    faults += [f"Bcc: {text}" for text in letter.get_all("Bcc", [])]
    return faults + [text for text in letter.get_all("To", []) if EVIL in text]


@pytest.mark.parametrize("text", BREAKS, ids=repr)
def test_no_text_breaks_out_of_the_headers_of_a_mail(world: World, text: str) -> None:
    sent = sent_with(world, text)
    assert len(sent) > 1
    assert [fault for letter in sent for fault in broken_out(letter)] == []


def test_text_that_breaks_out_is_detected(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    # Django would refuse a subject of several lines, and any other header would look like this.
    monkeypatch.setattr(mail_message, "_BLANKS", re.compile("(?!)"))
    with pytest.raises(AssertionError, match="no news of the game"):
        sent_with(world, "\nBcc: x@evil.example")
    assert broken_out(b"Subject: T\nBcc: x@evil.example\n\nHello") == ["Bcc: x@evil.example"]
    assert broken_out(b"Subject: other\nTo: a@club.example, x@evil.example\n\n") == [
        "Subject: other",
        "a@club.example, x@evil.example",
    ]
