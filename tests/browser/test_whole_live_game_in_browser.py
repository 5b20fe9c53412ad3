"""A whole live game in four browsers: one player leaves and returns, one is cut off, and a visitor watches.

It is created, joined, begun and ended by clicks. Most turns between are played inside the site, through the
way of all moves, while the four pages follow.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.live_pages import CUTTABLE, asked, cut, mend, play, play_without_first
from tests.browser.page_player import OVER, version, wait_for
from tests.browser.page_player import Player as TablePlayer
from tests.browser.page_recorder import Witness, watched
from tests.site.site_record import TILE, improper, rows
from tests.support import wording
from tests.support.armed_buttons import press
from tests.support.browser_person import Player
from tests.support.played_site import PlayedSite
from tests.support.played_site import play as run_site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Response

pytestmark = pytest.mark.long

# Seconds in which a page shows what has happened, even if a busy site has refused to tell it at first.
PROMPT = 40

# Milliseconds after which a computer certainly has the seat of somebody who has left, and pages show it.
LEFT = 60_000

# A site on a busy machine refuses a request now and then; its page asks again.
BUSY = r"\b503\b|Service Unavailable"

# The kinds of requests whose answers may tell of the game.
SAID = {"document", "xhr", "fetch"}

# A square without a tile, as everybody sees it who does not hold the tile; and the examples of the legend.
NEUTRAL = re.compile(
    r'<button id="square-(\w+)" class="square " tabindex="-?\d" data-column="\d+" data-row="\d+" '
    r'aria-label="\1, empty" title="\1, empty" type="button"><i>\1</i></button>|<dt>.*?</dt>'
)


@dataclass
class Played:
    """A finished live game as its players and a visitor have seen it.

    answers   all that the visitor's browser received
    seen      texts among them: the page of the table, and what its scripts have asked for
    own       the page of a player in the middle of the game
    returned  moves that the player who had left made after coming back
    missed    the latest entry of the log on a page before it was cut off, meanwhile, and afterwards, and then
              on the page of another player
    hands     tiles in the hands of all players by version
    """

    site: PlayedSite
    people: list[Player]
    visitor: Witness
    public_id: str = ""
    answers: "list[Response]" = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    own: str = ""
    returned: int = 0
    missed: list[str] = field(default_factory=list)
    hands: dict[int, list[str]] = field(default_factory=dict)

    @property
    def players(self) -> "list[Page]":
        return [one.page for one in self.people]

    @property
    def pages(self) -> "list[Page]":
        return [*self.players, self.visitor.page]


@pytest.fixture(scope="module")
def played_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedSite]:
    """A site where a computer soon keeps the seat of an absent player."""
    settings = "tests.site.short_absence_settings"
    with run_site(tmp_path_factory.mktemp("site"), DJANGO_SETTINGS_MODULE=settings) as site:
        yield site


@pytest.fixture(scope="module")
def game(browser: "Browser", played_site: PlayedSite) -> Iterator[Played]:
    """The game, played to its end."""
    people = [Player(browser, played_site) for _ in range(3)]
    with watched(browser, played_site) as visitor:
        game = Played(played_site, people, visitor)
        visitor.page.on("response", lambda answer: game.answers.append(answer))
        people[2].context.add_init_script(CUTTABLE)
        begin(game)
        play(game.players, 4)
        all_follow(game)
        leave_and_return(game)
        be_cut_off(game)
        play_almost_to_the_end(game)
        # At the end all hands are shown.
        game.seen = [answer.text() for answer in of_last_page(game.answers) if answer.status == 200]
        declare_the_end(game)
        printed = played_site.shell(f"from {__name__} import print_hands; print_hands({game.public_id!r})")
        game.hands = {int(number): tiles for number, tiles in json.loads(printed.splitlines()[-1]).items()}
        yield game
    for one in people:
        one.context.close()


def of_last_page(answers: "Sequence[Response]") -> "list[Response]":
    """The last page among these answers, and what its scripts have asked for."""
    kinds = [answer.request.resource_type for answer in answers]
    first = max(place for place, kind in enumerate(kinds) if kind == "document")
    return [answers[place] for place in range(first, len(kinds)) if kinds[place] in SAID]


# -- The course of the game ----------------------------------------------------------------------------


def begin(game: Played) -> None:
    """Create a game, join it and answer its ready check, while the visitor waits at its page."""
    host, *others = game.people
    for one, name in zip(game.people, ("hetty", "leon", "cora"), strict=True):
        one.become_a_member(name)
    address = host.open_game(speed="evening", most="3", least="3", start="full", name="Four browsers")
    game.public_id = address.split("/")[-2]
    game.visitor.page.goto(address)
    for one in others:
        one.page.goto(address)
        one.press(wording.JOIN_GAME)
    host.page.get_by_role("heading", name=wording.ARE_YOU_READY).wait_for()
    for one in (host, others[0]):
        one.press(wording.I_AM_READY)
    for page in game.pages:
        page.locator("#table").wait_for()


def all_follow(game: Played, number: int | None = None) -> None:
    """Wait until all four pages show this version, or what the first of them shows, or a later one."""
    goal = max(map(version, game.players)) if number is None else number
    for page in game.pages:
        follow(page, goal)


def follow(page: "Page", number: int) -> None:
    wait_for(page, lambda: version(page) >= number, f"version {number}", PROMPT)


def leave_and_return(game: Played) -> None:
    """Let the second player close the page, and take the seat back from the computer later."""
    leaver = game.people[1]
    stay = [game.people[0].page, game.people[2].page]
    leaver.page.close()
    kept = wording.COMPUTER_PLAYS_FOR_OTHER % {"name": leaver.name}
    for page in stay:
        page.get_by_text(kept).wait_for(timeout=LEFT)
    play(stay, 2)
    leaver.page = leaver.context.new_page()
    leaver.page.goto(f"/games/{game.public_id}/")
    leaver.page.get_by_text(wording.COMPUTER_PLAYS_FOR_YOU).first.wait_for()
    press(leaver.page.get_by_role("button", name=wording.TAKE_SEAT_BACK))
    for page in stay:
        page.get_by_text(kept).wait_for(state="detached", timeout=1000 * PROMPT)
    while not game.returned:
        page = asked(game.players)
        play([page], 1)
        game.returned += page == leaver.page
    all_follow(game)


def be_cut_off(game: Played) -> None:
    """Cut the third player off the network while another one moves."""
    page, others = game.people[2].page, game.players[:2]
    play_without_first([page, *others])
    all_follow(game)
    before = latest_entry(page)
    cut(page)
    play(others, 1)
    during = latest_entry(page)
    mend(page)
    all_follow(game)
    game.missed = [before, during, latest_entry(page), latest_entry(others[0])]


def latest_entry(page: "Page") -> str:
    """The name of the place of the latest entry of the log on the page."""
    return str(page.locator(".log li[id]").first.get_attribute("id"))


def play_almost_to_the_end(game: Played) -> None:
    """Play inside the site until a player may declare the end; the pages follow."""
    game.own = asked(game.players).content()
    printed = game.site.shell(
        f"from {__name__} import play_to_last_purchase as play; play({game.public_id!r})"
    )
    all_follow(game, int(printed.splitlines()[-1]))


def declare_the_end(game: Played) -> None:
    TablePlayer(asked(game.players), Random(1)).answer()
    for page in game.pages:
        page.locator(OVER).wait_for(timeout=1000 * PROMPT)


# -- Inside the site -----------------------------------------------------------------------------------


def play_to_last_purchase(public_id: str) -> None:
    """Play random moves, soon one after the other, until the end may be declared; print the version."""
    import time

    from games.models import Game
    from tests.support.games import play_on

    game = Game.with_secrets.get(public_id=public_id)
    while not any(getattr(move, "end", False) for move in legal_moves(game)):
        game = play_on(game, 1, seed=game.version)
        time.sleep(0.1)
    print(game.version)


def legal_moves(game: Any) -> Sequence[Any]:
    return game.rule_system.legal_moves(game.rule_system.state_from_json(game.state))


def print_hands(public_id: str) -> None:
    """Print the tiles in all hands by version, without the last, in which they are shown."""
    from games.log.positions import states_by_entry
    from games.models import Game

    game = Game.with_secrets.get(public_id=public_id)
    system = game.rule_system
    positions = states_by_entry(game, game.moves.all())
    found = {number: system.state_to_json(state)["hands"] for number, state in positions}
    print(json.dumps({number: " ".join(found[number]).split() for number in range(game.version)}))


# -- What came of it -----------------------------------------------------------------------------------


def test_all_four_see_the_same_final_standings(game: Played) -> None:
    stored = rows(game.site, "SELECT version, ending FROM games_game WHERE public_id = ?", game.public_id)
    assert [(version(page), "") for page in game.pages] == stored * 4, "it ended by the rules"
    *others, last = (page.locator(OVER).inner_text().split() for page in game.pages)
    assert {one.name for one in game.people} < set(last)
    for one, shown in zip(game.people, others, strict=True):
        assert [one.name if word == "you" else word for word in shown] == last


def test_player_who_returned_plays_again(game: Played) -> None:
    assert game.returned == 1
    entries = "SELECT text FROM games_logentry JOIN games_game ON games_game.id = game_id WHERE public_id = ?"
    found = rows(game.site, f"{entries} AND text LIKE '% is %'", game.public_id)
    assert [text[2:] for [text] in found] == ["is away", "is back"]


def test_player_who_was_cut_off_sees_what_happened(game: Played) -> None:
    before, during, afterwards, others = game.missed
    assert before == during, "the page was not cut off"
    assert afterwards == others != before


def test_visitor_saw_the_board_move_without_a_reload(game: Played) -> None:
    numbers = [number for number, _ in game.visitor.versions]
    assert numbers == sorted(set(numbers))
    assert len(numbers) > 10
    assert game.visitor.loads <= 2, "the waiting room, and the table once the game had begun"


def test_visitor_was_sent_no_tile_of_a_hand(game: Played) -> None:
    texts = [*game.seen, *game.visitor.frames]
    assert sum(number_of(text) is not None for text in texts) > 10
    assert [found for text in texts if (found := betrayed(text, game.hands))] == []


def test_tile_of_a_hand_would_be_found(game: Played) -> None:
    assert betrayed(game.own, game.hands)


def test_nobody_met_an_error(game: Played) -> None:
    met = [*game.visitor.complaints, *(fault for one in game.people for fault in one.faults)]
    assert [fault for fault in met if not re.search(BUSY, fault)] == []
    assert improper(game.site, expected=BUSY) == []


def betrayed(text: str, hands: dict[int, list[str]]) -> set[str]:
    """The tiles of hands that a text names beside the empty squares of the board."""
    number = number_of(text)
    secret = {tile for tiles in hands.values() for tile in tiles} if number is None else hands.get(number, ())
    return set(TILE.findall(NEUTRAL.sub("", text))) & set(secret)


def number_of(text: str) -> int | None:
    """The version of the game that a page or a message is about."""
    found = re.search(r'data-version=\\?"(\d+)|"version": ?(\d+)', text)
    return int(found[1] or found[2]) if found else None
