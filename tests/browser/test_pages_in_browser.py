"""Pages of accounts and of the admin under the content security policy."""

import pytest

from tests.support.browser_person import Person

FOR_VISITORS = ["/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"]
FOR_STAFF = [
    "/accounts/email/",
    "/accounts/logout/",
    "/accounts/password/change/",
    "/accounts/2fa/",
    "/accounts/2fa/totp/activate/",
    "/accounts/sessions/",
    "/admin/",
    "/admin/accounts/user/",
    "/admin/accounts/user/1/change/",
    "/admin/accounts/auditentry/",
    "/admin/accounts/siteswitch/1/act/turn-on/",
]


@pytest.fixture
def person(browser, played_site):
    person = Person(browser, played_site)
    yield person
    person.context.close()


def check_policy(person, address):
    """Assert that the page violates no policy and that nothing on it fails."""
    assert person.page.goto(address).status == 200, address
    assert person.page.evaluate("window.violations") == [], address
    assert person.faults == [], address


@pytest.mark.parametrize("address", FOR_VISITORS)
def test_page_for_visitors_violates_no_policy(person, address):
    check_policy(person, address)


def test_pages_for_staff_violate_no_policy(person):
    person.log_in_as_admin()
    for address in FOR_STAFF:
        check_policy(person, address)


def test_policy_violation_is_detected(person):
    page = person.page
    page.goto("/accounts/login/")
    page.evaluate("document.body.setAttribute('style', 'color: red')")
    page.locator("body[style]").wait_for()
    assert "style-src" in page.evaluate("window.violations")[0]
