"""Games that spectators see late: nobody without a seat learns anything that has happened since.

A game goes on in two ways after the entry at which spectators stop. Whatever they ask of the site, they must
be answered the same in both.
"""

from collections import defaultdict
from collections.abc import Callable, Collection
from datetime import timedelta
from random import Random
from typing import Any, Final
from unittest import mock

import pytest
from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.analysis import exploration_steps
from games.log.pace_proposals import PACES
from games.models import ChatMessage, Game, PlannedTurn, Seat, StandingOrder
from games.moderation.actions.rollback_action import ROLL_BACK
from games.play import page_presence, spectator_position
from games.play.game_lock import lock_game
from games.play.play_move import play_move
from games.play.seats import substitutes
from games.play.seats.concession import concede
from games.play.seats.end_votes import propose_end
from games.play.seats.pace_votes import propose_pace
from tests.safety.leaks import leak_scene, watched_routes
from tests.safety.leaks.recorded_answers import Parts, difference, parts
from tests.safety.leaks.twin_sites import undone
from tests.safety.leaks.viewers import Viewer, players, strangers
from tests.safety.leaks.watched_routes import Ask
from tests.support.games import NewGame
from tests.support.staff_actions import perform_action

pytestmark = [pytest.mark.django_db, pytest.mark.long]

LIVE: Final[dict[str, Any]] = {"pace": 60, "bank": 300, "cap": 300}
BY_MAIL: Final[dict[str, Any]] = {"pace": 86400}

# Staff see the present where they look after games. The others show nothing of any game.
_ELSEWHERE: Final = ("admin", "desk", "account", "mfa", "usersessions", "lesson", "probe")

# Addresses that show a running game to everybody: each would show the present without the delay.
_OF_BOTH: Final = {
    "api-game", "api-games", "api-position", "export-json", "export-text", "game", "home", "log",
    "past-position", "past-positions", "player", "running-games", "table", "watch",
}  # fmt: skip
DOORS: Final = {"live": _OF_BOTH | {"live-games", "presence"}, "by mail": _OF_BOTH}


def state_of(game: Game) -> Any:
    return game.rule_system.state_from_json(Game.with_secrets.get(pk=game.pk).state)


def play_turns(game: Game, clock: Any, number: int, chance: Random) -> None:
    """Play whole turns with moves and times that are drawn by chance."""
    for _ in range(number):
        player = state_of(game).turn
        while (state := state_of(game)).turn == player:
            game.refresh_from_db()
            assert game.is_running and game.seat_to_move is not None
            move = chance.choice(game.rule_system.legal_moves(state))
            by = game.seats.get(number=game.seat_to_move).user
            clock.shift(timedelta(seconds=chance.randrange(1, 20)))
            play_move(game_id=game.pk, number=game.version + 1, seat=game.seat_to_move, text=str(move), by=by)


def _concede(game_id: int) -> None:
    """The first player gives up."""
    user = Seat.objects.get(game=game_id, number=0).user
    assert user is not None
    concede(game_id=game_id, by=user)


@transaction.atomic
def hand_over(game_id: int) -> None:
    """A stand-in plays for the third player, for whom the seat is kept: it is not offered to others yet."""
    game = lock_game(game_id)
    seats = list(game.seats.select_related("user"))
    (substitutes.keep_seat if game.is_live else substitutes.replace_by_bot)(game, seats, seats[2])
    seats[2].reserved_until = timezone.now() + timedelta(days=1)
    seats[2].save(update_fields=["reserved_until"])


def change_pace(game_id: int) -> None:
    """All players agree to play on at another pace; that they did shows only in the terms, put back here."""
    columns = ("seconds_per_move", "time_bank", "time_bank_cap")
    terms = Game.objects.values(*columns).get(pk=game_id)
    for seat in Seat.objects.filter(game=game_id):
        assert seat.user is not None
        propose_pace(game_id=game_id, by=seat.user, pace="days")
    assert Game.objects.get(pk=game_id).seconds_per_move == PACES["days"].seconds
    Game.objects.filter(pk=game_id).update(**terms)


def roll_back(game_id: int) -> None:
    """A moderator undoes what was played since the second entry that spectators do not see."""
    game = Game.objects.get(pk=game_id)
    entry = spectator_position.version_shown(game) + 2
    perform_action(ROLL_BACK, game, None, "A wrong tile.", entry=entry)


