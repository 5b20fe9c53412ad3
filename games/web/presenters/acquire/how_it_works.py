"""The game in three pictures, for people who do not know it."""

from dataclasses import dataclass
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.engine.rules.acquire.chains import CHAIN_BY_NAME
from games.engine.rules.acquire.moves import MAX_BOUGHT
from games.engine.rules.acquire.rule_options import Rules
from games.web.presenters.acquire.board_view import figure
from games.web.presenters.acquire.chain_names import chain, price
from games.web.presenters.board_shapes import SQUARE, outline
from games.web.presenters.table_people import money

_FOUNDED: Final = ("....o.", ".TT...", "..T...")
_MERGED: Final = ("...I..", "WW.III", "....I.")
_COLUMNS: Final = 6
# The shares in the second picture: chain, size, where the certificate lies and how it is turned.
_SHARES: Final = (
    ("tower", 5, "translate(95 62) rotate(-8 70 90)"),
    ("festival", 5, "translate(365 62) rotate(8 70 90)"),
    ("imperial", 6, "translate(230 40)"),
)
# The letters of chains on whose colour a dark letter stands.
_DARK: Final = frozenset("IW")


@dataclass(frozen=True, slots=True)
class Explanation:
    """A picture, which has no text alternative, its heading, and a sentence or two."""

    picture: SafeString
    title: str
    text: str


def how_it_works() -> list[Explanation]:
    """Placing, buying and merging, each in a picture and words."""
    rules = Rules()
    amounts = [amount for prices in rules.prices for amount in prices if amount]
    return [
        Explanation(
            _drawn(_FOUNDED, _tile(3, 1, "4B")),
            _("Place a tile"),
            _("Place tiles side by side to found a chain. More tiles make it grow and its shares cost more."),
        ),
        Explanation(
            _shares(rules),
            _("Buy shares"),
            _("Buy up to {n} shares each turn, for {least} to {most} each.").format(
                n=MAX_BOUGHT, least=money(min(amounts)), most=money(max(amounts))
            ),
        ),
        Explanation(
            _drawn(_MERGED, format_html("{}{}", _joined(), _tile(2, 1, "3B"))),
            _("Profit from mergers"),
            _("The larger chain acquires the smaller one, whose two largest shareholders get bonuses."),
        ),
    ]


def _drawn(rows: tuple[str, ...], above: SafeString) -> SafeString:
    """A part of a board with letters on its chains."""
    letters = format_html_join(
        "",
        '<text class="{}" x="{}" y="{}">{}</text>',
        (
            ("dark" if letter in _DARK else "light", *_middle(column, row), letter)
            for row, line in enumerate(rows)
            for column, letter in enumerate(line)
            if letter not in ".o"
        ),
    )
    return format_html("{}{}", figure(*rows), _layer(format_html("{}{}", letters, above)))


def _layer(content: SafeString) -> SafeString:
    """A drawing to lie above the shapes of a picture."""
    return format_html(
        '<svg class="letters" viewBox="0 0 {} {}" aria-hidden="true">{}</svg>',
        _COLUMNS * SQUARE,
        3 * SQUARE,
        content,
    )


def _middle(column: int, row: int) -> tuple[int, int]:
    """The middle of the base line of a letter on this square."""
    return column * SQUARE + SQUARE // 2, row * SQUARE + 68


def _tile(column: int, row: int, name: str) -> SafeString:
    """A tile of the reader, about to be placed."""
    x, y = _middle(column, row)
    return format_html(
        '<rect class="my-tile" x="{}" y="{}" width="84" height="84" rx="14"/>'
        '<text class="tile-name" x="{}" y="{}">{}</text>',
        column * SQUARE + 8,
        row * SQUARE + 8,
        x,
        y - 5,
        name,
    )


def _joined() -> SafeString:
    """The outline of the chain that the merger leaves."""
    squares = {
        (column, row)
        for row, line in enumerate(_MERGED)
        for column, letter in enumerate(line)
        if letter != "." or (column, row) == (2, 1)
    }
    return format_html('<path class="joined" d="{}"/>', outline(frozenset(squares)))


def _shares(rules: Rules) -> SafeString:
    """Three shares with their prices."""
    cards = format_html_join("", "{}", ((_share(rules, *share),) for share in _SHARES))
    return format_html("{}{}", figure(*["." * _COLUMNS] * 3), _layer(cards))


def _share(rules: Rules, name: str, size: int, place: str) -> SafeString:
    number = CHAIN_BY_NAME[name]
    shown = chain(rules, number)
    return format_html(
        '<g transform="{}"><rect class="share" width="140" height="200" rx="18"/>'
        '<path class="{}" d="M0 44V18q0 -18 18 -18H122q18 0 18 18V44z"/>'
        '<text x="70" y="100">{}</text><text class="small" x="70" y="138">{}</text>'
        '<text class="price" x="70" y="180">{}</text></g>',
        place,
        shown.css,
        shown.letter,
        shown.label,
        money(price(rules, number, size)),
    )
