"""Every kind of decision in a browser: layout and answers, with and without a script."""

import contextlib
import re
from random import Random

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from games.refusals import StalePosition
from tests.browser.page_player import Player, version, wait_for
from tests.browser.page_recorder import watched
from tests.browser.prepared_tables import DECISIONS, ME, MOMENTS, prepare
from tests.site.site_record import improper, rows
from tests.support import wording
from tests.support.armed_buttons import wait_until_armed
from tests.support.page_checks import DESK, MISFITS, PHONE, SERIOUS

SCREENS = [(PHONE, "light"), (DESK, "dark"), (DESK, "light"), (PHONE, "dark")]

# Each test that changes a prepared table has its own copy.
COPIES = 6
LOOKED_AT, ANSWERED, ANSWERED_PLAINLY, ANSWERED_LATE, ANSWERED_LATE_PLAINLY, FOLLOWED = range(COPIES)


REFUSE_SOCKETS = """
window.WebSocket = class extends EventTarget {
  static OPEN = 1;
  readyState = 3;
  constructor() {
    super();
    setTimeout(() => this.dispatchEvent(new Event("close")));
  }
};
"""


@pytest.fixture(scope="module")
def tables(played_site, log_start):
    return prepare(played_site, COPIES)


@pytest.fixture
def open_page(browser, played_site, tables):
    """A function that opens a page as the player of the prepared tables, or as a visitor.

    No page may report an error, except a refused answer that came too late.
    """
    with contextlib.ExitStack() as pages:
        opened = []

        def open_page(address, *, stranger=False, sockets=True, **options):
            opened.append(pages.enter_context(watched(browser, played_site, **options)))
            if not sockets:
                opened[-1].page.add_init_script(REFUSE_SOCKETS)
                opened[-1].page.clock.install()
            if not stranger:
                opened[-1].page.context.add_cookies([tables.cookie])
            opened[-1].page.goto(address)
            return opened[-1]

        yield open_page
        complaints = [complaint for witness in opened for complaint in witness.complaints]
        assert [complaint for complaint in complaints if "409" not in complaint] == []


# -- Layout ----------------------------------------------------------------------------------------


def check_looks(page):
    """Assert that the page fits and is accessible, on a phone and a desktop, light and dark."""
    page.evaluate(AXE_SCRIPT)
    for number, (size, scheme) in enumerate(SCREENS):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        where = f"{size['width']} {scheme}"
        assert [where, *page.evaluate(MISFITS)] == [where]
        if number < 2:  # both sizes and both schemes; the check is slow
            assert [where, *page.evaluate(SERIOUS)] == [where]


@pytest.mark.parametrize("kind", MOMENTS)
def test_table_fits_and_is_accessible(kind, open_page, tables):
    page = open_page(tables.games[kind][LOOKED_AT]).page
    assert page.locator("#decision").is_visible() == (kind in DECISIONS)
    for preview in page.locator("details[data-preview] summary").all():
        preview.click()
    check_looks(page)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("kind", DECISIONS)
def test_link_of_a_mail_shows_the_board_and_the_decision(kind, size, open_page, tables):
    page = open_page("/robots.txt", viewport=size).page
    address = tables.games[kind][LOOKED_AT]
    for link, leads_to in (
        (f"{address}?for={ME}#headline", "#headline"),
        (f"{address}#decision", "#decision"),
    ):
        page.goto(link)
        assert page.url.endswith(f"{address}{leads_to}")
        for part in (".board", ".decision-bar"):
            box = page.locator(part).bounding_box()
            assert 0 <= box["y"] < size["height"] - 40, (link, part)


def test_first_key_after_the_link_of_a_mail_reaches_the_tiles(open_page, tables):
    page = open_page(f"{tables.games['place'][LOOKED_AT]}?for={ME}#headline").page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.board') !== null")


@pytest.mark.parametrize(
    "address", ["/", "/rules/", "/rules/classic/", "/accounts/login/", "/accounts/signup/"]
)
def test_page_for_visitors_fits_and_is_accessible(address, open_page):
    page = open_page(address, stranger=True).page
    for fold in page.locator("details.disclosure summary").all():
        fold.click()
    check_looks(page)


