"""The rendered partial of every decision, for every reader."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.template.loader import render_to_string

from games.engine.rules.acquire import rule_system as acquire_rule_system
from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.state import State
from games.web.lobby.game_cards import Card
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import Person
from tests.engine.rules.acquire.acquire_positions import position
from tests.support import wording
from tests.web.presenters.presenter_cases import ACQUIRE, WANTED, Played, persons, random_game

TEMPLATES = Path(__file__).parents[3] / "templates"
SECRETS = re.compile(r'data-choose="(\w+)"|id="tile-(\w+)"|class="square mine[^"]*"[^>]*aria-label="(\w+),')


def tiles_on(page: str) -> set[str]:
    """Tiles of a hand that a page shows anywhere."""
    return {name for found in SECRETS.findall(page) for name in found if name}


@pytest.mark.parametrize("kind", WANTED)
def test_decider_has_the_form_of_the_decision(kind: str) -> None:
    state: State = WANTED[kind]()
    page = Played(state).page(state.decision.seat)
    assert f'<input type="hidden" name="kind" value="{kind}">' in page
    assert "data-my-turn" in page
    assert 'hx-post="/move/"' in page


@pytest.mark.parametrize("kind", WANTED)
def test_others_have_no_form(kind: str) -> None:
    state: State = WANTED[kind]()
    for seat in (None, *range(state.seats)):
        if seat != state.decision.seat:
            page = Played(state).page(seat)
            assert "<form" not in page
            assert "data-my-turn" not in page


def test_page_shows_the_readers_own_tiles_only() -> None:
    state = random_game(1, until=lambda state: state.decision.kind == "place" and len(state.bag) < 60).state
    for seat in range(4):
        own = {SQUARE_NAMES[tile] for tile in state.hands[seat]}
        assert tiles_on(Played(state).page(seat)) == own
    assert tiles_on(Played(state).page(None)) == set()


def test_strip_of_players_marks_computer_players() -> None:
    page = Played(WANTED["buy"]()).page(0)
    strip = page[page.index('<ul class="strip') : page.index("</ul>", page.index('<ul class="strip'))]
    people = re.findall(r'<span class="who.*?</span>\s*<span class="purse"', strip, re.DOTALL)
    assert ["⚙" in person for person in people] == ["Rook" in person for person in people]
    assert ["(computer player)" in person for person in people] == ["Rook" in person for person in people]
    assert any("Rook" in person for person in people)


def test_names_are_escaped_everywhere() -> None:
    names = [Person('<img src=x onerror="alert(1)">'), *persons(4)[1:]]
    wanted: list[Callable[[State], bool]] = [
        lambda state: state.decision.kind == "dispose" and state.decision.seat == 0,
        lambda state: False,
    ]
    for until in wanted:
        played = random_game(5, until=until)
        for seat in (0, 1, None):
            page = played.page(seat, names)
            assert "<img" not in page
            assert "&amp;lt;" not in page
        assert "&lt;img" in played.page(1, names)


def test_problem_is_shown_beside_the_button() -> None:
    page = Played(WANTED["buy"]()).page(0, problem="That costs <too much>.")
    assert '<p class="problem" role="alert" data-trouble>That costs &lt;too much&gt;.</p>' in page


def test_finished_game_has_standings_and_a_chart_with_its_numbers() -> None:
    page = random_game(4, 4).page(0)
    assert wording.FINAL_STANDINGS in page
    assert page.count("<polyline") == 4
    assert "Show as table" in page


def test_hidden_holdings_are_question_marks() -> None:
    state = position({"tower": "1A-3A"}, shares={"tower": [2, 7, 4]}, rules="avalon-hill holdings=hidden")
    page = Played(state).page(0)
    assert "Net worth" not in page
    assert page.count('<span title="hidden">?</span>') == 14


@pytest.mark.parametrize("seed", range(4))
def test_no_word_is_missing(seed: int) -> None:
    for until in (lambda state: len(state.bag) < 50, lambda state: False):
        page = random_game(seed, 3, until).page(0)
        assert "None" not in page
        assert "{{" not in page
        assert "{%" not in page


def test_templates_carry_no_style_script_or_handler() -> None:
    # The dark colours of mails can stand in a style sheet only, and no policy of the site reaches mails.
    for template in set(TEMPLATES.rglob("*.html")) - {TEMPLATES / "mail_frame.html"}:
        text = template.read_text()
        assert not re.search(r"\sstyle=|<style|\son\w+=|hx-on|javascript:", text), template
        # A data block runs nothing.
        assert not re.search(r'<script(?![^>]* src=)(?![^>]* type="application/json")', text), template


def test_rules_and_every_preset_have_a_page() -> None:
    page = render_to_string("games/presenters/acquire/how_to_play.html", ACQUIRE.rules_page())
    for anchor in ("prices", "dead-tiles", "mergers", "bonuses", "end"):
        assert f'id="{anchor}"' in page
    for name in acquire_rule_system.PRESETS:
        page = render_to_string("games/presenters/acquire/preset.html", ACQUIRE.preset_page(name))
        assert "Sid Sackson" in page


def test_fair_deal_is_shown_only_with_a_seed() -> None:
    context = {"title": "Game", "game_url": "/", "commitment": "ab" * 32, "chance": ACQUIRE.chance()}
    running = render_to_string("games/play/deal.html", {**context, "seed": None})
    assert "until then" in running.lower()
    seed = bytes(32)
    dealt = PRESENTERS["acquire"].deal_context(Rules(), ["sam", "marta"], seed)
    over = render_to_string("games/play/deal.html", {**context, "seed": seed.hex(), **dealt})
    assert seed.hex() in over
    assert " ".join(dealt["hands"][1][1]) in over


def test_card_says_whose_turn_it_is() -> None:
    card = Card("/games/x/", "Game x", wording.YOUR_TURN_TO_PLACE, "Rulebook", persons(3), True, 0)
    page = " ".join(render_to_string("games/lobby/_card.html", {"card": card}).split())
    assert "data-my-turn" in page
    assert 'class="seat seat-0 now" title="sam"' in page
    assert 'title="Rook ⚙"' in page


def test_error_pages_need_no_context() -> None:
    assert wording.SOMETHING_WENT_WRONG in render_to_string("500.html")
    for name in ("400", "403", "403_csrf", "404"):
        assert "Go to the lobby" in render_to_string(f"{name}.html")
