"""Races of stored orders and plans, takebacks and early ends, against moves and clocks."""

from collections.abc import Callable
from functools import partial
from typing import Any

from games.engine.planned_turns.plan_errors import InvalidPlan
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.state import decider
from games.models import Game, LogEntry, PlannedTurn
from games.play import takebacks
from games.play.automation.planned_turns import keep_plan, withdraw_plan
from games.play.automation.standing_orders import save_order, withdraw_order
from games.play.deadlines.overdue import settle_timeout
from games.play.play_move import play_move
from games.play.seats.concession import concede
from games.play.seats.end_votes import propose_end, vote_on_end
from games.refusals import BotIsPlaying, NotYourDecision, NotYourSeat, ProposalChanged, StalePosition
from tests.safety.move_races import late
from tests.safety.race_stage import Stage, done, kept, legal, others, refused

SELL_ALL = {"trade": 0}
ANSWER = "dispose nothing"
END_OF_TURN = "buy nothing"


def disposes(state: Any, entries: list[LogEntry]) -> bool:
    """Return whether a player other than the one whose turn it is must dispose of shares."""
    asked = state.decision.kind == "dispose" and decider(state) != state.turn
    return bool(asked and entries[-1].seat == state.turn)


def another_disposes_next(state: Any, entries: list[LogEntry]) -> bool:
    """Return whether another player disposes of shares next."""
    if state.decision.kind != "dispose":
        return False
    after = state.copy()
    acquire.apply(after, acquire.parse_move(ANSWER))
    return after.decision.kind == "dispose" and decider(after) != decider(state)


def an_order_and_an_own_answer(stage: Stage) -> None:
    """A player answers by hand while an order is given in another tab: one of them counts."""
    an_order_or_an_answer(stage, stage.game(at=disposes))


def an_order_or_an_answer(stage: Stage, game: Game) -> None:
    """Check that the order or the own answer is logged; the other is stale, or an order for later."""
    give = partial(save_order, game_id=game.pk, by=game.waiting_for, terms=SELL_ALL, once=True)
    half = stage.threads // 2
    results = stage.at_once(*[give] * half, *[stage.move(game, ANSWER)] * half)
    assert refused(results) <= {StalePosition}
    entry = kept(game).moves.get(number=game.version + 1)
    assert (entry.origin, entry.text == ANSWER) in {("", True), ("order", False)}
    assert len(done(results[half:])) == (half if entry.text == ANSWER else 0)
    assert kept(game).version == game.version + 1


def an_order_and_a_late_answer(stage: Stage) -> None:
    """An order answers while another answer comes from an old page."""
    game = stage.game(at=another_disposes_next)
    seat = game.seats.get(number=decider(_after(game, ANSWER)))
    save_order(game_id=game.pk, by=seat.user, terms=SELL_ALL, once=False)
    own = partial(
        play_move, game_id=game.pk, number=game.version + 2, seat=seat.number, text=ANSWER, by=seat.user
    )
    results = stage.at_once(stage.move(game, ANSWER), *[own] * (stage.threads - 1))
    assert refused(results) == {StalePosition}
    assert len(done(results)) == 1, "an answer beside the order"
    entry = kept(game).moves.get(number=game.version + 2)
    assert (entry.seat, entry.origin) == (seat.number, "order")


def _state(game: Game) -> Any:
    return game.rule_system.state_from_json(game.state)


def _after(game: Game, text: str) -> Any:
    """Return the position one move later."""
    state = _state(game)
    acquire.apply(state, acquire.parse_move(text))
    return state


def an_order_that_is_withdrawn(stage: Stage) -> None:
    """An order is withdrawn at the moment of its use: it answers or is gone, and is withdrawn once."""
    game = stage.game(at=another_disposes_next)
    seat = game.seats.get(number=decider(_after(game, ANSWER)))
    order = save_order(game_id=game.pk, by=seat.user, terms=SELL_ALL, once=False)
    withdraw = partial(withdraw_order, game_id=game.pk, by=seat.user, topic=order.topic)
    results = stage.at_once(stage.move(game, ANSWER), *[withdraw] * (stage.threads - 1))
    assert refused(results) == set()
    assert results[1:].count(True) == 1
    assert not kept(game).orders.exists()
    assert kept(game).version - game.version in (1, 2)


def a_plan_and_the_clock(stage: Stage) -> None:
    """A plan is kept while the turn before it is ended by its player or the clock: it is followed once."""
    game = stage.game(at=_buys, pace=86400)
    after = _after(game, END_OF_TURN)
    planner = game.seats.get(number=decider(after))
    tile = stage.rng.choice(_places(after))
    late(game)
    third = stage.threads // 3
    keep = partial(keep_plan, game_id=game.pk, user=planner.user, plan={"tile": tile, "answers": {}})
    settle = partial(settle_timeout, game.pk, game.version)
    own = stage.move(game, END_OF_TURN)
    results = stage.at_once(*[keep] * third, *[settle] * third, *[own] * third)
    # A plan kept after its tile was played is refused.
    assert refused(results[:third]) <= {InvalidPlan}
    assert refused(results[third:]) <= {StalePosition}
    assert kept(game).version == game.version + 2
    entry = game.moves.get(number=game.version + 2)
    assert (entry.seat, entry.text, entry.origin) == (planner.number, f"place {tile}", "plan")


