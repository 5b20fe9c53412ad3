"""Health problems of the site, for the operator.

It reveals no hand, bag or seed.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.clocks import machine_clock
from games.models import Game, Heartbeat, ProcessSign
from games.play.deadlines.clock_watch import current_doubt
from games.play.deadlines.outages import SWEEPER
from games.ratings.rating_history import outdated_systems

# After this delay a missing move is a fault of the site: after 60 seconds the sweeper makes it itself.
STUCK = timedelta(seconds=90)
OVERDUE = timedelta(minutes=5)
UNSENT = timedelta(minutes=10)
SILENT = timedelta(seconds=60)

# Older failures are over, because a failing bot is asked again all the time.
FRESH = timedelta(days=1)


@dataclass(frozen=True)
class HealthProblem:
    """A problem with a `name` for programs and alerts and a sentence for people."""

    name: str
    sentence: str


def stuck(now: datetime) -> QuerySet[Game]:
    """Games in which a bot's move is late, or that ask nobody."""
    first, *others = [games.order_by().values("pk") for games in ways_to_be_stuck(now)]
    return Game.objects.filter(pk__in=first.union(*others)).order_by("pk")


def ways_to_be_stuck(now: datetime) -> list[QuerySet[Game]]:
    """The conditions of `stuck` as separate queries, each with an index of its own."""
    running = Game.objects.filter(status=Game.Status.RUNNING, paused=None)
    return [
        Game.objects.filter(bot_due_at__lt=now - STUCK, paused=None),
        running.filter(seat_to_move=None),
        # At a practice table no member is asked.
        running.filter(waiting_for=None, bot_due_at=None, is_practice=False),
    ]


def is_stuck(game: Game, now: datetime) -> bool:
    """Return whether a loaded game is among the stuck ones."""
    if game.bot_due_at is not None and game.bot_due_at < now - STUCK and game.paused is None:
        return True
    if not game.is_running or game.paused is not None:
        return False
    return game.seat_to_move is None or (
        game.waiting_for_id is None and game.bot_due_at is None and not game.is_practice
    )


def overdue(now: datetime) -> QuerySet[Game]:
    """Games in which a deadline has passed without effect."""
    return Game.objects.filter(deadline__lt=now - OVERDUE, paused=None).order_by("deadline")


def is_overdue(game: Game, now: datetime) -> bool:
    """Return whether a loaded game is among the overdue ones."""
    return game.deadline is not None and game.deadline < now - OVERDUE and game.paused is None


def metrics() -> dict[str, tuple[str, float]]:
    """Metrics by name, with description and current value."""
    now = timezone.now()
    beat = Heartbeat.objects.filter(name=SWEEPER).values_list("at", flat=True).first()
    return {
        "games_open": ("Games that wait for players", _count(Game.Status.OPEN)),
        "games_running": ("Games that are played", _count(Game.Status.RUNNING)),
        "games_stuck": ("Games that nobody can go on with", stuck(now).count()),
        "deadlines_overdue": ("Games with no action after time ran out", overdue(now).count()),
        "sweeper_age_seconds": ("Since when the sweeper was not seen", _seconds(now, beat) if beat else -1.0),
        "sweeper_clock_in_doubt": (
            "1 while the sweeper does not trust its clock",
            float(bool(current_doubt())),
        ),
    }


def health_problems(now: datetime) -> list[HealthProblem]:
    """The current problems of the whole site."""
    found = [_clock(), _sweeper(now), _ratings()]
    found += [_stuck(game, now) for game in stuck(now)]
    found += [
        HealthProblem(
            "overdue",
            f"Game {game}: a player ran out of time {ago(now, game.deadline)} and nothing happened. Run the"
            " sweeper once to see why: manage.py sweep",
        )
        for game in overdue(now)
    ]
    return [trouble for trouble in found if trouble is not None]


def why_stuck(game: Game, now: datetime) -> str:
    """Return the sentence on what a stuck game waits for."""
    if game.seat_to_move is None:
        return _("It is in progress, but it is nobody’s turn.")
    if game.bot_due_at is None:
        return _("Seat {seat} is to move, but nobody sits there.").format(seat=game.seat_to_move + 1)
    sentence = _("The computer player in seat {seat} should have moved {ago}.")
    return sentence.format(seat=game.seat_to_move + 1, ago=ago(now, game.bot_due_at))


def ago(now: datetime, since: datetime | None) -> str:
    """The time since something happened, in words."""
    seconds = int(_seconds(now, since))
    if seconds < 120:
        return ngettext("{n} second ago", "{n} seconds ago", seconds).format(n=seconds)
    if seconds < 7200:
        minutes = seconds // 60
        return ngettext("{n} minute ago", "{n} minutes ago", minutes).format(n=minutes)
    hours = seconds // 3600
    return ngettext("{n} hour ago", "{n} hours ago", hours).format(n=hours)


def _stuck(game: Game, now: datetime) -> HealthProblem:
    mend = f'manage.py moderate_game {game.public_id} run-computer --reason "it is stuck"'
    return HealthProblem(
        "stuck", f"Game {game} is stuck. {why_stuck(game, now)} Run the computer player again: {mend}"
    )


def _clock() -> HealthProblem | None:
    fault = current_doubt()
    if not fault:
        return None
    return HealthProblem(
        "clock",
        f"The sweeper does not trust the clock of its machine: {fault}. Until that is fixed, nobody runs out"
        " of time. Set the clock: timedatectl set-ntp true. If the clock is right: manage.py sweep"
        " --trust-clock",
    )


def _sweeper(now: datetime) -> HealthProblem | None:
    beat = Heartbeat.objects.filter(name=SWEEPER).first()
    if beat is None:
        return HealthProblem(
            "sweeper",
            "The sweeper has never run. Start it: systemctl restart acquire (docker compose up --detach)",
        )
    if beat.at > now + SILENT:
        ahead = int((beat.at - now).total_seconds())
        return HealthProblem(
            "clock",
            f"The sweeper was last seen {ahead} seconds in the future. The clock of this machine or of the"
            " sweeper’s is wrong. Compare both: date -u",
        )
    if beat.at < now - SILENT and not (current_doubt() and _sweeper_lives()):
        return HealthProblem(
            "sweeper",
            f"The sweeper was last seen {ago(now, beat.at)}. Restart it: systemctl restart acquire"
            " (docker compose restart sweeper)",
        )
    return None


def _sweeper_lives() -> bool:
    """Return whether a sweeper works; while it doubts its clock it writes no heartbeat."""
    since = machine_clock.database_time() - SILENT
    return ProcessSign.objects.filter(kind=ProcessSign.Kind.SWEEPER, at__gte=since).exists()


def _ratings() -> HealthProblem | None:
    systems = outdated_systems()
    if not systems:
        return None
    return HealthProblem(
        "ratings",
        f"The ratings of {', '.join(systems)} were computed by the rules of an earlier release. Compute them"
        " again: manage.py recount_ratings",
    )


def _count(status: str) -> int:
    return Game.objects.filter(status=status).count()


def _seconds(now: datetime, since: datetime | None) -> float:
    return (now - since).total_seconds() if since else 0.0
