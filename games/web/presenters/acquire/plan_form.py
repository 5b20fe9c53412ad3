"""The form of a planned turn."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from games.engine.planned_turns.acquire.plan_check import is_under_way
from games.engine.planned_turns.acquire.turn_plan import board_seen
from games.engine.planned_turns.plan_errors import PlanView
from games.engine.planned_turns.plan_systems import PLANS
from games.engine.rules.acquire import rule_system as acquire_rule_system
from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.chains import CHAIN_NAMES, CHAINS
from games.engine.rules.acquire.moves import Buy
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.tile_placement import TileEffect, tile_effect
from games.web.presenters.acquire import tile_effect_text
from games.web.presenters.acquire.chain_names import in_order, label, price, tier_order
from games.web.presenters.acquire.plan_reader import NOTHING, SHARES, WISHES
from games.web.presenters.acquire.plan_text import sentences, why_not
from games.web.presenters.table_people import money

_plans = PLANS["acquire"]


@dataclass(frozen=True, slots=True)
class PlanOption:
    """An option: its value, its words, whether it is chosen, and which fields it requires."""

    value: str
    text: str
    chosen: bool = False
    calls: str = ""


@dataclass(frozen=True, slots=True)
class PurchaseChoice:
    """A purchase of the list: the options of each share's field, and whether it is planned."""

    number: int
    shares: tuple[tuple[str, tuple[PlanOption, ...]], ...]
    wished: bool


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of the form.

    `found` has a list for the first choice and one for the second; empty lists are not shown. `board` is the
    board as the reader sees it.
    """

    tiles: tuple[PlanOption, ...]
    found: tuple[tuple[PlanOption, ...], ...]
    survivor: tuple[PlanOption, ...]
    next: tuple[PlanOption, ...]
    wishes: tuple[PurchaseChoice, ...]
    otherwise: tuple[PlanOption, ...]
    unchanged: bool
    end: bool
    board: str


@dataclass(frozen=True, slots=True)
class Form:
    """A plan and the form to change it.

    mode      "plan" for a whole turn to come, "rest" for the rest of the current one, "turn" to send a whole
              turn now, "" while nothing can be planned
    kept      the saved plan in a sentence; "" without one
    stopped   why it was not followed, in a sentence; "" while it stands
    open      whether the form is unfolded
    fields    None while nothing can be planned
    """

    mode: str
    kept: str
    stopped: str
    open: bool
    fields: Fields | None


def plan_form(seen: Observation, planned: PlanView | None, *, away: bool = False) -> Form | None:
    """The form for the observer; None without a plan when nothing can be planned.

    An observer who is `away`, whose seat has a stand-in, cannot plan.
    """
    mode = "" if away else _mode(seen)
    if seen.hand is None or seen.ended or not (mode or planned):
        return None
    stopped = planned.stopped if planned else None
    return Form(
        mode,
        sentences(planned.record, seen.rules) if planned and planned.kept else "",
        why_not(stopped, seen.rules) if stopped else "",
        planned is not None and (not planned.kept or (stopped is not None and mode == "turn")),
        _fields(seen, mode, planned.record if planned else None) if mode else None,
    )


def _mode(seen: Observation) -> str:
    kind = seen.decision.kind
    if is_under_way(seen):
        return "rest" if not seen.legal or kind == "dispose" else ""
    if seen.turn == seen.seat:
        return "turn" if kind == "place" else ""
    return "plan" if seen.hand else ""


def _fields(seen: Observation, mode: str, record: dict[str, Any] | None) -> Fields:
    answers: dict[str, list[str]] = (record or {}).get("answers", {})
    fates = {} if mode == "rest" else _fates(seen)
    founded = _founded(seen, fates)
    first = answers.get("found", [])
    purchases = [text for text in answers.get("buy", []) if text != f"buy {NOTHING}"]
    return Fields(
        tiles=tuple(_tile(seen, square, fate, record) for square, fate in fates.items()),
        found=tuple(_chains(seen, founded, first[place : place + 1]) for place in range(2))
        if founded
        else (),
        survivor=_chains(seen, _tied(fates), answers.get("survivor", [])[:1]),
        next=_chains(seen, _in_line(seen, mode, fates), answers.get("next", [])[:1]),
        wishes=tuple(
            _wish(seen, _offered(seen, mode, founded), number, purchases[number - 1 : number])
            for number in WISHES
        ),
        otherwise=(
            PlanOption("", _("ask me")),
            PlanOption(NOTHING, _("buy nothing"), f"buy {NOTHING}" in answers.get("buy", [])),
        ),
        unchanged=record is None or bool(record.get("board")),
        end=bool((record or {}).get("end")),
        board=board_seen(seen),
    )


# -- The tile and its choices --------------------------------------------------------------------------------


def _fates(seen: Observation) -> dict[int, TileEffect]:
    """The tiles that can be planned, with their effects now."""
    fates = {square: tile_effect(seen, square) for square in seen.hand or ()}
    return {square: fate for square, fate in fates.items() if fate.kind != "dead"}


def _founded(seen: Observation, fates: dict[int, TileEffect]) -> list[int]:
    """The chains that one of the tiles might found."""
    founds = any(fate.kind == "founds" for fate in fates.values())
    return [number for number in CHAINS if not seen.size[number]] if founds else []


def _tied(fates: dict[int, TileEffect]) -> set[int]:
    """The chains among which the player might choose the survivor."""
    return {number for fate in fates.values() if len(fate.survivors) > 1 for number in fate.survivors}


def _in_line(seen: Observation, mode: str, fates: dict[int, TileEffect]) -> set[int]:
    """The chains among which the player might choose the one to go first."""
    if mode == "rest":
        return set(seen.queue) if len(seen.queue) > 1 else set()
    return {number for fate in fates.values() if len(fate.chains) > 2 for number in fate.chains}


def _tile(seen: Observation, square: int, fate: TileEffect, record: dict[str, Any] | None) -> PlanOption:
    name = SQUARE_NAMES[square]
    calls = {
        "found": fate.kind == "founds",
        "survivor": len(fate.survivors) > 1,
        "next": len(fate.chains) > 2,
    }
    text = _("{tile}: {does}").format(tile=name, does=tile_effect_text.short(seen, fate))
    called = " ".join(field for field, wanted in calls.items() if wanted)
    return PlanOption(name, text, record is not None and record.get("tile") == name, called)


def _chains(seen: Observation, numbers: Iterable[int], chosen: Sequence[str]) -> tuple[PlanOption, ...]:
    """The chains as options; `chosen` are moves in notation."""
    names = [text.split()[-1] for text in chosen]
    return tuple(
        PlanOption(
            CHAIN_NAMES[number],
            label(seen.rules, number),
            CHAIN_NAMES[number] in names,
        )
        for number in in_order(seen.rules, numbers)
    )


# -- The purchase --------------------------------------------------------------------------------------------


def _offered(seen: Observation, mode: str, founded: Sequence[int]) -> list[int]:
    """The chains whose shares can be planned: for a turn to come, also chains not on the board yet."""
    return [
        number
        for number in tier_order(seen.rules)
        if seen.bank[number] and (mode == "plan" or seen.size[number] or number in founded)
    ]


def _wish(seen: Observation, offered: Sequence[int], number: int, wished: Sequence[str]) -> PurchaseChoice:
    moves = [acquire_rule_system.parse_move(text) for text in wished]
    shares = [share for move in moves if isinstance(move, Buy) for share in move.shares]
    fields = []
    for place, letter in enumerate(SHARES):
        wanted = shares[place] if place < len(shares) else None
        fields.append((f"buy{number}{letter}", tuple(_share(seen, chain, wanted) for chain in offered)))
    return PurchaseChoice(number, tuple(fields), bool(wished))


def _share(seen: Observation, number: int, wanted: int | None) -> PlanOption:
    text = label(seen.rules, number)
    if seen.size[number]:
        text = f"{text} {money(price(seen.rules, number, seen.size[number]))}"
    return PlanOption(CHAIN_NAMES[number], text, number == wanted)
