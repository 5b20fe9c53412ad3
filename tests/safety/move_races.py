"""Races of moves: many moves arrive at once for one decision, and one is made."""

from functools import partial
from typing import Any

from django.urls import reverse
from django.utils import timezone

from games.engine.rules.acquire.state import decider
from games.models import Game, LogEntry
from games.play.automation.planned_turns import play_turn
from games.play.bots.bot_moves import play_bot_move
from games.play.deadlines.overdue import settle_timeout
from games.refusals import StalePosition
from tests.safety.crowd import Call
from tests.safety.race_stage import Stage, done, kept, legal, others, refused

FOUND, CONFLICT, WRONG = 302, 409, 422
MOVED_ON = str(StalePosition.message)

# Texts that are no move, or a move that nobody can make twice.
NO_MOVES = ["place 13Q", "survivor tower"]


def the_same_move(stage: Stage) -> None:
    """Many double clicks: the move is made once, and everybody gets the same success."""
    game = stage.game()
    results = stage.at_once(*[stage.move(game)] * stage.threads)
    assert {result.number for result in results} == {game.version + 1}
    assert kept(game).version == game.version + 1


def the_same_move_by_browsers(stage: Stage) -> None:
    """The same race through the pages."""
    game = stage.game()
    post = _posting(stage, game, stage.rng.choice(legal(game)))
    answers = stage.at_once(*[post] * stage.threads)
    assert {answer.status_code for answer in answers} == {FOUND}
    assert kept(game).version == game.version + 1


def different_moves(stage: Stage) -> None:
    """Many different moves: one is made, the others are stale."""
    one_of_many_is_made(stage, stage.game())


def one_of_many_is_made(stage: Stage, game: Game) -> None:
    """Check that exactly one of all legal moves is made."""
    texts = others(legal(game), stage.threads)
    results = stage.at_once(*[stage.move(game, text) for text in texts])
    assert refused(results) <= {StalePosition}
    entry = game.moves.get(number=game.version + 1)
    assert {result.pk for result in done(results)} == {entry.pk}
    assert len(done(results)) == texts.count(entry.text), "a success was told that was none"
    assert kept(game).version == game.version + 1


def different_moves_by_browsers(stage: Stage) -> None:
    """Several tabs, some with invalid moves: each answer tells what became of its move."""
    game = stage.game()
    texts = [*others(legal(game), stage.threads - 2), *NO_MOVES]
    answers = stage.at_once(*[_posting(stage, game, text) for text in texts])
    made = game.moves.get(number=game.version + 1).text
    for text, answer in zip(texts, answers, strict=True):
        expected = {FOUND} if text == made else {CONFLICT, WRONG} if text in NO_MOVES else {CONFLICT}
        assert answer.status_code in expected, f"{answer.status_code} for {text} when {made} was made"
        assert answer.status_code != CONFLICT or MOVED_ON in answer.content.decode()
    assert kept(game).version == game.version + 1


def moves_of_other_seats(stage: Stage) -> None:
    """Everybody at the table and a spectator move at once: only the decider's move counts."""
    game = stage.game()
    watcher = stage.people[3]
    calls = [_posting(stage, game, stage.rng.choice(legal(game)), by=user) for user in _table(game)]
    answers = stage.at_once(*calls * (stage.threads // 4), _posting(stage, game, legal(game)[0], by=watcher))
    assert answers[-1].status_code == 403
    assert {answer.status_code for answer in answers[:-1]} == {FOUND, CONFLICT}
    # The next decision may be that of a seat that came late: each number is taken once.
    assert kept(game).version == game.version + 1


def a_computer_by_many_workers(stage: Stage) -> None:
    """Repeated tasks and a sweeper move the bot: once."""
    game = stage.game(
        *stage.people[:2],
        "random",
        at=lambda state, entries: decider(state) == 2,
        options={"seating": "joining"},
    )
    play = partial(play_bot_move, game.pk, game.version)
    by_hand = [stage.move(game, text) for text in others(legal(game), 2)]
    late = partial(settle_timeout, game.pk, game.version)
    results = stage.at_once(*[play] * (stage.threads - 4), *by_hand, late, late)
    made = kept(game)
    assert made.version == game.version + 1
    assert made.moves.get(number=made.version).author == LogEntry.Author.COMPUTER
    # A call without a user counts as the bot.
    assert True in results or done(results[-4:-2])


def a_person_the_clock_and_a_computer(stage: Stage) -> None:
    """A late move, sweepers and workers for one decision."""
    game = stage.game(*stage.people[:2], pace=86400)
    late(game)
    settle = partial(settle_timeout, game.pk, game.version)
    work = partial(play_bot_move, game.pk, game.version)
    own = [stage.move(game) for _ in range(stage.threads // 4)]
    results = stage.at_once(*own, *[settle] * (stage.threads // 2), *[work] * (stage.threads // 4))
    assert refused(results) <= {StalePosition}
    entry = kept(game).moves.get(number=game.version + 1)
    assert entry.author in (LogEntry.Author.PERSON, LogEntry.Author.HOUSE)
    # Two may choose the same move: then both have decided.
    assert entry.author == LogEntry.Author.PERSON or True in results
    assert kept(game).version == game.version + 1


def late(game: Game) -> None:
    """Let the decider's time run out, with no grace left."""
    game.seats.update(grace_used=True)
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now())


def whole_turns(stage: Stage) -> None:
    """Two tabs send different whole turns: one is played, and each of its steps once."""
    game = stage.game(at=lambda state, entries: _places(state) and len(entries) > 6)
    tiles = [text.removeprefix("place ") for text in legal(game) if text.startswith("place ")]
    chosen = [stage.rng.choice(tiles), stage.rng.choice(tiles)]
    results = stage.at_once(*[_turn(game, tile) for tile in chosen * (stage.threads // 2)])
    assert refused(results) <= {StalePosition}
    entry = game.moves.get(number=game.version + 1)
    assert entry.text in {f"place {tile}" for tile in chosen}
    assert kept(game).version == game.version + 1, "the rest of the turn was left open"


def _turn(game: Game, tile: str) -> Call:
    plan = {"tile": tile, "answers": {}}
    return partial(play_turn, game_id=game.pk, number=game.version + 1, plan=plan, by=game.waiting_for)


def _places(state: Any) -> bool:
    return bool(state.decision.kind == "place")


def _table(game: Game) -> list[Any]:
    return [seat.user for seat in game.seats.select_related("user")]


def _posting(stage: Stage, game: Game, text: str, by: Any = None) -> Call:
    url = reverse("move", args=[game.public_id, game.version + 1])
    return stage.post(by or game.waiting_for, url, {"move": text})


RACES = (
    the_same_move,
    the_same_move_by_browsers,
    different_moves,
    different_moves_by_browsers,
    moves_of_other_seats,
    a_computer_by_many_workers,
    a_person_the_clock_and_a_computer,
    whole_turns,
)
