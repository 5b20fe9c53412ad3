"""Races of clocks: pauses, vacations, outages and extensions, against moves and each other."""

import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.utils import timezone

from games.clocks import game_clock
from games.models import Game, Heartbeat, LogEntry, Vacation
from games.play.deadlines import outages
from games.play.deadlines.outages import SWEEPER, record_heartbeat
from games.play.deadlines.overdue import settle_timeout
from games.play.deadlines.pauses import pause, resume
from games.play.deadlines.vacation_clocks import apply_vacations, end_vacation, plan_vacation
from games.play.seats.absence_vote import vote_on_absent
from games.refusals import BotIsPlaying, NotYourDecision, Paused, StalePosition, VacationOverlap
from tests.safety.move_races import late
from tests.safety.race_stage import Stage, done, kept, legal, others, refused

DAY = timedelta(days=1)


def rulings(game: Game) -> list[str]:
    """Rulings since the game was brought to the moment of its race."""
    return list(game.moves.filter(number__gt=game.version, kind="ruling").values_list("text", flat=True))


def grace(stage: Stage) -> None:
    """Many sweepers find a late player, who moves at that moment: grace is given once or not at all."""
    game = stage.game(pace=86400)
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now())
    settle = partial(settle_timeout, game.pk, game.version)
    half = stage.threads // 2
    results = stage.at_once(*[settle] * half, *[stage.move(game)] * half)
    assert refused(results) <= {StalePosition}
    after = kept(game)
    assert after.version == game.version + 1
    assert len(rulings(game)) == results[:half].count(True) == 1 - bool(done(results[half:]))


def the_last_instant(stage: Stage) -> None:
    """A move in a live game at the end of the round trip that is forgiven: it counts, or the site decides."""
    game = stage.game(pace=30, bank=180)
    ends = timezone.now() + timedelta(seconds=stage.rng.uniform(0, 0.2))
    Game.objects.filter(pk=game.pk).update(deadline=ends - game_clock.ROUND_TRIP)

    def sweep() -> bool:
        while timezone.now() < ends + timedelta(seconds=0.1):
            if settle_timeout(game.pk, game.version):
                return True
        return False

    def move_after(seconds: float) -> object:
        time.sleep(seconds)
        return move()

    half = stage.threads // 2
    move = stage.move(game)
    moves = [partial(move_after, stage.rng.uniform(0.05, 0.3)) for _ in range(half)]
    results = stage.at_once(*[sweep] * half, *moves)
    assert refused(results) <= {StalePosition}
    assert kept(game).version == game.version + 1
    entry = game.moves.get(number=game.version + 1)
    by_site = entry.author == LogEntry.Author.HOUSE
    assert by_site or entry.pk in {result.pk for result in done(results[half:])}
    assert not by_site or entry.created_at >= ends, "the site decided too early"


def the_loss_of_a_seat(stage: Stage) -> None:
    """A late move while a bot takes the seat: one of them counts."""
    game = stage.game(pace=86400, overrun=Game.OnTimeout.TAKE)
    late(game)
    settle = partial(settle_timeout, game.pk, game.version)
    results = stage.at_once(*[settle] * (stage.threads - 4), *[stage.move(game)] * 4)
    assert refused(results) <= {StalePosition, BotIsPlaying}
    after = kept(game)
    assert after.version == game.version + 1
    assert after.seats.get(number=game.seat_to_move).is_bot_playing == bool(rulings(game))


def a_vote_on_the_absent(stage: Stage) -> None:
    """Votes on a late player who moves, with the time to vote over: one of them has an effect."""
    game = stage.game(*stage.people[:4], pace=86400, overrun=Game.OnTimeout.VOTE)
    late(game)
    assert settle_timeout(game.pk, game.version)
    asked = Game.objects.get(pk=game.pk)
    voters = [seat.user for seat in game.seats.all() if seat.number != game.seat_to_move]
    vote = partial(vote_on_absent, game_id=game.pk)
    ballots = [partial(vote, user=user, replace=stage.rng.random() < 0.7) for user in voters]
    moves = [stage.move(asked, text) for text in others(legal(asked), 2)]
    results = stage.at_once(*ballots, *moves, partial(settle_timeout, game.pk, asked.version))
    assert refused(results) <= {NotYourDecision, StalePosition, BotIsPlaying}
    after = kept(game)
    kept_by_computer = [text for text in rulings(game) if text.startswith("computer keeps")]
    moved = after.moves.filter(kind="move", number__gt=asked.version).count()
    assert len(kept_by_computer) + moved <= 1, rulings(game)
    assert after.seats.get(number=game.seat_to_move).is_bot_playing == bool(kept_by_computer)


