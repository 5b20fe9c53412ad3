"""Markup made without a template is complete and well escaped."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from django.template import engines
from django.test.html import parse_html
from django.utils.timezone import override

from games.web.presenters import table_markup
from games.web.presenters.acquire.board_view import Square

NASTY = "<script>\"'&"


def square(**facts: Any) -> Any:
    usual = {"name": "1A", "column": 0, "row": 0, "css": "", "letter": "", "label": "1A, empty"}
    return Square(**{**usual, "choose": False, "stop": False, **facts})


def holding(who: str, shares: str, mark: str = "", *, me: bool = False) -> Any:
    return SimpleNamespace(who=who, shares=shares, mark=mark, me=me)


def rendered(source: str, **context: Any) -> str:
    return str(engines["jinja2"].from_string(source).render(context))


def test_square_is_a_button_that_names_its_place() -> None:
    html = rendered(
        "{{ squares(row, named=true) }}", row=[square(label="1A, Tower", css="in-chain", letter="T")]
    )
    assert parse_html(html) == parse_html(
        '<div role="gridcell"><button id="square-1A" class="square in-chain" tabindex="-1" data-column="0"'
        ' data-row="0" aria-label="1A, Tower" title="1A, Tower" type="button"><i>1A</i><b>T</b></button>'
        "</div>"
    )


def test_only_selectable_squares_send_the_form() -> None:
    shown = rendered(
        "{{ squares(row, named=true) }}", row=[square(), square(name="2A", choose=True, stop=True)]
    )
    first, second = shown.split("</button>")[:2]
    assert 'type="button"' in first
    assert "submit" not in first
    assert 'tabindex="-1"' in first
    assert 'type="submit" form="decision" formnovalidate name="square" value="2A" data-choose="2A"' in second
    assert 'tabindex="0"' in second


@pytest.mark.parametrize(("letter", "face"), [("", "<i>1A</i>"), ("P", "<b>P</b>")])
def test_letter_stands_in_for_a_hidden_name(letter: str, face: str) -> None:
    assert f">{face}</button>" in rendered("{{ squares(row, named=false) }}", row=[square(letter=letter)])


def test_holdings_have_their_marks_and_hidden_ones_say_so() -> None:
    row = [holding("you", "3", "M", me=True), holding("bob", "–"), holding("eve", "")]
    assert rendered("{{ held(row) }}", row=row) == (
        '<td class="n">3<sup>M</sup></td><td class="n other">–</td>'
        '<td class="n other"><span title="hidden">?</span></td>'
    )
    assert rendered("{{ held_by_others(row) }}", row=row) == "bob – · eve ?"


def test_chosen_option_is_selected() -> None:
    choices = [SimpleNamespace(value=str(n), text=f"{n} shares", chosen=n == 2) for n in (1, 2)]
    assert rendered("{{ options(choices) }}", choices=choices) == (
        '<option value="1">1 shares</option><option value="2" selected>2 shares</option>'
    )


def everything(nasty: Any) -> str:
    table_markup._square.cache_clear()
    choice = SimpleNamespace(value=nasty, text=nasty, chosen=False)
    return "".join(
        [
            table_markup.squares([square(name=nasty, css=nasty, letter=nasty, label=nasty)], named=True),
            table_markup.squares([square(name=nasty, letter=nasty, choose=True)], named=False),
            table_markup.held([holding(nasty, nasty, nasty)]),
            table_markup.held_by_others([holding(nasty, nasty, nasty)]),
            table_markup.options([choice]),
        ]
    )


def test_values_are_escaped_everywhere() -> None:
    assert "<script" not in everything(NASTY)
    assert "\"'" not in everything(NASTY)


def test_unescaped_value_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_markup, "escape", str)
    assert everything(NASTY).count("<script") == everything("word").count("word")


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin"])
def test_time_looks_the_same_as_by_template_filters(zone: str) -> None:
    at = datetime(2026, 3, 29, 0, 59, 58, 7, tzinfo=UTC)
    with override(zone):
        told = rendered("{{ moment(at) }}", at=at)
        same = rendered(
            '<time class="dim" datetime="{{ at|date("c") }}" data-local="short">'
            '{{ at|date("j M Y H:i e") }}</time>',
            at=at,
        )
    assert told == same
