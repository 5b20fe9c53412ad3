"""Another deal of everything a viewer cannot know, and the way back."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any
from unittest import mock

from django.core.cache import cache
from django.db import connection, transaction

from games.analysis.advice import _cache_key
from games.engine.rules.acquire.turns import ask_for_tile
from games.log import positions
from games.models import Exploration, Game, LogEntry, Note, PlannedTurn, Redeal, StandingOrder
from games.play.bots import bot_moves
from games.web.showcase import live_cards
from tests.safety.leaks.labels import Tile
from tests.safety.leaks.viewers import Viewer

STORED = (StandingOrder, PlannedTurn, Note, Exploration)
SECRET_ORIGINS = (LogEntry.Origin.ORDER, LogEntry.Origin.PLAN)


class _Undone(Exception):
    pass


@contextmanager
def undone() -> Iterator[None]:
    """Undo all writes made meanwhile, and reuse their keys. Cards of live games are drawn anew."""
    numbers = _numbers()
    live_cards.forget()
    try:
        with transaction.atomic():
            yield
            raise _Undone
    except _Undone:
        _give_again(numbers)


def _numbers() -> list[tuple[str, int | None]]:
    """PostgreSQL's sequences and their values, which a rollback does not reset."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT quote_ident(sequencename), last_value FROM pg_sequences WHERE schemaname = 'public'"
        )
        return list(cursor.fetchall())


def _give_again(numbers: list[tuple[str, int | None]]) -> None:
    if not numbers:
        return
    names, last = [name for name, _ in numbers], [number for _, number in numbers]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT setval(name::regclass, coalesce(number, 1), number IS NOT NULL)"
            " FROM unnest(%s::text[], %s::bigint[]) AS counted (name, number)",
            [names, last],
        )


def stored(game: Game) -> Game:
    """The stored game with its secrets."""
    return Game.with_secrets.get(pk=game.pk)


def deal_anew(game: Game, viewer: Viewer, rng: Random, fixed: Collection[str] = ()) -> None:
    """Change everything about the game that the viewer cannot know; the tiles in `fixed` stay."""
    now = stored(game)
    seed = rng.randbytes(32)
    state = {**scrambled(now.state, viewer.seat, rng, fixed), "seed": seed.hex()}
    # The decision depends on the hand.
    state = game.rule_system.state_to_json(game.rule_system.state_from_json(state))
    Game.all_games.filter(pk=game.pk).update(state=state, seed=seed)
    Redeal.objects.filter(game=game).update(seed=seed)
    for model in STORED:
        model.objects.filter(game=game).exclude(user=viewer.user).delete()
    told = LogEntry.objects.filter(game=game, origin__in=SECRET_ORIGINS)
    told.exclude(user=viewer.user).update(origin="") if viewer.user else told.update(origin="")
    _think_otherwise(now, viewer)


def scrambled(
    state: dict[str, Any], seat: int | None, rng: Random, fixed: Collection[str] = ()
) -> dict[str, Any]:
    """A stored state with all tiles dealt anew that the seat cannot see, but for those in `fixed`."""
    hands, bag = [hand.split() for hand in state.get("hands", [])], state.get("bag", "").split()
    places = [
        (pile, place)
        for pile in [*(hand for owner, hand in enumerate(hands) if owner != seat), bag]
        for place, tile in enumerate(pile)
        if tile not in fixed
    ]
    tiles = [pile[place] for pile, place in places]
    rng.shuffle(tiles)
    for (pile, place), tile in zip(places, tiles, strict=True):
        pile[place] = tile
    if not hands:
        # Everything is open in this game.
        return state
    return {**state, "hands": [" ".join(hand) for hand in hands], "bag": " ".join(bag)}


@contextmanager
def dealt_as_stored(game: Game, redeals: Mapping[int, bytes]) -> Iterator[None]:
    """Make the past lead to the stored state, with everything dealt anew that the viewer cannot know.

    No seed deals just that. So the tiles that are hidden now change places in the deal of the game's own seed
    as they did in store; only where another tile would have been dead or turned up before its time they stay.
    In a reopened game they do so in its last redeal: what was dealt before is known. `redeals` are the seeds
    of redeals by log entry.
    """
    seed = bytes(stored(game).seed or b"")
    real_deal, real_step, system = positions.initial_state, positions.apply_step, game.rule_system

    def dealt(asked: Game) -> Any:
        if asked.pk != game.pk:
            return real_deal(asked)
        deal = system.deal(game.rules, game.seats.count(), seed)
        return deal if redeals else _fitted(game, deal)

    def stepped(asked: Game, state: Any, step: positions.LogRow) -> None:
        if asked.pk != game.pk or step.number not in redeals:
            real_step(asked, state, step)
            return
        system.redeal(state, redeals[step.number])
        if step.number == max(redeals):
            fitted = _fitted(game, state, step.number)
            state.hands, state.bag = fitted.hands, fitted.bag
            if state.decision.kind in ("place", "stuck"):
                ask_for_tile(state)

    with (
        mock.patch.object(positions, "initial_state", dealt),
        mock.patch.object(positions, "apply_step", stepped),
    ):
        yield


def _fitted(game: Game, deal: Any, since: int = 0) -> Any:
    """The deal before the moves since this entry with other tiles, so that these lead to the stored state."""
    system = game.rule_system
    log = [line for line in positions.standing_moves(positions.lines(stored(game))) if line.number > since]
    now, wanted = deal.copy(), system.state_from_json(stored(game).state)
    _play(system, now, log)
    other = dict(zip(_unseen(now), _unseen(wanted), strict=True))
    then = _swapped(deal, other)
    try:
        _play(system, led := then.copy(), log)
    except ValueError:
        return _swapped(deal, {tile: Tile.of(tile) for tile in other})
    fits = _unseen(led) == _unseen(wanted) and led.aside == now.aside
    return then if fits else _swapped(deal, {tile: Tile.of(tile) for tile in other})


def _play(system: Any, state: Any, log: Iterable[positions.LogLine]) -> None:
    for line in log:
        move = system.parse_move(line.text)
        system.check_move(state, move)
        system.apply(state, move)


def _unseen(state: Any) -> list[int]:
    return [tile for pile in (*state.hands, state.bag) for tile in pile]


def _swapped(deal: Any, other: dict[int, int]) -> Any:
    """Return the deal with other tiles in these places."""
    new = deal.copy()
    new.hands = [[other.get(tile, tile) for tile in hand] for hand in deal.hands]
    new.bag = [other.get(tile, tile) for tile in deal.bag]
    return new


def think_ahead(game: Game) -> None:
    """Values cached ahead: a bot's chosen move, and advice nobody has read yet."""
    if game.seat_to_move is None:
        return
    legal = _legal(game)
    cache.set(bot_moves._cache_key(game), (legal[0], 0), 60)
    cache.set(_cache_key(game), [(legal[0], 0.9, 1000.0, 7)], 60)


def _think_otherwise(game: Game, viewer: Viewer) -> None:
    if game.seat_to_move is None or game.seat_to_move == viewer.seat:
        return
    legal = _legal(game)
    cache.set(bot_moves._cache_key(game), (legal[-1], 0), 60)
    cache.set(_cache_key(game), [(legal[-1], 0.1, -1000.0, 99)], 60)


def _legal(game: Game) -> list[str]:
    system = game.rule_system
    return [str(move) for move in system.legal_moves(system.state_from_json(game.state))]