def a_vacation_and_a_move(stage: Stage) -> None:
    """A member starts a vacation in one tab, ends it in another, and moves in a third."""
    game = stage.game(pace=3 * 86400)
    user = game.waiting_for
    assert user
    Vacation.objects.filter(user=user).delete()
    today = timezone.now().astimezone(user.tzinfo).date()
    go = partial(plan_vacation, user=user, first=today, last=today + 2 * DAY)
    moves = [stage.move(game, text) for text in others(legal(game), stage.threads // 4)]
    sweep = [apply_vacations] * (stage.threads // 4)
    results = stage.at_once(*[go] * (stage.threads // 4), *moves, *sweep)
    assert refused(results) <= {VacationOverlap, StalePosition}
    vacation = Vacation.objects.get(user=user)
    apply_vacations()
    after = kept(game)
    assert (after.time_left is not None) == (after.waiting_for_id == user.pk), "the clock of who is away"
    home = partial(end_vacation, user=user, pk=vacation.pk)
    stage.at_once(*[home] * (stage.threads // 4), *sweep)
    apply_vacations()
    after = kept(game)
    assert after.time_left is None
    assert rulings(game).count("pause") == rulings(game).count("resume") <= 1, rulings(game)
    vacation.delete()


def an_outage_that_many_sweepers_find(stage: Stage) -> None:
    """After an outage many sweepers would give the time back while people move: it is given once."""
    game = stage.game(pace=86400)
    Heartbeat.objects.update_or_create(name=SWEEPER, defaults={"at": timezone.now() - timedelta(hours=1)})
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now())
    moves = [stage.move(game, text) for text in others(legal(game), stage.threads // 4)]
    results = stage.at_once(*[record_heartbeat] * (stage.threads // 4), *moves)
    assert refused(results) <= {StalePosition}
    after = kept(game)
    assert len(rulings(game)) <= 1, rulings(game)
    assert after.deadline > timezone.now() + timedelta(minutes=50)


def more_time_and_moves(stage: Stage) -> None:
    """The operator gives all games more time while a late player moves."""
    game = stage.game(pace=86400)
    late(game)
    extend = partial(outages.extend, DAY)
    settle = partial(settle_timeout, game.pk, game.version)
    results = stage.at_once(extend, extend, settle, settle, *[stage.move(game)] * (stage.threads // 2))
    assert refused(results) <= {StalePosition}
    after = kept(game)
    assert sum(text.startswith("more time") for text in rulings(game)) <= 2
    assert after.moves.filter(kind="move", number__gt=game.version).count() <= 1


def a_pause_and_moves(stage: Stage) -> None:
    """A system is withheld and permitted again while people move: each counts once."""
    permission = settings.ACQUISITION_PERMISSION
    quarter = stage.threads // 4
    try:
        settings.ACQUISITION_PERMISSION = "The races, while they are run"
        game = stage.game(system="acquisition", preset="standard", pace=86400, at=_soon)
        moves = [stage.move(game, text) for text in others(legal(game), quarter)]

        def withhold() -> None:
            settings.ACQUISITION_PERMISSION = ""
            pause(game_id=game.pk)

        results = stage.at_once(*[withhold] * quarter, *moves)
        assert refused(results) <= {StalePosition, Paused}
        paused = Game.all_games.defer(None).get(pk=game.pk)
        assert paused.paused is not None
        assert rulings(game) == ["halt"]
        assert (paused.deadline is None) == (paused.waiting_for_id is None or paused.time_left is not None)

        def allow() -> None:
            settings.ACQUISITION_PERMISSION = "The races, while they are run"
            resume(game_id=game.pk)

        late_moves = [stage.move(paused, text) for text in others(_legal(paused), quarter)]
        results = stage.at_once(*[allow] * quarter, *late_moves)
        assert refused(results) <= {StalePosition, Paused}
        assert rulings(game) == ["halt", "go on"]
        assert kept(game).paused is None
    finally:
        settings.ACQUISITION_PERMISSION = permission


def _soon(state: Any, entries: list[Any]) -> bool:
    return len(entries) >= 5


def _legal(game: Game) -> list[str]:
    return [str(move) for move in game.rule_system.legal_moves(game.rule_system.state_from_json(game.state))]


RACES: tuple[Callable[[Stage], None], ...] = (
    grace,
    the_last_instant,
    the_loss_of_a_seat,
    a_vote_on_the_absent,
    a_vacation_and_a_move,
    an_outage_that_many_sweepers_find,
    more_time_and_moves,
    a_pause_and_moves,
)
