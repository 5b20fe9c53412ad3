"""The member whom most tests of accounts are about, and a mailbox that empties the outbox when it is read."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache

from accounts.mail import mail_server
from accounts.mail.account_delivery import deliver_account_mail
from tests.support.members import create_member


@pytest.fixture
def marta(db):
    """A member with a confirmed address."""
    return create_member("marta", "marta@example.org")


class Mailbox(Sequence[Any]):
    """All mail that has been sent once the outbox is empty."""

    def __getitem__(self, place: Any) -> Any:
        return self._mails()[place]

    def __len__(self) -> int:
        return len(self._mails())

    def __eq__(self, other: object) -> bool:
        return self._mails() == other

    __hash__ = None

    def _mails(self) -> list[Any]:
        deliver_account_mail(30)
        return list(mail.outbox)


@pytest.fixture
def mailoutbox(mailoutbox: list[Any]) -> Mailbox:
    return Mailbox()


@pytest.fixture
def answering_server() -> Iterator[None]:
    """Nobody has found the mail server away."""
    keys = [mail_server.LEFT_ALONE, mail_server.AWAY_SINCE]
    cache.delete_many(keys)
    yield
    cache.delete_many(keys)