@pytest.mark.parametrize(
    "address", ["/", "/games/new/", "/games/mine/", "/games/finished/", f"/players/{ME}/"]
)
def test_page_of_player_with_many_games_fits_and_is_accessible(address, open_page):
    page = open_page(address).page
    for fold in page.locator("details.disclosure summary").all():
        fold.click()
    check_looks(page)


@pytest.mark.parametrize("part", ["log", "deal"])
def test_log_and_deal_fit_and_are_accessible(part, open_page, tables):
    page = open_page(f"{tables.games['final'][LOOKED_AT]}{part}/").page
    for fold in page.locator("details.disclosure summary").all():
        fold.click()
    check_looks(page)


# -- Answers ---------------------------------------------------------------------------------------

NOTATION = {"end": r"buy .* and end", "stuck": r"redraw|pass"}


def check_entry(site, address, number, kind):
    """Assert that the log has one entry with this number, a move of this kind."""
    query = """
        SELECT text FROM games_logentry JOIN games_game ON games_game.id = game_id
        WHERE public_id = ? AND number = ?
    """
    [(text,)] = rows(site, query, address.split("/")[2], number)
    assert re.match(NOTATION.get(kind, kind), text)


@pytest.mark.parametrize("kind", DECISIONS)
def test_decision_is_answered_on_phone(kind, open_page, tables, played_site):
    address = tables.games[kind][ANSWERED]
    witness = open_page(address, viewport=PHONE, has_touch=True)
    player, before = Player(witness.page, Random(1)), version(witness.page)
    player.answer()
    assert witness.loads == 1
    assert witness.page.evaluate("document.activeElement.tagName") != "BODY"
    assert witness.page.locator(".problem:visible").count() == 0
    if kind == "end":
        assert player.is_over
    check_entry(played_site, address, before + 1, kind)


@pytest.mark.parametrize("kind", DECISIONS)
def test_decision_is_answered_by_plain_form(kind, open_page, tables, played_site):
    address = tables.games[kind][ANSWERED_PLAINLY]
    witness = open_page(address, java_script_enabled=False)
    player, before = Player(witness.page, Random(1), scripts=False), version(witness.page)
    player.answer()
    loads = 3 if player.asks_again else 2  # one of them asks to confirm
    wait_for(witness.page, lambda: witness.loads == loads, "a page of its own for the answer")
    assert witness.page.url.endswith(address)
    assert witness.page.locator(".problem:visible").count() == 0
    if kind == "end":
        assert player.is_over
    check_entry(played_site, address, before + 1, kind)


# -- Late answers, and pages without sockets --------------------------------------------------------


@pytest.mark.parametrize("script", [True, False])
def test_late_answer_gets_sentence_and_new_table(script, open_page, tables):
    address = tables.games["place"][ANSWERED_LATE if script else ANSWERED_LATE_PLAINLY]
    first, second = open_page(address), open_page(address, java_script_enabled=script)
    second.page.route("**/table/**", lambda route: route.fulfill(status=204))  # it gets no updates
    one = Player(first.page, Random(1))
    other = Player(second.page, Random(1), scripts=script)
    tile, another = list(one.choices)[:2]
    one.choose(tile)
    other.choose(another)
    before = version(first.page)
    one.send()
    wait_for(first.page, lambda: version(first.page) > before, "the first answer")
    other.send()
    second.page.get_by_text(str(StalePosition.message)).wait_for()
    assert version(second.page) == version(first.page) == before + 1
    assert re.search("lone|in-chain", second.page.locator(f"#square-{tile}").get_attribute("class"))
    if script:
        assert second.loads == 1


def test_page_without_sockets_polls(open_page, tables):
    address = tables.games["buy"][FOLLOWED]
    mine, strangers = open_page(address), open_page(address, stranger=True, sockets=False)
    Player(mine.page, Random(1)).answer()
    strangers.page.clock.run_for(7_000)  # it polls about every five seconds
    wait_for(strangers.page, lambda: version(strangers.page) == version(mine.page), "news")
    assert strangers.frames == []
    assert strangers.loads == 1


