"""Pages of accounts and of the admin under the content security policy."""

import pytest

NOTE_VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
});
"""

FOR_STRANGERS = ["/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"]
FOR_MEMBERS = [
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
def page(browser, played_site):
    """A page that records policy violations and failed scripts."""
    context = browser.new_context(base_url=played_site.url)
    context.add_init_script(NOTE_VIOLATIONS)
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.on(
        "response",
        lambda answer: answer.status >= 400 and page.faults.append(f"{answer.status} {answer.url}"),
    )
    yield page
    context.close()


def log_in(page, site):
    page.goto("/accounts/login/")
    page.locator("[name=login]").fill("admin")
    page.locator("[name=password]").fill(site.admin_password)
    page.locator("[name=password]").press("Enter")
    page.wait_for_url(f"{site.url}/")


def blocked(page):
    return page.evaluate("window.violations")


@pytest.mark.parametrize("address", FOR_STRANGERS)
def test_page_for_visitors_violates_no_policy(page, address):
    assert page.goto(address).status == 200
    assert blocked(page) == []
    assert page.faults == []


def test_pages_for_staff_violate_no_policy(page, played_site):
    log_in(page, played_site)
    for address in FOR_MEMBERS:
        assert page.goto(address).status == 200, address
        assert blocked(page) == [], address
    assert page.faults == []


def test_policy_violation_is_detected(page):
    page.goto("/accounts/login/")
    page.evaluate("document.body.setAttribute('style', 'color: red')")
    page.locator("body[style]").wait_for()
    assert "style-src" in blocked(page)[0]
