"""The check of one game: each viewer sees it as it is, and with all dealt anew that they cannot know."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import inf
from random import Random
from typing import Any, Final
from unittest import mock

import time_machine
from django.test import TestCase, override_settings
from django.urls import reverse

from games.analysis import exploration_steps
from games.log.positions import redeal_seed
from games.models import Game
from games.moderation.actions.game_actions import GAME_ACTIONS
from games.web.notifications import web_push
from games.web.notifications.delivery import deliver
from tests.safety.leaks import (
    labels,
    leak_scene,
    recorded_answers,
    twin_games,
    watched_routes,
    watched_sockets,
)
from tests.safety.leaks.leak_report import PLACES, breaking, report
from tests.safety.leaks.recorded_answers import Parts
from tests.safety.leaks.twin_games import Script
from tests.safety.leaks.twin_sites import deal_anew, dealt_as_stored, stored, undone
from tests.safety.leaks.viewers import Viewer, players, strangers
from tests.safety.leaks.watched_routes import Ask
from tests.safety.leaks.wire import UNSTEADY, Wire, tapped
from tests.support.kept_texts import nothing_kept
from tests.support.staff_actions import perform_action

# Moment of the game; the clock moves on with the moves and stands still between them.
NOON: Final = datetime(2026, 11, 20, 12, tzinfo=UTC)

MOMENTS: Final = 12

# Players never read these, so no label at all may be in them.
_FOR_NOBODY: Final = ("log", UNSTEADY, "tasks", "ticks", "report")

# If another deal reveals tiles by the rules, the next one is tried.
_DEALS: Final = 4


# The clock stands still during all requests.
_SITE: Final[dict[str, Any]] = {"BOT_DELAY_FACTOR": 0, "ANSWER_DELAY_SECONDS": 0, "API_PER_MINUTE": 1_000_000}


class Leak(Exception):
    """Somebody was sent what depends on hidden facts; the message says what and where."""


@dataclass
class Check:
    """The check of one game.

    `share` is how many moments it takes until everybody has asked everything; with 1 everybody asks
    everything at each. At every move each player looks at the table, and one of the others, or with
    `all_look` everybody. `counts` says what was compared.
    """

    script: Script
    share: int = 1
    moments: int = MOMENTS
    all_look: bool = True
    counts: Counter[str] = field(default_factory=Counter)
    redeals: dict[int, bytes] = field(default_factory=dict)

    def run(self) -> None:
        """Play the game to its end and check it on the way. Raises Leak."""
        with self.opened():
            when = moments(self.script, self.moments)
            while self.game.seat_to_move is not None:
                if self.game.version in when:
                    self.moment(when.index(self.game.version))
                self.tables()
                self.advance()
        self.counts["games"] += 1

    # -- The game --------------------------------------------------------------------------------------

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Deal the game with everybody there; all of it is undone at the end."""
        with ExitStack() as stack:
            stack.enter_context(labels.installed())
            stack.enter_context(override_settings(**_SITE, VAPID_PRIVATE_KEY=web_push.new_private_key()))
            self.clock = stack.enter_context(time_machine.travel(NOON, tick=False))
            self.wire: Wire = stack.enter_context(tapped())
            # Chance beside the deal is random by design, so it is the same each time.
            stack.enter_context(mock.patch.object(exploration_steps, "draw_chance", lambda: Random("beside")))
            stack.enter_context(undone())
            self.game = twin_games.start(self.script)
            stack.enter_context(dealt_as_stored(self.game, self.redeals))
            self.rng = Random(f"{self.script.number} other deals")
            self.players, self.others = players(self.game), strangers()
            yield

    def advance(self) -> None:
        """Make the next move; nothing sent because of it may hold a label."""
        self.clock.shift(timedelta(minutes=1))
        self.wire.clear()
        with TestCase.captureOnCommitCallbacks(execute=True):
            self.game = twin_games.play(self.game, self.next_move())
        self._no_canary("the move", None, self._out())
        self.game = twin_games.with_labels(self.game)
        self.counts["moves"] += 1

    def next_move(self) -> str:
        """The next move: that of the script, or any once the game was reopened."""
        if not self.redeals:
            return self.script.moves[self.game.version]
        system, state = self.game.rule_system, stored(self.game).state
        legal = system.legal_moves(system.state_from_json(state))
        return str(Random(f"{self.script.number}, {self.game.version}").choice(legal))

    def reopen(self, entry: int) -> None:
        """Let a moderator end the game and reopen it after this entry."""
        for name, values in (("end-without-result", {}), ("roll-back", {"entry": entry})):
            self.clock.shift(timedelta(minutes=1))
            with TestCase.captureOnCommitCallbacks(execute=True):
                perform_action(GAME_ACTIONS[name], stored(self.game), None, "A mistake.", **values)
        self.game = twin_games.with_labels(self.game)
        self.redeals[self.game.version] = redeal_seed(self.game, self.game.version)

    def tables(self) -> None:
        """Let everybody look at the table, or each player and one of the others."""
        one = self.game.version % len(self.others)
        viewers = [*self.players, *(self.others if self.all_look else self.others[one : one + 1])]
        # In any order: what the process keeps of a table must not depend on who looked at it first.
        Random(f"{self.script.number}, {self.game.version}").shuffle(viewers)
        for viewer in viewers:
            self._same(viewer, "the table", lambda viewer=viewer: self._sent(viewer, self._table()))

    def _table(self) -> Ask:
        return Ask("table", reverse("table", args=[self.game.public_id]))

    # -- A moment --------------------------------------------------------------------------------------

    def moment(self, number: int) -> None:
        """Make all requests at one moment, in a site full of secrets; the number decides who asks what."""
        self.counts[f"at {self.game.decision_kind}"] += 1
        with self.full_site() as asks:
            for place, viewer in enumerate([*self.others, *self.players]):
                turn = number + place + self.script.number * MOMENTS
                self.ask(viewer, [ask for at, ask in enumerate(asks) if (at + turn) % self.share == 0])
            if number % 3 == 0 or self.share == 1:
                for viewer in self.players:
                    self.news(viewer)
                self.errors()
        for viewer in [*self.players, *self.others[:2]]:
            self.alone(viewer)
            self.step(viewer)

    def alone(self, viewer: Viewer) -> None:
        """Compare the table with that of a process which keeps nothing of what others have looked at."""
        with undone():
            among_others = self._sent(viewer, self._table())
        with undone(), nothing_kept():
            alone = self._sent(viewer, self._table())
        self.counts["tables drawn alone"] += 1
        if among_others["body"] != alone["body"]:
            where = recorded_answers.difference(alone["body"], among_others["body"])
            raise Leak(f"{self._here(viewer)}: the table depends on who looked before{where}")

    @contextmanager
    def full_site(self) -> Iterator[list[Ask]]:
        """Fill the site for a while with secrets and something on every page; yields all requests."""
        elsewhere = next(viewer.user for viewer in self.others if viewer.name == "a member elsewhere")
        assert elsewhere is not None
        with undone():
            self.scene = leak_scene.prepare(self.game, self.players, elsewhere)
            facts = {**self.scene.facts, "canary": labels.label("1A")[:4]}
            yield [*watched_routes.asks_of_game(facts), *watched_routes.asks_of_site(facts)]

    def ask(self, viewer: Viewer, asks: Iterable[Ask]) -> None:
        """Make all these requests as the viewer."""
        for ask in asks:
            compared = ("status",) if ask.random else ()
            self._same(viewer, str(ask), lambda ask=ask: self._sent(viewer, ask), only=compared)

    def _sent(self, viewer: Viewer, ask: Ask) -> Parts:
        """The answer to a request, and everything sent because of it."""
        self.wire.clear()
        with TestCase.captureOnCommitCallbacks(execute=True):
            answer = recorded_answers.parts(viewer.ask(ask.path, ask.form, htmx=ask.htmx))  # type: ignore[arg-type]
        self.counts["answers"] += 1
        return answer | self._out()

    def _out(self) -> Parts:
        return {name: recorded_answers.masked(sent.encode()) for name, sent in self.wire.sent().items()}

    def news(self, viewer: Viewer) -> None:
        """Everything that a player is sent by mail, web push and webhooks, for every kind of notification."""

        def told() -> Parts:
            self.wire.clear()
            leak_scene.tell_everything(self.scene, viewer)
            # No time limit: on a busy machine it would cut off more from one deal than from the other.
            self.counts["letters and posts"] += deliver(inf)
            return self._out()

        self._same(viewer, "news of every kind", told)

    def errors(self) -> None:
        """The error page, its log and its report, raised where the whole state is at hand."""
        legal = self.next_move()
        for place in PLACES:
            for viewer in (self.players[0], self.others[0]):
                what = f"the table while {place} fails"
                self._same(viewer, what, lambda viewer=viewer, place=place: self._failing(viewer, place))
            with undone(), breaking(place):
                whole = report(
                    "/games/x/", {"tile": labels.label("7E")}, lambda: twin_games.play(self.game, legal)
                )
            self._no_canary(f"the report of an error in {place}", None, {"report": whole.encode()})
            self.counts["reports"] += 1

    def _failing(self, viewer: Viewer, place: str) -> Parts:
        with breaking(place):
            return self._sent(viewer, self._table())

    # -- A move ----------------------------------------------------------------------------------------

    def step(self, viewer: Viewer) -> None:
        """Compare what a viewer learns from the next move: log, table, sockets, outbox.

        The move is made twice, with what the viewer knows neither before nor after it dealt anew. A move that
        shows tiles by the rules is left out when it shows others in other deals, too.
        """
        move, now = self.next_move(), stored(self.game).state
        with undone():
            before, after = self._learned(viewer, move)
        if after.seat_to_move is None:
            return
        self._no_canary(f"the move {move}", viewer, before, after.state)
        hidden = labels.hidden(now, viewer.seat) & labels.hidden(after.state, viewer.seat)
        fixed = labels.hidden(now, None) - hidden
        if move in ("redraw", "pass"):
            # The move is legal only with this hand.
            fixed |= set(now["hands"][self.game.seat_to_move].split())
        for _ in range(_DEALS):
            with undone():
                deal_anew(self.game, viewer, self.rng, fixed)
                other, _after = self._learned(viewer, move)
            if not (_shows(before) or _shows(other)):
                self._compare(viewer, f"the move {move}", before, other)
                self.counts["moves made twice"] += 1
                return

    def _learned(self, viewer: Viewer, move: str) -> tuple[Parts, Game]:
        self.wire.clear()
        with TestCase.captureOnCommitCallbacks(execute=True):
            moved = twin_games.play(self.game, move)
        ticks, out = list(self.wire.ticks), self._out()
        table = self._sent(viewer, self._table())
        frames = watched_sockets.frames(moved, viewer, ticks)
        self.counts["frames"] += frames.count("websocket.send")
        return table | out | {"frames": frames.encode(), "entry": _entry(moved)}, moved

    # -- Comparing -------------------------------------------------------------------------------------

    def _same(self, viewer: Viewer, what: str, work: Callable[[], Parts], only: tuple[str, ...] = ()) -> None:
        """Raise Leak unless the viewer is sent the same in another deal, and no label."""
        with undone():
            before = work()
        self._no_canary(what, viewer, before)
        with undone():
            deal_anew(self.game, viewer, self.rng)
            other = work()
        self._compare(viewer, what, before, other, only)

    def _compare(
        self, viewer: Viewer, what: str, one: Parts, other: Parts, only: tuple[str, ...] = ()
    ) -> None:
        self.counts["bytes"] += sum(map(len, one.values()))
        self.counts["comparisons"] += 1
        for name in only or one:
            if one[name] != other[name] and name != UNSTEADY:
                where = recorded_answers.difference(one[name], other[name])
                raise Leak(f"{self._here(viewer)}: the {name} of {what} depends on what is hidden{where}")

    def _no_canary(
        self, what: str, viewer: Viewer | None, sent: Parts, state: dict[str, Any] | None = None
    ) -> None:
        """Raise Leak if a label or the seed is where it must not be; nothing at all may be in logs."""
        state = state or self.game.state
        seat, user = (viewer.seat, viewer.user) if viewer else (None, None)
        forbidden = labels.hidden(state, seat)
        words = self.scene.words if hasattr(self, "scene") else {}
        forbidden |= {word for word, readers in words.items() if user is None or user.pk not in readers}
        forbidden -= self._read_by_moderators(what, viewer)
        everything = labels.hidden(state, None) | set(words)
        seeds = [
            text for seed in (self.script.seed, *self.redeals.values()) for text in labels.spellings(seed)
        ]
        for name, text in sent.items():
            out = labels.found(text) & (everything if name in _FOR_NOBODY else forbidden)
            if out or any(seed in text for seed in seeds):
                raise Leak(f"{self._here(viewer)}: {sorted(out) or 'the seed'} in the {name} of {what}")

    def _read_by_moderators(self, what: str, viewer: Viewer | None) -> set[str]:
        """Chat messages on the pages of the game for moderators."""
        if viewer is None or viewer.user is None or not viewer.user.is_staff or viewer.seat is not None:
            return set()
        pages = reverse("admin:games_game_change", args=[self.game.pk]).removesuffix("change/")
        people = [player.user for player in self.players if player.user]
        said = {words(user) for user in people for words in (leak_scene.words_of, leak_scene.team_words_of)}
        return said if what.startswith(f"GET {pages}") else set()

    def _here(self, viewer: Viewer | None) -> str:
        name = viewer.name if viewer else "nobody"
        return f"{self.script}, version {self.game.version}, {name}"


