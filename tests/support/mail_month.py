"""A month of members who play by mail, on a clock that is set: how the outbox and the sweeper treat them.

People answer after hours, some too late, some keep a page open, go on vacation, or are mentioned many times a
day. Everything else is the site: moves, clocks, rounds of the sweeper, last checks, texts. One worker sends
when it is asked to; without it each mail waits for a round of the sweeper. A mail takes 0.2 seconds. Rounds
in which nothing can be due are left out. Twice there is an outage: of the mail server, and of the whole site.
"""

import heapq
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import count
from random import Random
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import patch

import time_machine
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import Min
from django.test import override_settings
from django.utils import timezone

from accounts.mail import account_delivery
from accounts.mail.mail_server import LEFT_ALONE
from accounts.models import User
from accounts.refusals import Refusal
from games import sweeper
from games.chat.messages import say
from games.engine.rules.seeded_random import SEED_BYTES
from games.lobby import game_start
from games.lobby.game_start import start_game
from games.models import Game, GameNotificationLevel, Heartbeat, Kind, Notification, OpenPage, Vacation
from games.notifications import deadlines, delivery_times, preferences
from games.notifications.outbox import outbox_rows, settle
from games.notifications.outbox.claim import Claim
from games.play.deadlines import overdue, vacation_clocks
from games.realtime import worker_queue
from games.tasks import DELIVERY_SECONDS
from games.web.notifications import delivery, endpoint_delivery, mail_delivery
from games.web.notifications.delivery_sweep import deliver_due
from tests.support.games import play_on
from tests.support.mailboxes import with_mailbox

BEGIN: Final = datetime(2026, 3, 2, tzinfo=UTC)

ROUND: Final = timedelta(seconds=sweeper.ROUND_SECONDS)
MAIL_TAKES: Final = timedelta(seconds=0.2)
PROMPT: Final = timedelta(seconds=15)

# A mail that could not go during an outage must have gone this long after it.
RECOVERY: Final = timedelta(minutes=2)

HOUR, DAY = timedelta(hours=1), timedelta(days=1)

ZONES: Final = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Pacific/Auckland", "Asia/Kolkata")
HOURS: Final = (6, 12, 24, 48, 72, 168)

# Answers are log-normal: half of them within the first number of hours, nine of ten within the second.
HALF, NINE_OF_TEN = 5.0, 24.0
DEVIATION: Final = math.log(NINE_OF_TEN / HALF) / 1.2815515655446004
NEVER: Final = 0.08

# More than the mails of a day.
MENTIONS: Final = 26


@dataclass
class Figures:
    """Counts of the mails of a month.

    `turn_mails` are those due while all was well, the others those due during an outage; each has the number
    that was handed over within 15 seconds of being due. `latest` is the largest part of the time for an
    answer that had passed when a mail was handed over, outages left out. `held_back` counts what still waited
    when its deadline came, unless an outage left it no time to go; `sent_over` counts what was sent about a
    decision that was over. `incidents` says what they were.
    """

    moves: int = 0
    timeouts: int = 0
    mails: int = 0
    put_off: int = 0
    latest: float = 0.0
    held_back: int = 0
    held_back_by_outage: int = 0
    sent_over: int = 0
    turn_mails: int = 0
    prompt: int = 0
    due_while_mail_was_away: int = 0
    prompt_while_mail_was_away: int = 0
    due_while_site_was_away: int = 0
    prompt_while_site_was_away: int = 0
    slowest: float = 0.0
    limits_told: int = 0
    limits_told_twice: int = 0
    mails_over_limit: int = 0
    incidents: list[str] = field(default_factory=list)

    @property
    def all_turn_mails(self) -> int:
        return self.turn_mails + self.due_while_mail_was_away + self.due_while_site_was_away

    @property
    def prompt_percent(self) -> float:
        """The turn mails of 100 that were handed over within 15 seconds of being due, outages included."""
        prompt = self.prompt + self.prompt_while_mail_was_away + self.prompt_while_site_was_away
        return _percent(prompt, self.all_turn_mails)

    def as_json(self) -> dict[str, Any]:
        due_in_outages = self.all_turn_mails - self.turn_mails
        return {
            **asdict(self),
            "latest": round(self.latest, 3),
            "slowest": round(self.slowest, 1),
            "prompt_percent": round(self.prompt_percent, 1),
            "prompt_percent_outside_outages": round(_percent(self.prompt, self.turn_mails), 1),
            "due_in_outages_percent": round(_percent(due_in_outages, self.all_turn_mails), 1),
        }


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 100.0