# -- Turns without a script ------------------------------------------------------------------------


def test_turns_are_played_by_plain_forms(open_page):
    witness = open_page("/", stranger=True, java_script_enabled=False)
    player = Player(witness.page, Random(1), scripts=False)
    player.start(opponents="1", level="random")
    kinds = []
    while kinds.count("place") < 5 or "buy" not in kinds:
        player.wait()
        kinds.append(player.answer())
    assert witness.frames == []


# -- Keyboard --------------------------------------------------------------------------------------

NOTE_LOST_FOCUS = """
window.lostFocus = [];
document.addEventListener("htmx:afterSettle", () => {
  if (document.activeElement === document.body) {
    window.lostFocus.push(document.querySelector("[data-version]").dataset.version);
  }
});
"""


def tab_to(page, selector):
    """Press Tab until a matching element has the focus."""
    for _ in range(100):
        page.keyboard.press("Tab")
        if page.locator(f"{selector}:focus").count():
            return
    raise AssertionError(f"Tab does not come to {selector}")


def place_by_keys_on_the_board(page):
    tab_to(page, ".board .square")
    here, there = page.locator(".square:focus"), page.locator(".board [data-choose]").last
    for axis, back, forth in (("column", "ArrowLeft", "ArrowRight"), ("row", "ArrowUp", "ArrowDown")):
        steps = int(there.get_attribute(f"data-{axis}")) - int(here.get_attribute(f"data-{axis}"))
        for _ in range(abs(steps)):
            page.keyboard.press(forth if steps > 0 else back)
    page.keyboard.press("Enter")
    assert there.get_attribute("aria-pressed") == "true"


def place_by_keys_in_the_list(page):
    tab_to(page, "[name=tile]")
    page.keyboard.press("ArrowDown")
    assert page.locator("[name=tile]:checked").count() == 1


def answer_by_keys(player, place):
    """Answer the decision by Tab, Enter, Space and arrows; return the words of the answer."""
    page, kind, before = player.page, player.kind, version(player.page)
    if kind == "place":
        place(page)
    elif kind in {"found", "survivor", "next"}:
        tab_to(page, "[name=chain]")
        page.keyboard.press("Space")
    elif kind == "dispose":
        tab_to(page, "[name=move]")
        page.keyboard.press("Space")
    elif page.locator("[data-step]:not([data-step^='-']):enabled").count():
        tab_to(page, "[data-step]:not([data-step^='-'])")
        page.keyboard.press("Space")
    words = "" if kind == "stuck" else page.locator("[data-go]").inner_text()
    tab_to(page, "#decision button")
    wait_until_armed(page)
    page.keyboard.press("Enter")
    wait_for(page, lambda: version(page) > before, words or kind)
    player.wait()
    return words


def test_game_is_started_and_played_by_keyboard(open_page):
    page = open_page("/", stranger=True).page
    tab_to(page, f"button:has-text('{wording.PLAY_NOW}')")
    page.keyboard.press("Enter")
    page.wait_for_url("**/games/*/")
    player = Player(page, Random(1))
    player.wait()
    tab_to(page, "a")
    page.evaluate(NOTE_LOST_FOCUS)
    said = []
    for place in (place_by_keys_on_the_board, place_by_keys_in_the_list):
        while player.kind != "place":
            said.append(answer_by_keys(player, place))
        said.append(answer_by_keys(player, place))
    while not any(re.match(r"Buy [123] \w+ for \$", words) for words in said):
        said.append(answer_by_keys(player, place_by_keys_in_the_list))
    assert page.evaluate("window.lostFocus") == []


# -- Log and replay --------------------------------------------------------------------------------


def test_site_log_names_no_error_tile_or_seed(open_page, played_site, log_start):
    assert improper(played_site, since=log_start) == []


def test_games_replay_from_seeds(tables, played_site):
    games = [address.split("/")[2] for copies in tables.games.values() for address in copies]
    assert played_site.manage("check_games", *games).endswith(" 0 differ\n")
