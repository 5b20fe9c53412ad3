"""Accounts in a browser, with the mail that the site writes into a folder."""

import base64
import hashlib
import hmac
import struct
import time
import zipfile
from random import Random

import pytest

from tests.browser.page_player import Player, version, wait_for
from tests.support import wording
from tests.support.armed_buttons import press, press_until, wait_until_armed
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


def press_nothing(devtools, key, *, enabled=False):
    """Let the authenticator wait for its owner, as it does where passkeys are offered beside the name."""
    devtools.send("WebAuthn.setAutomaticPresenceSimulation", {"authenticatorId": key, "enabled": enabled})


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


def test_page_says_by_itself_that_a_mail_waits_and_that_it_is_sent(person):
    marta = person()
    page = marta.page
    asked = []
    asks = 'hx-get="/accounts/mail-delay/?shown=1" hx-trigger="every 10s" hx-swap="outerHTML"'
    answers = [(200, f"<div {asks}>{wording.MAIL_IS_DELAYED}</div>"), (286, "")]

    def answer(route):
        status, body = answers[len(asked)]
        asked.append(status)
        route.fulfill(status=status, content_type="text/html", body=body)

    page.route("**/accounts/mail-delay/**", answer)
    page.clock.install()
    page.goto("/accounts/password/reset/done/")
    told = page.get_by_text(wording.MAIL_IS_DELAYED)
    page.clock.fast_forward(10_000)
    told.wait_for()
    page.clock.fast_forward(10_000)
    told.wait_for(state="detached")
    page.clock.fast_forward(60_000)
    marta.look_at()
    assert asked == [200, 286]


def test_invalid_sign_up_is_explained(person):
    marta = person()
    marta.sign_up("adm1n")
    assert wording.NAME_IS_RESERVED in marta.page.locator("main").inner_text()
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
    assert "We send emails to link@example.org" in marta.page.locator("main").inner_text()
    marta.follow_the_link("link@example.org")
    assert wording.LINK_WAS_USED in marta.page.locator("main").inner_text()
    marta.look_at()


def test_address_change_is_mailed_to_both(person):
    marta = person()
    marta.sign_up("marta-moves", "old@example.org")
    marta.follow_the_link("old@example.org")
    marta.press()
    marta.look_at("/accounts/email/")
    marta.fill(email="new@example.org")
    marta.press("Send link")
    marta.look_at()
    marta.follow_the_link("new@example.org")
    marta.press()
    for address in ("old@example.org", "new@example.org"):
        assert marta.letters(address)[-1]["Subject"] == "Your Acquire email address has changed"
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
    marta.press(wording.LOG_IN)
    assert marta.page.locator(".end .menu summary").inner_text() == "marta-forgets"


def test_link_in_the_mail_with_a_code_enters_it(person):
    marta = person()
    marta.sign_up("marta-links", "links@example.org")
    marta.follow_the_link("links@example.org")
    marta.press()
    marta.log_out()
    marta.page.goto("/accounts/login/code/?next=/settings/")
    marta.fill(email="links@example.org")
    marta.press()
    marta.look_at()
    stranger = person()
    for one in (stranger, marta):
        one.follow_the_link("links@example.org")
    stranger.page.wait_for_url("**/accounts/login/code/*")
    stranger.page.get_by_text(wording.NO_CODE_AWAITED).wait_for()
    marta.page.wait_for_url("**/settings/")


def test_second_factor_recovery_codes_and_passkey(person):
    marta = person()
    marta.sign_up("marta-safe")
    marta.look_at("/accounts/2fa/")
    marta.page.goto("/accounts/2fa/totp/activate/")
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
    press_nothing(devtools, key)
    marta.log_in("marta-safe")
    assert marta.page.url.endswith("/accounts/2fa/authenticate/")
    marta.look_at()
    assert marta.page.locator("main button.button").first.inner_text() == "Use a passkey or security key"
    marta.fill(code=spare)
    marta.press(wording.LOG_IN)
    assert marta.page.locator(".end .menu summary").inner_text() == "marta-safe"

    marta.log_out()
    marta.page.goto("/accounts/login/?next=/settings/")
    marta.look_at()
    press_nothing(devtools, key, enabled=True)
    with marta.page.expect_navigation():
        marta.page.locator("main button.button").first.click()
    assert marta.page.url.endswith("/settings/")
    assert marta.page.locator(".end .menu summary").inner_text() == "marta-safe"

    marta.log_out()
    devtools.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": key})
    devtools.send("WebAuthn.disable")


def test_guest_logs_in_with_a_passkey_and_strangers_are_offered_it_last(person):
    marta = person()
    marta.sign_up("marta-keyed")
    devtools, _ = add_security_key(marta)
    marta.page.goto("/accounts/2fa/webauthn/add/")
    marta.page.locator("[name=passwordless]").check()
    with marta.page.expect_navigation():
        marta.page.locator("#mfa_webauthn_add").click()
    marta.log_out()
    # A browser that does not know the member, but has the key, as synchronised ones do.
    marta.context.clear_cookies()
    marta.page.goto("/")
    marta.page.locator("main form button.button").first.click()
    marta.page.wait_for_url("**/games/**")
    marta.page.goto("/accounts/login/")
    assert marta.page.locator("main button.button").first.inner_text() == wording.LOG_IN
    with marta.page.expect_navigation():
        marta.page.locator("#passkey_login").click()
    assert marta.page.locator(".end .menu summary").inner_text() == "marta-keyed"
    marta.log_out()
    # Where the name is typed the browser offers it, too; this authenticator accepts at once.
    marta.page.goto("/accounts/login/?next=/settings/")
    marta.page.locator("main [name=login]").focus()
    marta.page.wait_for_url("**/settings/")
    devtools.send("WebAuthn.disable")


