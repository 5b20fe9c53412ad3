"""The HTML of mails: a board of coloured cells, the same content as the text, and nothing to load."""

import re
from html import unescape
from pathlib import Path

import pytest
from django.utils.html import strip_tags
from time_machine import Traveller

from accounts.mail import mail_frame
from accounts.models import User
from games.lobby.game_start import start_game
from games.models import Game, Kind, Notification
from games.notifications.outbox.claim import Claim
from games.web.notifications import mail_message, mail_sections
from games.web.notifications.mail_message import MAX_BYTES, MailMessage
from games.web.presenters.mail_colours import DARK_FILLS
from tests.notifications.conftest import NOON
from tests.support import wording
from tests.support.games import play_on, play_to_the_end

pytestmark = pytest.mark.django_db

CSS = Path(__file__).parents[2] / "games/static/games/css"


def game_that_asks(user: User, *others: User | str, system: str = "acquire", moves: int = 0) -> Game:
    preset = {"acquire": "classic", "acquisition": "standard"}[system]
    game = start_game(system=system, preset=preset, host=user, players=[user, *others], pace=86400)
    while game.version < moves or game.waiting_for_id != user.pk:
        game = play_on(game, 1, seed=game.version)
        assert not game.is_finished
    return game


def mail_of(user: User, *games: Game) -> MailMessage:
    rows = [
        Notification(
            pk=number,
            user=user,
            game=Game.objects.get(pk=game.pk),
            kind=Kind.FINISHED if game.is_finished else Kind.DECISION,
            version=game.version,
            due=NOON,
            made=NOON,
            message_id="<1@x>",
        )
        for number, game in enumerate(games, start=1)
    ]
    written = mail_message.compose_mail(Claim(rows, user, "alice@mail.example"))
    assert written is not None
    return written


def words(html: str) -> str:
    """The text that a reader of the HTML sees."""
    body = html[html.index("<body") :]
    return " ".join(unescape(strip_tags(re.sub(r"(<(?:td|th|p|li|tr)\b)", r" \1", body))).split())


def check_contents_are_equal(written: MailMessage) -> None:
    """Check that each line of the text stands in the HTML, but for addresses, the board and list marks.

    The board in letters explains one of them; the HTML has a board in colours.
    """
    seen = words(written.html)
    for line in written.text.splitlines():
        if re.match(r"https?://|--|[A-I]  |   +1 | *\d+ +[·PBSCG] |\w is a (lone tile|park)\b", line):
            continue
        line = re.sub(r"^(- |\d+\. )", "", line).rstrip(":")
        if chain := re.match(r"(\w) = (\w+): (\d+) tiles?(, safe)?, (\S+) a share, (\d+) in the bank", line):
            letter, name, size, safe, price, bank = chain.groups()
            line = " ".join(filter(None, [letter, name, safe and "safe", size, price, bank]))
        assert " ".join(line.split()) in seen, line


def addresses(text: str) -> set[str]:
    return set(re.findall(r"https?://[^\s\"<>]+", unescape(text)))


@pytest.fixture
def game(clock: Traveller, alice: User, bob: User) -> Game:
    return game_that_asks(alice, bob, "random", moves=30)


@pytest.mark.parametrize("system", ["acquire", "acquisition"])
def test_html_says_what_the_text_says(system: str, clock: Traveller, alice: User, bob: User) -> None:
    written = mail_of(alice, game_that_asks(alice, bob, system=system, moves=20))
    check_contents_are_equal(written)
    assert addresses(written.html) == addresses(written.text)


def test_html_about_the_end_says_what_the_text_says(clock: Traveller, alice: User, bob: User) -> None:
    game = start_game(
        system="acquire", preset="classic", host=alice, players=[alice, bob, "random"], pace=86400
    )
    game = play_to_the_end(game)
    check_contents_are_equal(mail_of(alice, game))


