"""Practice tables: several people at one device, for fun. Nobody else sees, hears or learns of them.

Its people are names that the host gives, and the host acts for all of them; see `games.services.devices` for
who of them sees what.
"""

from collections.abc import Sequence
from dataclasses import replace

from django.db import transaction

from accounts.models import User
from games.models import Game, Seat

from . import limits
from .errors import NotHost, OtherDecision
from .game_columns import set_end
from .game_lock import lock_game, lock_paused_game
from .proposals import ENDINGS
from .ruling_entry import enter_ruling
from .rulings import Ruling
from .starting import Named, seat_and_deal
from .terms import Terms

# What is left of the names at the tables of a host who leaves the site.
SOMEBODY = "former player"


@transaction.atomic
def start_practice(
    *, host: User, terms: Terms, players: Sequence[Named | str], again_of: Game | None = None
) -> Game:
    """Deal a practice table to these people and levels of computer opponents, and return it, running.

    Of the `terms` those count that are about the rules, the name, skipping and taking back. Raises
    TooManyGames, and ValueError, with a sentence, for what the rules do not know or without any person.
    """
    limits.check_games(host)
    if not any(isinstance(player, Named) for player in players):
        raise ValueError("At a practice table sits one person at least.")
    computers = {number: player for number, player in enumerate(players) if isinstance(player, str)}
    alone = Terms(
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
    return seat_and_deal(alone, host, dict(enumerate(players)), again_of)


def practise_again(old: Game, seats: Sequence[Seat], by: User) -> Game:
    """The same table for the same people once more, or the one that runs already instead of the old one."""
    if running := old.again.filter(status=Game.Status.RUNNING, practice=True).first():
        return running
    players = [seat.computer or Named(seat.nickname) for seat in seats]
    terms = replace(Terms.of(old, list(seats)), computers={}, fill="")
    return start_practice(host=by, terms=terms, players=players, again_of=old)


@transaction.atomic
def end_practice(*, game_id: int, by: User, kind: str) -> None:
    """End a practice table as its host: with the standings as they are ("standings"), or without ("none").

    Raises NotHost, and OtherDecision once it is over.
    """
    game = lock_game(game_id)
    if not game.practice or game.host_id != by.pk:
        raise NotHost
    if not game.is_running:
        raise OtherDecision
    set_end(game, ENDINGS[kind])
    enter_ruling(game, Ruling(kind), by=by)


def leave_practice(user: User) -> None:
    """End the practice tables of a user who leaves the site; the names of the people there are forgotten.

    Games that the user has imported go with the user.
    """
    tables = Game.every.filter(host=user, practice=True)
    tables.filter(imported__isnull=False).delete()
    for game_id in tables.filter(finished=None).values_list("pk", flat=True):
        _close(game_id)
    Seat.objects.filter(game__in=tables, computer="").update(nickname=SOMEBODY)


@transaction.atomic
def _close(game_id: int) -> None:
    game = lock_paused_game(game_id)
    if game.is_running:
        game.paused = None
        set_end(game, Game.Ending.NONE)
        enter_ruling(game, Ruling("none"))
