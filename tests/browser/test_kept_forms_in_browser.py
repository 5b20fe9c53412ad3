"""A form that is sent after a log-out in another tab."""

from collections.abc import Callable

from tests.support import wording
from tests.support.browser_person import PASSWORD, Player, unfold


def log_in_here(person: Player) -> None:
    """Log in on the page on which the person is."""
    person.fill(login=person.name, password=PASSWORD)
    person.press(wording.LOG_IN)


def forget_what_the_old_page_asked(person: Player) -> None:
    """Forget the refusals of requests that the page made by itself after the log-out."""
    person.faults[:] = [fault for fault in person.faults if not fault.startswith("401")]


def test_form_is_kept_over_a_log_out_in_another_tab(player: Callable[..., Player]) -> None:
    ann = player("kept")
    ann.page.goto("/games/new/")
    unfold(ann.page)
    ann.page.locator("main [name=name]").fill("Tower of Ann")
    other = ann.context.new_page()
    other.goto("/accounts/logout/")
    other.locator("main button.button").click()
    other.wait_for_url(f"{ann.site.url}/")
    ann.press(wording.CREATE_GAME)
    assert wording.LOGGED_OUT_NOTHING_SENT in ann.page.locator("main").inner_text()
    log_in_here(ann)
    assert wording.LOGGED_IN_AS % {"me": ann.name} in ann.page.locator("main").inner_text()
    forget_what_the_old_page_asked(ann)
    ann.look_at()
    ann.press("Send it now")
    ann.page.wait_for_url("**/games/**")
    forget_what_the_old_page_asked(ann)
    assert "Tower of Ann" in ann.page.locator("h1").inner_text()


def test_page_asks_nothing_more_after_a_log_out_in_another_tab(player: Callable[..., Player]) -> None:
    ann = player("stopped")
    page = ann.page
    page.clock.install()
    page.goto("/games/new/")
    sent: list[str] = []
    with page.expect_response(lambda answer: answer.status == 401):
        other = ann.context.new_page()
        other.goto("/accounts/logout/")
        other.locator("main button.button").click()
        other.wait_for_url(f"{ann.site.url}/")
        # The page asks every 26 seconds or so, more often without its socket.
        page.clock.fast_forward(60_000)
    page.locator("#trouble").wait_for()
    page.on("request", lambda request: sent.append(request.url))
    page.on("websocket", lambda socket: sent.append(socket.url))
    for _ in range(4):
        page.clock.fast_forward(60_000)
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    # By now all earlier requests of the page are answered.
    page.evaluate("fetch('/robots.txt')")
    assert [url for url in sent if not url.endswith("/robots.txt")] == []
    assert page.locator("#trouble").is_visible()
    forget_what_the_old_page_asked(ann)


def test_form_is_kept_over_a_new_log_in_in_another_tab(player: Callable[..., Player]) -> None:
    ann = player("again")
    ann.page.goto("/games/new/")
    unfold(ann.page)
    ann.page.locator("main [name=name]").fill("Tower of Ann")
    first, ann.page = ann.page, ann.context.new_page()
    ann.log_out()
    ann.log_in(ann.name)
    ann.page = first
    ann.press(wording.CREATE_GAME)
    ann.press("Send it now")
    forget_what_the_old_page_asked(ann)
    assert "Tower of Ann" in ann.page.locator("h1").inner_text()
