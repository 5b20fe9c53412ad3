"""Wrong passwords of others lock nobody out, and guessing stays hopeless."""

import re
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from accounts.web.membership import known_browsers, login_limits
from tests.accounts.conftest import Mailbox
from tests.support import wording
from tests.support.members import CONFIRM, ask_for_code, code_in

pytestmark = pytest.mark.django_db

PASSWORD = "a long enough secret"
ADDRESS = "marta@example.org"
HOME, CAFE = "192.0.2.1", "192.0.2.2"
LOGIN = "/accounts/login/"
COOKIE = settings.KNOWN_BROWSER_COOKIE_NAME


@pytest.fixture(autouse=True)
def marta() -> User:
    cache.clear()
    user = User.objects.create_user("marta", ADDRESS, PASSWORD)
    EmailAddress.objects.create(user=user, email=ADDRESS, primary=True, verified=True)
    return user


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel("2031-05-17 12:00:00+00:00", tick=False) as traveller:
        yield traveller


def log_in(client: Client, password: str = PASSWORD, login: str = "marta", address: str = HOME) -> Any:
    return client.post(LOGIN, {"login": login, "password": password}, REMOTE_ADDR=address)


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def known_browser() -> Client:
    """A browser in which Marta was logged in before."""
    browser = Client()
    log_in(browser)
    assert is_in(browser)
    browser.post("/accounts/logout/")
    assert not is_in(browser)
    return browser


def addresses(number: int) -> list[str]:
    return [f"198.51.{high}.{low}" for high in range(100) for low in range(250)][:number]


def attack(clock: Any, sources: list[str], hours: int, login: str = "marta") -> int:
    """Guess from all addresses for so long, and return how many guesses were looked at."""
    looked_at = mock.patch.object(
        MD5PasswordHasher, "encode", autospec=True, side_effect=MD5PasswordHasher.encode
    )
    with looked_at as encode:
        for minute in range(hours * 12):
            for number, address in enumerate(sources):
                log_in(Client(), f"guess {minute} {number}", login, address)
            clock.shift(300)
    return encode.call_count


def exhaust(login: str = "marta") -> None:
    """Use up all attempts of strangers at the account, from many addresses."""
    for number, address in enumerate(addresses(40)):
        log_in(Client(), f"guess {number}", login, address)


# -- Nobody is locked out ------------------------------------------------------------------------------


def test_a_stranger_at_another_address_locks_nobody_out() -> None:
    for number in range(20):
        log_in(Client(), f"guess {number}", address=CAFE)
    stranger, member = Client(), Client()
    log_in(stranger, address=CAFE)
    log_in(member, address=HOME)
    assert not is_in(stranger)
    assert is_in(member)


def test_a_known_browser_gets_in_while_many_addresses_guess() -> None:
    browser = known_browser()
    exhaust()
    unknown = Client()
    assert wording.TOO_MANY_WRONG_PASSWORDS in log_in(unknown).content.decode()
    assert not is_in(unknown)
    log_in(browser)
    assert is_in(browser)


@pytest.mark.parametrize("login", ["MARTA", ADDRESS])
def test_a_known_browser_is_known_by_every_name_of_the_account(login: str) -> None:
    browser = known_browser()
    exhaust(login)
    log_in(browser, login=login)
    assert is_in(browser)


def test_a_known_browser_gets_in_from_a_network_that_others_have_used_up() -> None:
    browser = known_browser()
    for number in range(40):
        log_in(Client(), f"guess {number}", login=f"somebody{number}", address=CAFE)
    assert log_in(Client(), address=CAFE).status_code == 429
    log_in(browser, address=CAFE)
    assert is_in(browser)


def test_a_known_browser_sends_no_more_forms_than_others() -> None:
    browser = known_browser()
    statuses = {log_in(browser, login="nobody", address=address).status_code for address in addresses(31)}
    assert 429 in statuses


def test_a_known_browser_is_sent_a_code_when_strangers_have_asked_for_all(settings: Any) -> None:
    limits = settings.ACCOUNT_RATE_LIMITS
    settings.ACCOUNT_RATE_LIMITS = {**limits, "request_login_code_account": "2/h/key"}
    browser = known_browser()
    for source in addresses(3):
        answer = ask_for_code(Client(), ADDRESS, source)
    assert wording.TOO_MANY_CODES in answer.content.decode()
    assert ask_for_code(browser, ADDRESS).headers["Location"] == CONFIRM


def test_a_code_by_mail_gets_in_while_many_addresses_guess(mailoutbox: Mailbox) -> None:
    exhaust()
    browser = Client()
    assert ask_for_code(browser, ADDRESS).headers["Location"] == CONFIRM
    assert [message.to for message in mailoutbox] == [[ADDRESS]]
    browser.post(CONFIRM, {"code": code_in(mailoutbox[0])})
    assert is_in(browser)
    # From now on the browser is known.
    browser.post("/accounts/logout/")
    log_in(browser)
    assert is_in(browser)


def test_a_stranger_who_asks_for_codes_keeps_nobody_from_one(mailoutbox: Mailbox) -> None:
    for _ in range(10):
        ask_for_code(Client(), ADDRESS, HOME)
    assert len(mailoutbox) == 3
    browser = Client()
    ask_for_code(browser, ADDRESS, CAFE)
    browser.post(CONFIRM, {"code": code_in(mailoutbox[-1])})
    assert is_in(browser)


def ask_for_password(client: Client, address: str, source: str = HOME) -> str:
    """Ask for a new password; return the words of the answer, or where it leads."""
    answer = client.post("/accounts/password/reset/", {"email": address}, REMOTE_ADDR=source)
    return answer.headers.get("Location") or answer.content.decode()