def _buys(state: Any, entries: list[LogEntry]) -> bool:
    """Return whether a turn is ending and the next player has tiles to place."""
    if state.decision.kind != "buy" or state.ended:
        return False
    after = state.copy()
    acquire.apply(after, acquire.parse_move(END_OF_TURN))
    return after.decision is not None and after.decision.kind == "place" and bool(_places(after))


def _places(state: Any) -> list[str]:
    texts = [str(move) for move in acquire.legal_moves(state)]
    return [text.removeprefix("place ") for text in texts if text.startswith("place ")]


def a_plan_that_is_withdrawn(stage: Stage) -> None:
    """A plan is withdrawn while its turn comes: it is followed, or gone."""
    game = stage.game(at=_buys)
    after = _after(game, END_OF_TURN)
    planner = game.seats.get(number=decider(after))
    tile = stage.rng.choice(_places(after))
    keep_plan(game_id=game.pk, user=planner.user, plan={"tile": tile, "answers": {}})
    withdraw = partial(withdraw_plan, game_id=game.pk, user=planner.user)
    results = stage.at_once(stage.move(game, END_OF_TURN), *[withdraw] * (stage.threads - 1))
    assert refused(results) == set()
    assert kept(game).version - game.version in (1, 2)
    assert not PlannedTurn.objects.filter(game=game).exists()


def a_step_taken_back_and_the_next_decision(stage: Stage) -> None:
    """A step is taken back in two tabs while the next player answers it."""
    back_or_answered(stage, stage.game(at=disposes))


def back_or_answered(stage: Stage, game: Game) -> None:
    """Check that either the takeback or the answer counts."""
    mover = game.seats.get(number=_state(game).turn).user
    take_back = partial(
        takebacks.take_back, game_id=game.pk, number=game.version + 1, to=game.version - 1, by=mover
    )
    half = stage.threads // 2
    results = stage.at_once(*[take_back] * half, *[stage.move(game, ANSWER)] * half)
    assert refused(results) <= {StalePosition}
    entry = kept(game).moves.get(number=game.version + 1)
    assert {result.pk for result in done(results)} == {entry.pk}
    assert len(done(results)) == half
    assert kept(game).version == game.version + 1


def an_ending_and_a_move(stage: Stage) -> None:
    """The last votes on ending the game come while somebody moves: it ends once, or goes on."""
    game = stage.game(*stage.people[:4])
    first, second, third, last = stage.people[:4]
    kind = stage.rng.choice(["standings", "none"])
    propose_end(game_id=game.pk, by=first, kind=kind)
    vote_on_end(game_id=game.pk, by=second, kind=kind, yes=True)
    vote = partial(vote_on_end, game_id=game.pk, kind=kind)
    number = Game.objects.get(pk=game.pk).version + 1
    moves = [stage.move(game, text, number) for text in others(legal(game), stage.threads // 4)]
    refuse = [partial(vote, by=last, yes=False)] * stage.rng.choice([0, 1])
    agree = [partial(vote, by=user, yes=True) for user in (third, last)]
    results = stage.at_once(*agree * (stage.threads // 4), *moves, *refuse)
    assert refused(results) <= {NotYourDecision, ProposalChanged, StalePosition}
    after = kept(game)
    texts = list(after.moves.filter(number__gte=number).values_list("text", flat=True))
    ended = sum(text in ("end with standings", "end without result") for text in texts)
    assert ended == after.is_finished, texts
    assert after.is_finished or refuse
    said = [text for text in texts if " agrees to " in text or " refuses " in text]
    assert len(said) == len(set(said)) <= 2, texts


def conceding_and_a_move(stage: Stage) -> None:
    """All concede at once while somebody moves: each concedes once, and the game ends with one left."""
    game = stage.game(*stage.people[:3])
    give_up = [partial(concede, game_id=game.pk, by=user) for user in stage.people[:3]]
    moves = [stage.move(game, text) for text in others(legal(game), stage.threads // 4)]
    results = stage.at_once(*give_up * (stage.threads // 4), *moves)
    assert refused(results) <= {NotYourDecision, StalePosition, BotIsPlaying, NotYourSeat}
    after = kept(game)
    places = sorted(seat.concession_order for seat in after.seats.all() if seat.concession_order)
    assert places == [1, 2], "two give up, and whoever is left has won"
    assert (after.status, after.ending) == (Game.Status.FINISHED, Game.Ending.CONCEDED)
    texts = list(after.moves.filter(number__gt=game.version).values_list("text", flat=True))
    assert sum(text.startswith("concede") for text in texts) == 2, texts


def a_proposal_by_everybody(stage: Stage) -> None:
    """All propose the same end at once: one proposes it, the others agree, and the game ends."""
    game = stage.game(*stage.people[:4])
    ask = [partial(propose_end, game_id=game.pk, by=user, kind="none") for user in stage.people[:4]]
    results = stage.at_once(*ask * (stage.threads // 4))
    assert refused(results) <= {NotYourDecision}
    after = kept(game)
    texts = list(after.moves.filter(number__gt=game.version).values_list("text", flat=True))
    assert [text.split()[1] for text in texts] == ["proposes", *["agrees"] * 3, "without"], texts
    assert after.is_finished


RACES: tuple[Callable[[Stage], None], ...] = (
    an_order_and_an_own_answer,
    an_order_and_a_late_answer,
    an_order_that_is_withdrawn,
    a_plan_and_the_clock,
    a_plan_that_is_withdrawn,
    a_step_taken_back_and_the_next_decision,
    an_ending_and_a_move,
    conceding_and_a_move,
    a_proposal_by_everybody,
)
