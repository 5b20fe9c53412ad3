"""Practice tables: several people at one device, for fun. Nobody else sees, hears or learns of them.

Its people are names that the host gives, and the host acts for all of them; see
`games.play.seats.practice_hands` for who of them sees what.
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

# What is left of the names at the tables of a host who leaves the site.
PLACEHOLDER_NAME = "former player"


@transaction.atomic
def start_practice(
    *, host: User, terms: GameTerms, players: Sequence[PracticePlayer | str], again_of: Game | None = None
) -> Game:
    """Deal a practice table to these people and levels of computer opponents, and return it, running.

    Of the `terms` those count that are about the rules, the name, skipping and taking back. Raises
    TooManyGames, and ValueError, with a sentence, for what the rules do not know or without any person.
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
    """The same table for the same people once more, or the one that runs already instead of the old one."""
    if running := old.again.filter(status=Game.Status.RUNNING, is_practice=True).first():
        return running
    players = [seat.bot_level or PracticePlayer(seat.nickname) for seat in seats]
    terms = replace(GameTerms.of(old, list(seats)), computers={}, fill="")
    return start_practice(host=by, terms=terms, players=players, again_of=old)


@transaction.atomic
def end_practice(*, game_id: int, by: User, kind: str) -> None:
    """End a practice table as its host: with the standings as they are ("standings"), or without ("none").

    Raises NotHost, and OtherDecision once it is over.
    """
    game = lock_game(game_id)
    if not game.is_practice or game.host_id != by.pk:
        raise NotHost
    if not game.is_running:
        raise NotYourDecision
    set_end(game, ENDINGS[kind])
    enter_ruling(game, Ruling(kind), by=by)


def leave_practice(user: User) -> None:
    """End the practice tables of a user who leaves the site; the names of the people there are forgotten.

    Games that the user has imported go with the user.
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