@pytest.mark.parametrize("address", [ADDRESS, "nobody@example.org"])
def test_a_stranger_who_asks_for_new_passwords_keeps_nobody_from_one(
    address: str, mailoutbox: Mailbox
) -> None:
    stranger = [ask_for_password(Client(), address, HOME) for _ in range(10)]
    done = "/accounts/password/reset/done/"
    assert [answer == done for answer in stranger] == [True] * 3 + [False] * 7
    assert all(wording.TOO_MANY_EMAILS in answer for answer in stranger[3:])
    mails = len(mailoutbox)
    assert ask_for_password(Client(), address, CAFE) == done
    assert len(mailoutbox) == mails + (address == ADDRESS)


def test_new_passwords_that_many_addresses_ask_for_are_limited_but_not_to_a_known_browser(
    settings: Any,
) -> None:
    limits = settings.ACCOUNT_RATE_LIMITS
    settings.ACCOUNT_RATE_LIMITS = {**limits, "request_password_reset_account": "2/h/key"}
    browser = known_browser()
    for source in addresses(3):
        answer = ask_for_password(Client(), ADDRESS, source)
    assert wording.TOO_MANY_EMAILS in answer
    assert ask_for_password(browser, ADDRESS) == "/accounts/password/reset/done/"


def test_who_is_logged_in_can_enter_the_password_again_during_an_attack() -> None:
    browser = Client()
    log_in(browser)
    exhaust()
    exhaust(ADDRESS)
    answer = browser.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/"})
    assert answer.status_code == 302


def test_a_new_password_by_mail_ends_the_lock(mailoutbox: Mailbox) -> None:
    exhaust(ADDRESS)
    browser = Client()
    browser.post("/accounts/password/reset/", {"email": ADDRESS})
    found = re.search(r"(/accounts/password/reset/key/\S+)", mailoutbox[0].body)
    assert found
    page = browser.get(found[1])
    new = "another long secret"
    browser.post(page.headers["Location"], {"password1": new, "password2": new})
    stranger = Client()
    log_in(stranger, new, ADDRESS, CAFE)
    assert is_in(stranger)


def test_a_visit_makes_the_browser_known(marta: User) -> None:
    """For sessions from before the cookie; it is renewed on each day of use."""
    browser = Client()
    browser.force_login(marta)
    browser.get("/")
    assert COOKIE in browser.cookies
    browser.post("/accounts/logout/")
    exhaust()
    log_in(browser)
    assert is_in(browser)


def test_without_the_cookie_many_addresses_would_lock_everybody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_browsers, "known_as", lambda request, login: "")
    with pytest.raises(AssertionError):
        test_a_known_browser_gets_in_while_many_addresses_guess()


# -- Guessing ------------------------------------------------------------------------------------------


def test_one_address_has_ten_guesses_an_hour(clock: Any) -> None:
    assert attack(clock, [CAFE] * 3, 3) <= 30


def test_many_addresses_have_a_hundred_guesses_a_day(clock: Any) -> None:
    assert attack(clock, addresses(4), 5) == 100


def test_without_a_limit_by_account_each_address_would_guess(
    clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_keys = login_limits._stranger_keys
    monkeypatch.setattr(login_limits, "_stranger_keys", lambda *args: all_keys(*args)[:1])
    with pytest.raises(AssertionError):
        test_many_addresses_have_a_hundred_guesses_a_day(clock)


@pytest.mark.parametrize("spelling", ["MARTA", " marta ", "ｍａｒｔａ"])
def test_a_name_spelled_otherwise_has_no_attempts_of_its_own(spelling: str) -> None:
    assert known_browsers.account_key(spelling) == known_browsers.account_key("marta")


def test_letters_that_a_database_takes_for_the_same_are_counted_as_the_same() -> None:
    assert known_browsers.account_key("Boſſ") == known_browsers.account_key("boss")


def test_a_right_password_of_somebody_else_gives_no_new_guesses() -> None:
    User.objects.create_user("theo", "", PASSWORD)
    for number in range(6):
        log_in(Client(), login="theo", address=CAFE)
        log_in(Client(), f"guess {number}", address=CAFE)
    last = Client()
    log_in(last, address=CAFE)
    assert not is_in(last)


def test_a_known_browser_has_limits_of_its_own() -> None:
    browser = known_browser()
    for number in range(5):
        log_in(browser, f"guess {number}")
    log_in(browser)
    assert not is_in(browser)


def test_the_cookie_of_somebody_else_is_none() -> None:
    User.objects.create_user("theo", "", PASSWORD)
    attacker = Client()
    log_in(attacker, login="theo", address=CAFE)
    attacker.post("/accounts/logout/")
    exhaust()
    log_in(attacker, address=CAFE)
    assert not is_in(attacker)


def test_a_forged_cookie_is_none() -> None:
    browser = known_browser()
    value = browser.cookies[COOKIE].value
    browser.cookies[COOKIE] = f"{value[:-1]}{'A' if value[-1] != 'A' else 'B'}"
    exhaust()
    log_in(browser)
    assert not is_in(browser)


def test_the_cookie_ends_with_the_password(marta: User) -> None:
    """Otherwise somebody with the old password could collect cookies, each with guesses of its own."""
    browser = known_browser()
    marta.set_password("another long secret")
    marta.save()
    exhaust()
    log_in(browser, "another long secret")
    assert not is_in(browser)


def test_a_browser_shared_by_a_family_is_known_for_each_of_them() -> None:
    User.objects.create_user("theo", "", PASSWORD)
    browser = known_browser()
    log_in(browser, login="theo")
    browser.post("/accounts/logout/")
    exhaust()
    log_in(browser)
    assert is_in(browser)
