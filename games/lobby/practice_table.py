"""Practice tables: several people at one device, seen by nobody else.

The host names the people and acts for all of them; `games.play.seats.practice_hands` tells whose hand is
open.
"""

from collections.abc import Sequence
from dataclasses import replace

from django.db import transaction

from accounts.models import User
from games.lobby.game_start import open_game
from games.lobby.game_terms import GameTerms
from games.lobby.open_seats import PracticePlayer
from games.log.end_proposals import ENDINGS
from games.log.rulings import Ruling
from games.models import Game, Seat
from games.play.game_columns import set_end
from games.play.game_lock import lock_game, lock_paused_game
from games.play.ruling_entry import enter_ruling
from games.players import limits
from games.players.admission import lock_admitted_user
from games.refusals import NotHost, NotYourDecision

# Replaces the names at the tables of a host who leaves the site.
PLACEHOLDER_NAME = "former player"


@transaction.atomic
def start_practice(
    *, host: User, terms: GameTerms, players: Sequence[PracticePlayer | str], again_of: Game | None = None
) -> Game:
    """Deal a practice table to these people and bot levels, and return it, running.

    Of the `terms` only rules, name, forced moves and takebacks count. Raises TooManyGames, NewGamesClosed,
    and ValueError with a sentence for invalid terms or without any person.
    """
    lock_admitted_user(host)
    limits.check_games(host)
    if not any(isinstance(player, PracticePlayer) for player in players):
        raise ValueError("At a practice table sits one person at least.")
    computers = {number: player for number, player in enumerate(players) if isinstance(player, str)}
    alone = GameTerms(
        system=terms.system,
        preset=terms.preset,
        options=terms.options,
        name=terms.name,
        least=len(players),
        most=len(players),
        takebacks=terms.takebacks,
        skips=terms.skips,
        visibility=Game.Visibility.INVITED,
        practice=True,
    )
    alone.check_levels(computers.values())
    return open_game(alone, host, dict(enumerate(players)), again_of)


def repeat_practice(old: Game, seats: Sequence[Seat], by: User) -> Game:
    """Start the same table for the same people again, or return the rematch that already runs."""
    if running := old.again.filter(status=Game.Status.RUNNING, is_practice=True).first():
        return running
    players = [seat.bot_level or PracticePlayer(seat.nickname) for seat in seats]
    terms = replace(GameTerms.of(old, list(seats)), computers={}, fill="")
    return start_practice(host=by, terms=terms, players=players, again_of=old)


@transaction.atomic
def end_practice(*, game_id: int, by: User, kind: str) -> None:
    """End a practice table as its host, with the standings ("standings") or without a result ("none").

    Raises NotHost, and NotYourDecision once it is over.
    """
    game = lock_game(game_id)
    if not game.is_practice or game.host_id != by.pk:
        raise NotHost
    if not game.is_running:
        raise NotYourDecision
    set_end(game, ENDINGS[kind])
    enter_ruling(game, Ruling(kind), by=by)


def leave_practice(user: User) -> None:
    """End the practice tables of a user who leaves the site, and erase the names of their people.

    Also deletes the games that the user has imported.
    """
    tables = Game.all_games.filter(host=user, is_practice=True)
    tables.filter(imported__isnull=False).delete()
    for game_id in tables.filter(finished=None).values_list("pk", flat=True):
        _close(game_id)
    Seat.objects.filter(game__in=tables, bot_level="").update(nickname=PLACEHOLDER_NAME)


@transaction.atomic
def _close(game_id: int) -> None:
    game = lock_paused_game(game_id)
    if game.is_running:
        game.paused = None
        set_end(game, Game.Ending.NONE)
        enter_ruling(game, Ruling("none"))
