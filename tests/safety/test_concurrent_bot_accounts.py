"""Limits of tokens and bot accounts hold for many forms at once."""

from collections.abc import Callable, Iterator

import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from accounts.api_access.api_tokens import MAX_TOKENS, make_token
from accounts.api_access.bot_accounts import MAX_PROGRAMS, register_program
from accounts.models import ApiToken, BotAccount, User
from accounts.refusals import InvalidToken
from tests.safety.crowd import Crowd

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


@pytest.fixture
def crowd() -> Iterator[Crowd]:
    with Crowd(32 if connection.vendor == "postgresql" else 8) as crowd:
        yield crowd


@pytest.fixture
def marta(transactional_db: None) -> User:
    return User.objects.create_user("marta")


def tried(make: Callable[[], object]) -> Callable[[], bool]:
    """Create one; return whether it was made, False if refused."""

    def one() -> bool:
        try:
            make()
        except (InvalidToken, ValidationError):
            return False
        return True

    return one


def test_simultaneous_tokens_respect_the_limit(crowd: Crowd, marta: User) -> None:
    for number in range(MAX_TOKENS - 1):
        make_token(marta, f"token {number}")
    made = crowd.at_once(*[tried(lambda: make_token(marta, "one more"))] * crowd.size)
    assert sorted(made) == [False] * (crowd.size - 1) + [True]
    assert ApiToken.objects.valid().count() == MAX_TOKENS


def test_simultaneous_bot_accounts_respect_the_limit(crowd: Crowd, marta: User) -> None:
    letters = "abcdefghijklmnopqrstuvwxyzACDEFGHJKL"[: crowd.size]
    calls = [tried(lambda name=f"{letter * 3}-bot": register_program(marta, name)) for letter in letters]
    assert sum(crowd.at_once(*calls)) == MAX_PROGRAMS == BotAccount.objects.count()
