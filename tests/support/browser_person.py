"""A person with a browser."""

import email
import email.policy
import re
from itertools import count

from axe_playwright_python.base import AXE_SCRIPT

from tests.support import wording

PASSWORD = "a long enough secret"

NOTE_VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
});
"""

# Colours fade when the scheme changes.
RUN_AXE = """async () => {
  for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish();
  const { violations } = await axe.run({ resultTypes: ["violations"] });
  return violations.map((found) => `${found.id}: ${found.nodes.map((node) => node.html).join(" ")}`);
}"""

# Width and colours; axe looks at the first of these.
LOOKS = [(360, "dark"), (1440, "light"), (360, "light"), (1440, "dark")]


class Person:
    """A person with a browser of their own."""

    def __init__(self, browser, site, **options):
        self.site = site
        self.context = browser.new_context(base_url=site.url, **options)
        self.context.add_init_script(NOTE_VIOLATIONS)
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.faults = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on(
            "response",
            lambda answer: answer.status >= 400 and self.faults.append(f"{answer.status} {answer.url}"),
        )

    def fill(self, **fields):
        for name, text in fields.items():
            self.page.locator(f"main [name={name}]").fill(text)

    def press(self, text=None):
        """Press the page's button and wait for the next page."""
        button = self.page.locator("main button.button", has_text=text or "").first
        with self.page.expect_navigation():
            button.click()

    def sign_up(self, name, address=""):
        self.page.goto("/accounts/signup/")
        self.fill(username=name, email=address, password1=PASSWORD, password2=PASSWORD)
        self.page.locator("[name=consent]").check()
        self.press()

    def log_in(self, login):
        self.page.goto("/accounts/login/")
        self.fill(login=login, password=PASSWORD)
        self.send_form()

    def send_form(self):
        """Press the button of the page's form, which other buttons may stand above."""
        with self.page.expect_navigation():
            self.page.locator("main form.form button.button").first.click()

    def log_in_as_admin(self):
        self.page.goto("/accounts/login/")
        self.fill(login="admin", password=self.site.admin_password)
        self.press(wording.LOG_IN)

    def log_out(self):
        self.page.goto("/accounts/logout/")
        self.press()

    def letters(self, address):
        """Return all mail to this address, oldest first."""
        found = []
        for file in sorted((self.site.data_dir / "mail").iterdir(), key=lambda path: path.stat().st_mtime_ns):
            for text in file.read_text().split("-" * 79 + "\n"):
                letter = email.message_from_string(text.lstrip("\n"), policy=email.policy.default)
                if letter["To"] == address:
                    found.append(letter)
        return found

    def follow_the_link(self, address):
        """Open the link in the latest mail to this address."""
        text = self.letters(address)[-1].get_body(("plain",)).get_content()
        self.page.goto(re.search(rf"{re.escape(self.site.url)}\S+", text)[0])

    def look_at(self, address=""):
        """Check the page at all sizes and colours: it fits, nothing fails or is blocked, axe is content."""
        page = self.page
        if address:
            page.goto(address)
        where = page.url
        for number, (width, colours) in enumerate(LOOKS):
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=colours)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (where, width)
            if number == 0:
                page.evaluate(AXE_SCRIPT)
                assert page.evaluate(RUN_AXE) == [], (where, width, colours)
        assert page.evaluate("window.violations") == [], where
        assert self.faults == [], where


_numbers = count(1)


def unfold(page):
    """Open everything on the page that is folded away."""
    page.evaluate("for (const part of document.querySelectorAll('main details')) part.open = true")


class Player(Person):
    """A member at a browser of their own."""

    name = ""

    def become_a_member(self, name: str) -> None:
        """Sign up under this name and a number that is unique in this run."""
        self.name = f"{name}-{next(_numbers)}"
        self.sign_up(self.name)
        self.page.wait_for_url(f"{self.site.url}/")

    def open_game(self, **choices: str) -> str:
        """Open a game by the form with these choices and return its address."""
        self.page.goto("/games/new/")
        unfold(self.page)
        if {"pace", "unit"} & set(choices):
            choices = {"speed": "own", **choices}
        for name, value in choices.items():
            field = self.page.locator(f"main [name={name}]")
            if field.first.get_attribute("type") == "radio":
                self.page.locator(f"main [name={name}][value='{value}']").check()
            elif field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        self.press(wording.CREATE_GAME)
        return self.page.url

    @property
    def invite_link(self) -> str:
        return self.page.locator("#invite-link").input_value()
