"""Accounts in a browser, with the mail that the site writes into a folder."""

import base64
import hashlib
import hmac
import struct
import time
import zipfile
from random import Random

import pytest

from tests.browser.page_player import Player, version
from tests.support.browser_person import Person


@pytest.fixture
def person(browser, played_site):
    """A function that creates people, each with a browser of their own."""
    people = []

    def make(**options):
        people.append(Person(browser, played_site, **options))
        return people[-1]

    yield make
    for one in people:
        one.context.close()


def code_of(secret):
    """The current code of an authenticator app with this secret."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.new(key, struct.pack(">Q", int(time.time()) // 30), hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[start : start + 4])[0] & 0x7FFFFFFF) % 10**6:06}"


def add_security_key(one):
    """Add a virtual authenticator that confirms every request."""
    devtools = one.context.new_cdp_session(one.page)
    devtools.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "automaticPresenceSimulation": True}
    options |= {"hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True}
    return devtools, devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})[
        "authenticatorId"
    ]


# -- From sign-up to deletion ----------------------------------------------------------------------


def test_pages_for_visitors_are_accessible(person):
    stranger = person()
    for address in (
        "/accounts/login/",
        "/accounts/signup/",
        "/accounts/password/reset/",
        "/accounts/confirm-email/",
    ):
        stranger.look_at(address)
    for address in (
        "/privacy/",
        "/terms/",
        "/contact/",
        "/accounts/password/reset/done/",
        "/accounts/inactive/",
    ):
        stranger.look_at(address)


def test_invalid_sign_up_is_explained(person):
    marta = person()
    marta.sign_up("adm1n")
    assert "kept for the site" in marta.page.locator("main").inner_text()
    marta.look_at()


def test_address_is_confirmed_by_link(person):
    marta = person()
    marta.sign_up("marta-link", "link@example.org")
    assert "mail" in marta.page.locator(".messages").inner_text()
    marta.look_at("/accounts/email/")
    assert str(marta.site.data_dir / "mail") in marta.page.locator("main").inner_text()
    marta.follow_the_link("link@example.org")
    marta.look_at()
    marta.press()
    marta.page.goto("/accounts/email/")
    assert "Mail goes to link@example.org" in marta.page.locator("main").inner_text()
    marta.follow_the_link("link@example.org")
    assert "used already" in marta.page.locator("main").inner_text()
    marta.look_at()


def test_address_change_is_mailed_to_both(person):
    marta = person()
    marta.sign_up("marta-moves", "old@example.org")
    marta.follow_the_link("old@example.org")
    marta.press()
    marta.look_at("/accounts/email/")
    marta.fill(email="new@example.org")
    marta.press("Send me a link")
    marta.look_at()
    marta.show_it_is_me()
    marta.page.goto("/accounts/email/")
    marta.look_at()
    marta.follow_the_link("new@example.org")
    marta.press()
    for address in ("old@example.org", "new@example.org"):
        assert marta.letters(address)[-1]["Subject"] == "Your address at Acquire has changed"
    marta.log_out()
    marta.log_in("new@example.org")
    assert marta.page.locator(".end .menu summary").inner_text() == "marta-moves"


def test_forgotten_password_is_replaced(person):
    marta = person()
    marta.sign_up("marta-forgets", "forgets@example.org")
    marta.follow_the_link("forgets@example.org")
    marta.press()
    marta.log_out()
    marta.page.goto("/accounts/login/")
    marta.page.get_by_text("Forgot your password?").click()
    marta.fill(email="forgets@example.org")
    marta.press()
    marta.follow_the_link("forgets@example.org")
    assert marta.page.url.endswith("-set-password/")
    marta.look_at()
    marta.fill(password1="another long secret", password2="another long secret")
    marta.press()
    marta.look_at()
    marta.page.goto("/accounts/login/")
    marta.fill(login="marta-forgets", password="another long secret")
    marta.press("Log in")
    assert marta.page.locator(".end .menu summary").inner_text() == "marta-forgets"


def test_second_factor_recovery_codes_and_passkey(person):
    marta = person()
    marta.sign_up("marta-safe")
    marta.look_at("/accounts/2fa/")
    marta.page.goto("/accounts/2fa/totp/activate/")
    marta.show_it_is_me()
    marta.look_at()
    secret = marta.page.locator("main code").inner_text()
    marta.fill(code=code_of(secret))
    marta.press()
    marta.look_at()
    spare = marta.page.locator(".codes code").first.inner_text()
    devtools, key = add_security_key(marta)
    marta.look_at("/accounts/2fa/webauthn/add/")
    marta.page.locator("[name=passwordless]").check()
    with marta.page.expect_navigation():
        marta.page.locator("#mfa_webauthn_add").click()
    for address in (
        "/accounts/2fa/",
        "/accounts/2fa/webauthn/",
        "/accounts/2fa/recovery-codes/",
        "/accounts/2fa/recovery-codes/generate/",
        "/accounts/2fa/totp/deactivate/",
        "/accounts/sessions/",
        "/accounts/password/change/",
    ):
        marta.look_at(address)
    for link in ("Rename", "Remove"):
        marta.page.goto("/accounts/2fa/webauthn/")
        with marta.page.expect_navigation():
            marta.page.get_by_role("link", name=link).click()
        marta.look_at()

    marta.log_out()
    marta.log_in("marta-safe")
    assert marta.page.url.endswith("/accounts/2fa/authenticate/")
    marta.look_at()
    marta.fill(code=spare)
    marta.press("Log in")
    assert marta.page.locator(".end .menu summary").inner_text() == "marta-safe"

    marta.log_out()
    marta.page.goto("/accounts/login/")
    with marta.page.expect_navigation():
        marta.page.locator("#passkey_login").click()
    assert marta.page.locator(".end .menu summary").inner_text() == "marta-safe"

    marta.log_out()
    devtools.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": key})
    devtools.send("WebAuthn.disable")


def test_silent_device_is_explained(person):
    marta = person()
    devtools, key = add_security_key(marta)
    devtools.send("WebAuthn.setUserVerified", {"authenticatorId": key, "isUserVerified": False})
    marta.page.goto("/accounts/login/")
    marta.page.locator("#passkey_login").click()
    marta.page.get_by_text("The device gave no answer").wait_for()


def test_account_is_exported_and_deleted(person, tmp_path):
    marta = person()
    marta.sign_up("marta-goes")
    marta.look_at("/settings/")
    marta.look_at("/players/marta-goes/")
    marta.page.goto("/settings/")
    with marta.page.expect_navigation():
        marta.page.get_by_role("link", name="Download everything about you").click()
    marta.show_it_is_me()
    marta.look_at()
    with marta.page.expect_download() as download:
        marta.page.locator("main button.button").click()
    download.value.save_as(tmp_path / "data.zip")
    with zipfile.ZipFile(tmp_path / "data.zip") as archive:
        assert b"marta-goes" in archive.read("account.json")
        assert "games.json" in archive.namelist()
    marta.look_at("/settings/delete/")
    marta.page.locator("[name=sure]").check()
    marta.press()
    assert "Your account is deleted" in marta.page.locator(".messages").inner_text()
    assert marta.page.get_by_role("link", name="Log in").count() == 1
    marta.log_in("marta-goes")
    assert "is wrong" in marta.page.locator("main").inner_text()
    assert marta.page.goto("/players/marta-goes/").status == 404


def test_guest_becomes_member_and_keeps_game(person):
    guest = person()
    guest.page.goto("/")
    guest.page.get_by_role("button", name="Play now").click()
    guest.page.wait_for_url("**/games/*/")
    game = guest.page.url
    guest.look_at("/settings/")
    guest.sign_up("marta-stays")
    guest.page.goto(game)
    guest.page.locator(".table[data-my-turn]").wait_for()


# -- Colours ---------------------------------------------------------------------------------------


def root(one):
    return one.page.evaluate("({ ...document.documentElement.dataset })")


def test_choices_of_visitor_are_kept_in_account(person):
    marta = person(timezone_id="Europe/Lisbon")
    marta.page.goto("/")
    marta.page.locator("[data-setting=theme]").select_option("dark")
    marta.page.locator("[data-setting=patterns]").check()
    with marta.page.expect_response("**/settings/browser/"):
        marta.sign_up("marta-dark")
    assert root(marta)["theme"] == "dark"
    elsewhere = person()
    elsewhere.log_in("marta-dark")
    assert root(elsewhere)["theme"] == "dark"
    assert elsewhere.page.locator("html.patterns").count() == 1
    elsewhere.page.goto("/settings/")
    assert elsewhere.page.locator("[name=time_zone]").input_value() == "Europe/Lisbon"


def test_theme_of_footer_is_stored_in_account(person):
    marta = person()
    marta.sign_up("marta-light")
    with marta.page.expect_response("**/settings/browser/"):
        marta.page.locator("[data-setting=theme]").select_option("light")
    marta.page.reload()
    assert root(marta)["theme"] == "light"
    marta.page.goto("/settings/")
    assert marta.page.locator("main [name=theme]").input_value() == "light"
    assert marta.faults == []


def test_theme_of_settings_works_without_script(person):
    marta = person(java_script_enabled=False)
    marta.sign_up("marta-plain")
    marta.page.goto("/settings/")
    marta.page.locator("main [name=theme]").select_option("dark")
    with marta.page.expect_navigation():
        marta.page.locator("#display button").click()
    assert "Saved." in marta.page.locator(".messages").inner_text()
    assert marta.page.locator("html[data-theme=dark]").count() == 1


# -- Confirmation of moves -------------------------------------------------------------------------


def wish_to_be_asked(one, before="placing"):
    one.page.goto("/settings/")
    one.page.locator(f"[name=confirm_{before}]").check()
    with one.page.expect_navigation():
        one.page.locator("#display button").click()


def first_turn(one, scripts=True):
    """Start a game and wait for the first turn; return the player."""
    player = Player(one.page, Random(1), scripts=scripts)
    player.start()
    player.wait()
    return player


def test_placing_can_need_confirmation(person):
    marta = person()
    marta.sign_up("marta-asks")
    wish_to_be_asked(marta)
    first_turn(marta)
    before = version(marta.page)
    tile, other = (marta.page.locator(".hand label").nth(number) for number in (0, 1))
    tile.click()
    go = marta.page.locator("[data-go]")
    order = go.inner_text()
    go.dblclick()
    name = tile.locator("input").get_attribute("value")
    assert go.inner_text() == f"Really place {name}?"
    assert marta.page.locator("#announce").inner_text() == f"Really place {name}?"
    assert version(marta.page) == before, "a double click is one press"
    other.click()
    assert "Really" not in go.inner_text()
    tile.click()
    assert go.inner_text() == order
    go.click()
    marta.page.wait_for_timeout(600)
    go.click()
    marta.page.locator(f"[data-version]:not([data-version='{before}'])").wait_for()
    assert marta.faults == []


def test_every_move_can_need_confirmation(person):
    marta = person()
    marta.sign_up("marta-asks-always")
    wish_to_be_asked(marta, before="sending")
    player, go = first_turn(marta), marta.page.locator("[data-go]")
    asked = set()
    # The deal decides how soon anything but a tile is asked for.
    while asked != {"Really place", ": really?"}:
        player.wait()
        before, question = version(marta.page), "Really place" if player.kind == "place" else ": really?"
        player.choose(player.any_answer())
        go.click()
        assert question in go.inner_text()
        assert version(marta.page) == before
        marta.page.wait_for_timeout(600)
        go.click()
        marta.page.locator(f"[data-version]:not([data-version='{before}'])").wait_for()
        asked.add(question)
    assert marta.faults == []


def test_confirmation_works_without_script(person):
    marta = person(java_script_enabled=False)
    marta.sign_up("marta-asks-plain")
    wish_to_be_asked(marta)
    first_turn(marta, scripts=False)
    before, table = version(marta.page), marta.page.url
    square = marta.page.locator(".board button[type=submit]").first
    name = square.get_attribute("value")
    with marta.page.expect_navigation():
        square.click()
    assert marta.page.locator("h1").inner_text() == f"Really place {name}?"
    marta.page.get_by_role("link", name="Back to the table").click()
    assert version(marta.page) == before
    with marta.page.expect_navigation():
        marta.page.locator(".board button[type=submit]").first.click()
    marta.press("Yes, send it")
    assert marta.page.url == table
    assert version(marta.page) > before


# -- A busy site -----------------------------------------------------------------------------------


def test_busy_site_says_so_beside_table(person):
    marta = person()
    marta.sign_up("marta-waits")
    first_turn(marta)
    sentence = "The site is very busy, so nothing was recorded. Try again in a few seconds."
    marta.page.route(
        "**/moves/*/",
        lambda route: route.fulfill(
            status=503,
            body=sentence,
            headers={"Content-Type": "text/plain; charset=utf-8", "Retry-After": "5"},
        ),
    )
    marta.page.locator(".hand label").first.click()
    marta.page.locator("[data-go]").click()
    marta.page.get_by_text(sentence).wait_for()
    assert marta.page.locator(".board").count() == 1
