"""`manage.py sendtestemail` says in a sentence why no email was sent."""

import smtplib
from typing import Any
from unittest.mock import Mock

import pytest
from django.core import mail
from django.core.management import CommandError, call_command


def send() -> None:
    call_command("sendtestemail", "you@acquire.example")


def test_email_is_sent(settings: Any) -> None:
    settings.EMAIL_URL = "smtp://mail.example"
    send()
    assert [message.to for message in mail.outbox] == [["you@acquire.example"]]


def test_missing_mail_server_is_named(settings: Any) -> None:
    settings.EMAIL_URL = ""
    with pytest.raises(CommandError, match=r"Without EMAIL_URL no email can be sent\..*Read them again\."):
        send()
    assert mail.outbox == []


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ConnectionRefusedError(111, "Connection refused"), "Connection refused"),
        (smtplib.SMTPAuthenticationError(535, b"bad password"), "SMTPAuthenticationError: .*bad password"),
    ],
)
def test_answer_of_the_mail_server_is_shown(
    settings: Any, monkeypatch: pytest.MonkeyPatch, error: OSError, words: str
) -> None:
    settings.EMAIL_URL = "smtp://mail.example"
    monkeypatch.setattr("django.core.mail.EmailMultiAlternatives.send", Mock(side_effect=error))
    with pytest.raises(CommandError, match=f"The mail server did not take the email. .*{words}"):
        send()