def test_silent_device_is_explained(person):
    marta = person()
    devtools, key = add_security_key(marta)
    devtools.send("WebAuthn.setUserVerified", {"authenticatorId": key, "isUserVerified": False})
    marta.page.goto("/accounts/login/")
    marta.page.locator("#passkey_login").click()
    marta.page.get_by_text(wording.DEVICE_DID_NOT_ANSWER).wait_for()


def test_account_is_exported_and_deleted(person, tmp_path):
    marta = person()
    marta.sign_up("marta-goes")
    marta.look_at("/settings/")
    marta.look_at("/players/marta-goes/")
    marta.page.goto("/settings/")
    with marta.page.expect_navigation():
        marta.page.get_by_role("link", name="Download your data").click()
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
    assert wording.ACCOUNT_IS_DELETED in marta.page.locator(".messages").inner_text()
    assert marta.page.get_by_role("link", name=wording.LOG_IN).count() == 1
    marta.log_in("marta-goes")
    assert "is wrong" in marta.page.locator("main").inner_text()
    assert marta.page.goto("/players/marta-goes/").status == 404


def test_guest_becomes_member_and_keeps_game(person):
    guest = person()
    guest.page.goto("/")
    guest.page.get_by_role("button", name=wording.PLAY_NOW).click()
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
        marta.page.get_by_role("button", name="Save").click()
    assert "Saved." in marta.page.locator(".messages").inner_text()
    assert marta.page.locator("html[data-theme=dark]").count() == 1


# -- Confirmation of moves -------------------------------------------------------------------------


def wish_to_be_asked(one, before="placing"):
    one.page.goto("/settings/")
    one.page.locator(f"[name=confirm_{before}]").check()
    save = one.page.get_by_role("button", name="Save")
    if save.count():  # without scripts
        save.click()
    one.page.get_by_text("Saved.").wait_for()


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
    wait_until_armed(marta.page)
    go.dblclick()
    name = tile.locator("input").get_attribute("value")
    assert go.inner_text() == f"Confirm: place {name}"
    assert marta.page.locator("#announce").inner_text() == f"Confirm: place {name}"
    assert version(marta.page) == before, "a double click is one press"
    other.click()
    assert "Confirm" not in go.inner_text()
    tile.click()
    assert go.inner_text() == order
    press(go)
    press(go)
    marta.page.locator(f"[data-version]:not([data-version='{before}'])").wait_for()
    assert marta.faults == []


def send_when_asked(button, question):
    """Press the button until it has asked this question, and once more; wait for the next table."""
    page = button.page
    before = version(page)

    def is_asked():
        return question in "".join(button.all_inner_texts())

    # News that comes just then puts the button to sleep, and takes its question back.
    while version(page) == before:
        press_until(button, is_asked)
        assert version(page) == before
        press(button)
        wait_for(page, lambda: version(page) != before or not is_asked(), "an answer")


def test_every_move_can_need_confirmation(person):
    marta = person()
    marta.sign_up("marta-asks-always")
    wish_to_be_asked(marta, before="sending")
    player = first_turn(marta)
    asked = set()
    # The deal decides how soon anything but a tile is asked for.
    while len(asked) < 2:
        player.wait()
        is_tile = player.kind == "place"
        player.choose(player.any_answer())
        button = marta.page.locator(player.sender)  # another one buys nothing
        question = "Confirm: place " if is_tile else f"Confirm: {button.inner_text()}"
        send_when_asked(button, question)
        asked.add(is_tile)
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
    assert marta.page.locator("h1").inner_text() == f"Confirm: place {name}"
    marta.page.get_by_role("link", name="Back to the table").click()
    assert version(marta.page) == before
    with marta.page.expect_navigation():
        marta.page.locator(".board button[type=submit]").first.click()
    marta.press("Confirm")
    assert marta.page.url == table
    assert version(marta.page) > before


# -- A busy site -----------------------------------------------------------------------------------


def test_busy_site_says_so_beside_table(person):
    marta = person()
    marta.sign_up("marta-waits")
    first_turn(marta)
    sentence = wording.SITE_IS_VERY_BUSY
    marta.page.route(
        "**/moves/*/",
        lambda route: route.fulfill(
            status=503,
            body=sentence,
            headers={"Content-Type": "text/plain; charset=utf-8", "Retry-After": "5"},
        ),
    )
    marta.page.locator(".hand label").first.click()
    press(marta.page.locator("[data-go]"))
    marta.page.get_by_text(sentence).wait_for()
    assert marta.page.locator(".board").count() == 1