class MailServer(BaseEmailBackend):
    """A mail server that takes everything, after a while, unless it is away."""

    clock: time_machine.Traveller | None = None
    is_away = False

    def open(self) -> bool:
        if MailServer.is_away:
            raise ConnectionRefusedError("The mail server is away.")
        return True

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        assert MailServer.clock is not None
        MailServer.clock.shift(MAIL_TAKES * len(messages))
        return len(messages)


@dataclass
class Month:
    """The members, their games, and what they are going to do.

    There is a game for three members, unless `games` says how many. A short month has fewer days, and outages
    of fewer hours. `has_worker` says whether a worker takes requests; `report` is told each day's figures.
    """

    members: int
    days: int
    seed: int = 1
    games: int = 0
    mail_away_hours: float = 6
    site_away_hours: float = 9
    has_worker: bool = True
    report: Callable[[int, Figures], None] | None = None
    figures: Figures = field(default_factory=Figures)

    def __post_init__(self) -> None:
        self.rng = Random(f"{self.seed} {self.members} {self.days}")
        self.ends = BEGIN + self.days * DAY
        self.mail_away = self._outage(0.3, self.mail_away_hours)
        self.site_away = self._outage(0.65, self.site_away_hours)
        self.plans: list[tuple[datetime, int, Callable[[], None]]] = []
        self.serial = count()
        self.requests: list[datetime] = []
        self.asked: dict[int, tuple[int, int | None]] = {}
        self.told: Counter[tuple[int, datetime]] = Counter()
        self.last_round = BEGIN
        self.known_clock: datetime | None = None

    def _outage(self, share: float, hours: float) -> tuple[datetime, datetime]:
        begins = BEGIN + share * self.days * DAY
        return begins, begins + hours * HOUR

    # -- The month -----------------------------------------------------------------------------------------

    def run(self) -> Figures:
        with self._site() as self.clock:
            self.people = [self._member(number) for number in range(self.members)]
            for _ in range(self.games or self.members // 3):
                self._plan(BEGIN + self.rng.random() * DAY, self._start_game)
            self._plan_days()
            while (now := timezone.now()) < self.ends:
                begins = self._next_round(now)
                if self.requests and self.requests[0] <= min(begins, self._next_plan()):
                    self._work(heapq.heappop(self.requests))
                elif self._next_plan() <= begins:
                    when, _, act = heapq.heappop(self.plans)
                    self._act(when, act)
                elif begins < self.ends:
                    self._sweep(begins)
                else:
                    break
        return self.figures

    def _next_plan(self) -> datetime:
        return self.plans[0][0] if self.plans else self.ends

    @contextmanager
    def _site(self) -> Iterator[time_machine.Traveller]:
        """The site with this month's clock and mail server; all that is sent is noted."""
        options = {"BOT_DELAY_FACTOR": 0, "MOVES_PER_MINUTE": 10**6, "PUZZLE_DAYS_AHEAD": 0}
        backend = f"{__name__}.{MailServer.__name__}"
        with ExitStack() as stack:
            clock = stack.enter_context(time_machine.travel(BEGIN, tick=False))
            stack.enter_context(override_settings(EMAIL_BACKEND=backend, GAME_REVIEWS=False, **options))
            stack.enter_context(patch.object(MailServer, "clock", clock))
            stack.enter_context(patch.object(game_start, "new_seed", lambda: self.rng.randbytes(SEED_BYTES)))
            # Workers and sweeper send for some seconds: of this month, however busy the machine is.
            for sender in (delivery, mail_delivery, endpoint_delivery, account_delivery):
                stack.enter_context(patch.object(sender, "time", SimpleNamespace(monotonic=time.time)))
            stack.enter_context(patch.object(worker_queue, "request_delivery", self._request_delivery))
            stack.enter_context(patch.object(settle, "mark_sent", self._noting(settle.mark_sent)))
            stack.enter_context(
                patch.object(overdue, "settle_timeout", self._settling(overdue.settle_timeout))
            )
            yield clock

    def _act(self, when: datetime, act: Callable[[], None]) -> None:
        """Let somebody do something; while the site is away, all come back in the hours after it."""
        begins, ends = self.site_away
        if begins <= when < ends:
            self._plan(ends + self.rng.random() * 2 * HOUR, act)
            return
        self._move_to(when)
        act()
        self.known_clock = None

    def _request_delivery(self, at: datetime | None = None) -> bool:
        """Have the worker send at this time, or now."""
        when = max(at or timezone.now(), timezone.now())
        if self.has_worker and when not in self.requests:
            heapq.heappush(self.requests, when)
        return self.has_worker

    def _work(self, when: datetime) -> None:
        """Let the worker send, unless the site is away: then the request is lost."""
        begins, ends = self.site_away
        if not begins <= when < ends:
            self._move_to(when)
            delivery.deliver(DELIVERY_SECONDS)

    def _next_round(self, now: datetime) -> datetime:
        """The time of the sweeper's next round in which something is or soon may be due."""
        mail = outbox_rows.sendable().aggregate(first=Min("due"))["first"]
        if mail is not None:
            # A mail server that is left alone gets nothing until then.
            mail = max(mail - ROUND, cache.get(LEFT_ALONE) or mail - ROUND)
        first = min((when for when in (mail, self._next_clock()) if when), default=self.ends)
        # Rounds come every ten seconds.
        begins = BEGIN + math.ceil((max(now, self.last_round + ROUND, first) - BEGIN) / ROUND) * ROUND
        return self.site_away[1] if self.site_away[0] <= begins < self.site_away[1] else begins

    def _move_to(self, when: datetime) -> None:
        """Set the clock, which never goes back, and say when another day begins."""
        before, now = timezone.now(), max(when, timezone.now())
        self.clock.move_to(now)
        MailServer.is_away = self._is_mail_away(now)
        if self.report and (day := (now - BEGIN) // DAY) > (before - BEGIN) // DAY:
            self.report(day, self.figures)

    def _next_clock(self) -> datetime | None:
        """The time at which the next clock runs out, starts or stops; read when clocks may have been set."""
        if self.known_clock is None or self.known_clock <= self.last_round:
            self.known_clock = self._read_next_clock()
        return self.known_clock

    def _read_next_clock(self) -> datetime | None:
        games = Game.objects.filter(paused=None).aggregate(clock=Min("deadline"), bot=Min("bot_due_at"))
        past = self.last_round
        starts = Vacation.objects.filter(starts__gt=past).aggregate(first=Min("starts"))["first"]
        ends = Vacation.objects.filter(ends__gt=past).aggregate(first=Min("ends"))["first"]
        return min((time for time in (*games.values(), starts, ends) if time), default=None)

    def _is_mail_away(self, now: datetime) -> bool:
        return self.mail_away[0] <= now < self.mail_away[1]

    def _sweep(self, begins: datetime) -> None:
        """Run a round of the sweeper; one in which no clock is due only delivers."""
        self._move_to(begins)
        is_back = self.last_round < self.site_away[0] and begins >= self.site_away[1]
        clock = self._next_clock()
        self.last_round = begins
        if not is_back and clock is not None and clock > begins:
            deliver_due()
            return
        # The rounds that were left out have beaten, too, but none while the site was away.
        Heartbeat.objects.update(at=self.site_away[0] if is_back else begins)
        sweeper.sweep()
        self._look_at_games()
        self.known_clock = None

    # -- What people do ------------------------------------------------------------------------------------

    def _member(self, number: int) -> User:
        rng = self.rng
        mode = rng.choices(
            (User.MailMode.AT_ONCE, User.MailMode.DELAYED, User.MailMode.DIGEST, User.MailMode.OFF),
            (5, 9, 5, 1),
        )[0]
        user = with_mailbox(
            User.objects.create_user(f"member{number}"),
            time_zone=rng.choice(ZONES),
            mail_mode=mode,
            mail_delay=rng.choice((1, 3, 15, 60, 120)),
            digest_hour=rng.randrange(24),
            quiet_nights=rng.random() < 0.4,
        )
        if rng.random() < 0.1:
            preferences.mute_kind(user, Kind.REMINDER)
        if rng.random() < 0.4:
            self._plan_some_day(lambda: self._go_on_vacation(user))
        if rng.random() < 0.2:
            self._plan_some_day(lambda: self._change_choices(user))
        return user

    def _plan_days(self) -> None:
        """Each day some members are mentioned very often."""
        for day in range(self.days):
            for user in self.rng.sample(self.people, max(1, self.members // 100)):
                for _ in range(MENTIONS):
                    when = BEGIN + (day + self.rng.random()) * DAY
                    self._plan(when, lambda user=user: self._mention(user))

    def _start_game(self) -> None:
        rng = self.rng
        hours = rng.choice(HOURS)
        people = rng.sample(self.people, rng.choice((2, 3, 4)))
        terms: dict[str, Any] = {
            "pace": hours * 3600,
            "off": rng.choice(Game.ClockPauses.values),
            "overrun": rng.choice(Game.OnTimeout.values),
        }
        if rng.random() < 0.2:
            terms |= {"bank": hours * 3600, "pace": hours * 900, "cap": hours * 7200}
        with suppress(Refusal):
            game = start_game(system="acquire", preset="classic", host=people[0], players=people, **terms)
            if rng.random() < 0.2:
                preferences.set_game_level(people[1], game, GameNotificationLevel.Level.ALWAYS)
            self._look_at(game)

    def _look_at_games(self) -> None:
        """Find out who is asked now; after a game another begins."""
        for game in Game.objects.filter(pk__in=self.asked):
            self._look_at(game)

    def _look_at(self, game: Game) -> None:
        if not game.is_running:
            del self.asked[game.pk]
            self._start_game()
        elif self.asked.get(game.pk) != (game.version, game.waiting_for_id):
            self.asked[game.pk] = game.version, game.waiting_for_id
            if game.waiting_for_id is not None and self.rng.random() > NEVER:
                version, key = game.version, game.pk
                self._plan(self._answers_at(game), lambda: self._answer(key, version))
                if self.rng.random() < 0.1:
                    self._plan(timezone.now() + self.rng.random() * HOUR, lambda: self._open_page(key))

    def _answers_at(self, game: Game) -> datetime:
        """The time at which the player to move answers: sooner in fast games, and not at night."""
        assert game.waiting_for is not None and game.seconds_per_move is not None
        hours = self.rng.lognormvariate(math.log(HALF), DEVIATION) * min(1.0, game.seconds_per_move / 129600)
        then = timezone.now() + hours * HOUR
        local = then.astimezone(game.waiting_for.tzinfo)
        sleeps = (7 - local.hour) % 24 if local.hour >= 23 or local.hour < 7 else 0
        return then + sleeps * HOUR

    def _answer(self, key: int, version: int) -> None:
        game = Game.objects.get(pk=key)
        if game.version != version or game.waiting_for_id is None:
            return
        if Vacation.objects.filter(
            user=game.waiting_for, starts__lte=timezone.now(), ends__gt=timezone.now()
        ):
            self._plan(timezone.now() + DAY, lambda: self._answer(key, version))
            return
        if self.rng.random() < 0.3:
            self._open_page(key)
        self.figures.moves += 1
        self._look_at(play_on(game, 1, seed=version))

    def _open_page(self, key: int) -> None:
        """Have the player to move open the game, and leave it open for up to two hours."""
        game = Game.objects.get(pk=key)
        if game.waiting_for_id is not None:
            until = timezone.now() + self.rng.random() ** 4 * 2 * HOUR
            socket = f"{game.waiting_for_id} {key}"
            OpenPage.objects.update_or_create(
                socket=socket,
                defaults={"user_id": game.waiting_for_id, "game_id": key, "visible_until": until},
            )

    def _mention(self, user: User) -> None:
        game = Game.objects.filter(pk__in=self.asked, seats__user=user).first()
        other = game and game.seats.exclude(user=user).exclude(user=None).first()
        if game and other and other.user:
            with suppress(Refusal):
                say(game_id=game.pk, user=other.user, text=f"@{user.username} {next(self.serial)}")

    def _go_on_vacation(self, user: User) -> None:
        today: date = timezone.now().astimezone(user.tzinfo).date()
        with suppress(Refusal):
            vacation = vacation_clocks.plan_vacation(
                user=user, first=today, last=today + self.rng.randrange(7) * DAY
            )
            if self.rng.random() < 0.5:
                back = timezone.now() + self.rng.random() * 3 * DAY
                self._plan(back, lambda: self._come_back(user, vacation.pk))

    def _come_back(self, user: User, key: int) -> None:
        vacation_clocks.end_vacation(user=user, pk=key)

    def _change_choices(self, user: User) -> None:
        User.objects.filter(pk=user.pk).update(
            mail_mode=self.rng.choice(User.MailMode.values), digest_hour=self.rng.randrange(24)
        )

    def _plan(self, when: datetime, act: Callable[[], None]) -> None:
        heapq.heappush(self.plans, (when, next(self.serial), act))

    def _plan_some_day(self, act: Callable[[], None]) -> None:
        self._plan(BEGIN + self.rng.random() * self.days * DAY, act)

    # -- What is noted -------------------------------------------------------------------------------------

    def _noting(self, mark_sent: Callable[..., None]) -> Callable[..., None]:
        """Note each mail that was handed over."""

        def note(claim: Claim, subject: str, told: Sequence[Notification] | None = None) -> None:
            now, sent = timezone.now(), claim.rows if told is None else told
            self.figures.mails += 1
            if claim.user is not None:
                self._note_limit(claim, claim.user, now)
            for row in sent:
                if row.kind in deadlines.TIMED:
                    self._note_row(row, now)
            mark_sent(claim, subject, told)

        return note

    def _note_limit(self, claim: Claim, user: User, now: datetime) -> None:
        count = outbox_rows.mails_since_digest(user, now, claim.message_id) + 1
        self.figures.mails_over_limit += count > delivery_times.MAX_MAILS_A_DAY
        if claim.reaches_limit:
            self.figures.limits_told += 1
            same_day = (user.pk, delivery_times.last_digest(user, now))
            self.told[same_day] += 1
            self.figures.limits_told_twice += self.told[same_day] > 1

    def _note_row(self, row: Notification, now: datetime) -> None:
        row.game = game = Game.objects.get(pk=row.game_id)
        ends = deadlines.deadline_of(row)
        is_asked = (game.version, game.waiting_for_id) == (row.version, row.user_id)
        is_over = row.kind in (Kind.DECISION, Kind.REMINDER) and not is_asked
        if is_over or (ends is not None and ends <= now):
            self.figures.sent_over += 1
            self._note_incident("sent over", row, ends)
        since = delivery_times.reminder_due(game) if row.kind == Kind.REMINDER and ends else row.made
        if row.kind == Kind.DECISION:
            assert row.first_due is not None
            self._note_turn(row, row.first_due, now)
        self.figures.put_off += now - since > PROMPT
        if ends is not None and ends > since and not self._is_disturbed(since, now):
            # A reminder whose clock was set anew may be due at once, and then has as long as is left.
            self.figures.latest = max(self.figures.latest, self._share_waited(row, since, ends, now))

    def _share_waited(self, row: Notification, since: datetime, ends: datetime, now: datetime) -> float:
        began = max(since, row.game.last_change_at) if row.game else since
        return max(0.0, (now - began - PROMPT) / (ends - began))

    def _note_turn(self, row: Notification, due: datetime, now: datetime) -> None:
        """Count a turn mail where it belongs: by when it was due, not by when it was sent."""
        figures, is_prompt = self.figures, now - due <= PROMPT
        if _is_within(due, self.mail_away):
            figures.due_while_mail_was_away += 1
            figures.prompt_while_mail_was_away += is_prompt
        elif _is_within(due, self.site_away):
            figures.due_while_site_was_away += 1
            figures.prompt_while_site_was_away += is_prompt
        else:
            figures.turn_mails += 1
            figures.prompt += is_prompt
            figures.slowest = max(figures.slowest, (now - due).total_seconds())
            if not is_prompt:
                self._note_incident("not prompt", row, due)

    def _note_incident(self, what: str, row: Notification, when: datetime | None) -> None:
        self.figures.incidents.append(
            f"{timezone.now():%d %H:%M:%S} {what}: {row.kind} {row.pk} of game {row.game_id}, version "
            f"{row.version}, made {row.made:%d %H:%M:%S}, due {row.first_due or row.due:%d %H:%M:%S}, "
            + (f"{when:%d %H:%M:%S}" if when else "no deadline")
        )

    def _settling(self, settle_timeout: Callable[[int, int], bool]) -> Callable[[int, int], bool]:
        """Note what still waits when a timeout is settled."""

        def note(game_id: int, version: int) -> bool:
            waiting = outbox_rows.sendable().filter(
                game=game_id, version=version, endpoint=None, kind__in=deadlines.TIMED
            )
            for row in waiting.select_related("game", "user"):
                if row.user is None or not self._wants(row, row.user):
                    continue
                if self._had_no_time(row):
                    self.figures.held_back_by_outage += 1
                else:
                    self.figures.held_back += 1
                    self._note_incident("held back", row, deadlines.deadline_of(row))
            self.figures.timeouts += 1
            return settle_timeout(game_id, version)

        return note

    def _wants(self, row: Notification, user: User) -> bool:
        level = preferences.game_level(user, row.its_game)
        return delivery_times.gets_mail(user, level)

    def _had_no_time(self, row: Notification) -> bool:
        """Return whether outages left the row no time to go between its latest time and its deadline."""
        latest, ends = deadlines.latest_time(row), deadlines.deadline_of(row)
        if latest is None or ends is None:
            return False
        out = [(max(away, latest), min(back, ends)) for away, back in (self.mail_away, self.site_away)]
        lost = sum((back - away for away, back in out if back > away), timedelta())
        return bool(lost) and ends - latest - lost < RECOVERY

    def _is_disturbed(self, begins: datetime, ends: datetime) -> bool:
        """Return whether an outage, or the minutes after it, fall into this time."""
        after = timedelta(minutes=5)
        return any(begins < back + after and ends > away for away, back in (self.mail_away, self.site_away))


def _is_within(when: datetime, outage: tuple[datetime, datetime]) -> bool:
    return outage[0] <= when < outage[1]