def moments(script: Script, most: int) -> list[int]:
    """Choose this many versions: one amid each kind of decision, others spread over the game."""
    by_kind: dict[str, list[int]] = {}
    for version in script.asked:
        by_kind.setdefault(script.kinds[version], []).append(version)
    found = {versions[len(versions) // 2] for versions in by_kind.values()}
    rest = [version for version in script.asked if version not in found]
    lacking = max(0, most - len(found))
    found |= {rest[(place * len(rest)) // lacking] for place in range(lacking)} if rest else set()
    return sorted(found)[:most] if most >= len(by_kind) else sorted(found)


_SHOWN: Final = (b"turnedup", b"redrew", b"banktile", b"passed", b"ended")


def _shows(sent: Parts) -> bool:
    """Return whether the rules reveal tiles in this entry, so that another deal must show others."""
    return any(kind in sent["entry"] for kind in _SHOWN)


def _entry(game: Game) -> bytes:
    """The whole log, and the public columns of the game and of the outbox."""
    entries = list(game.moves.values_list("number", "kind", "seat", "text", "events", "author"))
    columns = Game.objects.filter(pk=game.pk).values_list(
        "version", "seat_to_move", "decision_kind", "status", "seats_taken"
    )
    rows = list(game.notifications.values_list("user", "kind", "version", "about", "state"))
    return repr([entries[-6:], list(columns), sorted(map(repr, rows))]).encode()