class LateGame:
    """A game of three members that spectators see a round late, and everybody who has no seat in it.

    In one of the two ways in which it goes on, `event` happens.
    """

    def __init__(
        self, clock: Any, start: NewGame, terms: dict[str, Any], event: Callable[[int], None] | None = None
    ) -> None:
        self.clock, self.event = clock, event
        people = [User.objects.create_user(name) for name in ("alice", "bob", "carol")]
        self.game = start(*people, terms={**terms, "late": 1, "visibility": "public"})
        play_turns(self.game, clock, 10, Random(1))
        self.game = Game.with_secrets.get(pk=self.game.pk)
        self.readers = strangers()
        elsewhere = self.readers[3].user
        assert elsewhere is not None
        self.facts = {**leak_scene.prepare(self.game, players(self.game), elsewhere).facts, "canary": "none"}
        # They would play more turns than the round.
        PlannedTurn.objects.all().delete()
        StandingOrder.objects.all().delete()
        self.stop, self.since = self.game.version, timezone.now()

    def asks(self, routes: Collection[str] = ()) -> list[Ask]:
        """All requests to these routes, or to all that may show games; some name entries that are hidden."""
        hidden = {**self.facts, "now": str(self.stop + 4), "half": str(self.stop + 5)}
        found = [
            *watched_routes.asks_of_game(self.facts),
            *(ask for ask in watched_routes.asks_of_game(hidden) if ask.form is None),
            *watched_routes.asks_of_site(self.facts),
        ]
        found = [ask for ask in found if not (ask.htmx or ask.route.startswith(_ELSEWHERE))]
        return [ask for ask in found if ask.route in routes] if routes else found

    def answers(self, asks: list[Ask], readers: list[Viewer], seed: int) -> list[tuple[str, Ask, Parts]]:
        """The answers to these readers after the game has gone on for a round, as the seed draws it."""
        self.clock.move_to(self.since)
        with undone():
            spectator_position.forget()
            self.clock.shift(timedelta(minutes=seed))
            seats = list(self.game.seats.select_related("user"))
            play_turns(self.game, self.clock, len(seats), Random(seed))
            assert spectator_position.version_shown(Game.objects.get(pk=self.game.pk)) == self.stop
            by = seats[seed % len(seats)].user
            assert by is not None
            ChatMessage.objects.create(game=self.game, channel="players", user=by, text=f"Move {seed}?")
            if self.event is None:
                propose_end(game_id=self.game.pk, by=by, kind="none")
            if seed % 2:
                (self.event or _concede)(self.game.pk)
            self.clock.move_to(self.since + timedelta(hours=1))
            page_presence.mark_visible(by.pk, self.game.pk, "tab")
            return [(reader.name, ask, _answered(reader, ask)) for reader in readers for ask in asks]

    def leaks(self, asks: list[Ask], readers: list[Viewer]) -> dict[str, list[str]]:
        """By route, the answers that differ when the game goes on in another way."""
        found = defaultdict(list)
        one, other = (self.answers(asks, readers, seed) for seed in (2, 3))
        for (name, ask, then), (_, _, otherwise) in zip(one, other, strict=True):
            for part in ("status",) if ask.random else then:
                if then[part] != otherwise[part]:
                    found[ask.route].append(f"{name}: {ask}{difference(then[part], otherwise[part])}")
        return found


def _answered(reader: Viewer, ask: Ask) -> Parts:
    cache.clear()
    spectator_position.forget()
    with undone():
        return parts(reader.ask(ask.path, ask.form, htmx=ask.htmx))  # type: ignore[arg-type]


@pytest.fixture(params=["live", "by mail"])
def late_game(request: pytest.FixtureRequest, clock: Any, start: NewGame) -> LateGame:
    return LateGame(clock, start, LIVE if request.param == "live" else BY_MAIL)


@pytest.fixture(autouse=True)
def _same_chance() -> Any:
    with mock.patch.object(exploration_steps, "draw_chance", lambda: Random("beside")):
        yield


def test_spectator_learns_nothing_at_any_address(late_game: LateGame) -> None:
    assert not late_game.leaks(late_game.asks(), late_game.readers[:1])


@pytest.mark.parametrize("event", [hand_over, change_pace, roll_back])
@pytest.mark.parametrize(
    "terms", [LIVE, pytest.param(BY_MAIL, marks=pytest.mark.proof)], ids=["live", "by mail"]
)
def test_spectator_learns_of_no_event(
    clock: Any, start: NewGame, terms: dict[str, Any], event: Callable[[int], None]
) -> None:
    late_game = LateGame(clock, start, terms, event)
    assert not late_game.leaks(late_game.asks(), late_game.readers[:1])


def test_site_that_shows_the_players_of_now_is_caught(
    clock: Any, start: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    late_game = LateGame(clock, start, LIVE, hand_over)
    monkeypatch.setattr(spectator_position, "_give_back", lambda seats, past, reader: None)
    assert {"game", "table", "home"} <= set(
        late_game.leaks(late_game.asks(DOORS["live"]), late_game.readers[:1])
    )


@pytest.mark.proof
def test_nobody_without_a_seat_learns_anything_at_any_address(late_game: LateGame) -> None:
    assert not late_game.leaks(late_game.asks(), late_game.readers)


@pytest.mark.parametrize("pace", ["live", "by mail"])
def test_site_without_the_delay_is_caught_at_every_door(
    clock: Any, start: NewGame, monkeypatch: pytest.MonkeyPatch, pace: str
) -> None:
    late_game = LateGame(clock, start, LIVE if pace == "live" else BY_MAIL)
    monkeypatch.setattr(spectator_position, "is_late_for", lambda game, user: False)
    assert set(late_game.leaks(late_game.asks(DOORS[pace]), late_game.readers[:1])) == DOORS[pace]