def test_html_that_leaves_out_a_line_is_detected(
    game: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: a frame that loses what the reader holds."""
    monkeypatch.setattr(
        mail_sections.Section, "as_html", property(lambda told: told.__class__.as_text.fget(told)[:40])
    )
    with pytest.raises(AssertionError):
        check_contents_are_equal(mail_of(alice, game))


def test_board_has_a_coloured_cell_for_every_square(game: Game, alice: User) -> None:
    html = mail_of(alice, game).html
    text = mail_of(alice, game).text
    drawn = "".join("".join(row.split()[1:]) for row in re.findall(r"^[A-I]  .*$", text, re.MULTILINE))
    board = html[html.index('<table class="board"') :]
    cells = re.findall(r'<td class="(?:on-\w+ )?k(\w+)"[^>]*\sbgcolor="#(\w+)">(\w?)</td>', board)
    assert len(cells) == 108 == len(drawn)
    for (css, colour, letter), mark in zip(cells, drawn, strict=True):
        assert css == colour
        assert letter == ("" if mark in "·o" else mark)
    assert len({colour for _, colour, _ in cells}) > 3


def test_html_loads_nothing_and_runs_nothing(game: Game, alice: User) -> None:
    html = mail_of(alice, game).html
    assert not re.search(r"<(img|script|link|iframe|object|form|input)\b|url\(|@import|\bon\w+=", html)


def test_elements_have_their_styles_inline_and_once(game: Game, alice: User) -> None:
    html = mail_of(alice, game).html
    assert not re.search(r"<[^<>]* style=[^<>]* style=", html)
    for tag in re.findall(r'<(?:p|h2|a|td|li|body)\b[^<>]* class="([\w-]+)[^<>]*>', html):
        assert tag in mail_frame._STYLES or re.fullmatch(r"k[0-9a-f]{6}", tag), tag


def test_mail_about_many_games_is_small_enough(clock: Traveller, alice: User, bob: User) -> None:
    games = [game_that_asks(alice, bob, moves=24) for _ in range(3)]
    # The same games again stand for more: rows of one game would share a section.
    sections = [mail_sections.section([row], alice) for row in rows_of(alice, games) * 5]
    claim = Claim(rows_of(alice, games), alice, "alice@mail.example")
    written = mail_message._write([told for told in sections if told], claim)
    assert 1 < written.html.count('class="board"') < 6
    assert written.html.count(wording.MAKE_YOUR_MOVE) == len(sections) == 15
    assert len(written.html.encode()) < MAX_BYTES
    check_contents_are_equal(written)


def rows_of(user: User, games: list[Game]) -> list[Notification]:
    return [
        Notification(user=user, game=game, kind=Kind.DECISION, version=game.version, due=NOON, made=NOON)
        for game in games
    ]


def test_long_absence_is_told_by_its_latest_turns(
    clock: Traveller, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_that_asks(alice, bob, "random", moves=10)
    monkeypatch.setattr(mail_sections, "MAX_NEWS", 2)
    written = mail_of(alice, game)
    assert re.search(r"- \d+ earlier turns? \(see the log\)\n(- .*\n){2}\n", written.text)
    check_contents_are_equal(written)


def test_colours_are_those_of_the_site() -> None:
    pairs = set(re.findall(r"light-dark\((#\w{6}), (#\w{6})\)", (CSS / "tokens.css").read_text()))
    for light, dark in {**mail_frame.DARK, **DARK_FILLS}.items():
        assert (light, dark) in pairs, light


def test_every_colour_has_one_for_the_dark(game: Game, alice: User) -> None:
    html = mail_of(alice, game).html
    dark = html[html.index("prefers-color-scheme: dark") : html.index("</style>")]
    for name, style in mail_frame._STYLES.items():
        assert not style.colours or f".{name}{{" in dark
    used = set(re.findall(r' k(\w{6})"|"k(\w{6})"', html))
    for fill in {"".join(pair) for pair in used}:
        assert f".k{fill}{{" in dark or f"#{fill}" not in DARK_FILLS
