"""Import of games from files, for private study by the member who imports them.

A file is accepted only if its log, replayed from its seed, produces exactly the events and the end that it
contains. Its players are only names, linked to no accounts.
"""

from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.archive.import_file import ImportedGame, read
from games.archive.import_replay import ReplayResult, replay_import
from games.engine.rules.rule_systems import SYSTEMS
from games.models import Game, LogEntry, Redeal, Seat
from games.play.finished_game import begin_review
from games.players.admission import lock_admitted_user
from games.refusals import MembersOnly, NotHost, TooManyImported

MAX_IMPORTED: Final = 50

_BY_MODERATOR: Final = ("moderator ends with standings", "moderator ends without result")


def import_game(data: bytes, *, by: User) -> Game:
    """Import the game in this file as a finished game visible only to its owner, and return it.

    Also begins its game review. Raises ImportFailed, TooManyImported, and MembersOnly for guests.
    """
    if by.is_guest:
        raise MembersOnly
    written = read(data)
    played = replay_import(written)
    with transaction.atomic():
        lock_admitted_user(by)
        if Game.all_games.filter(host=by, is_practice=True, imported__isnull=False).count() >= MAX_IMPORTED:
            raise TooManyImported(MAX_IMPORTED)
        game = _kept(written, played, by)
        begin_review(game)
    return game


@transaction.atomic
def forget_imported(*, game: Game, by: User) -> None:
    """Delete an imported game for good, as its owner. Raises NotHost."""
    lock_admitted_user(by)
    found = Game.all_games.filter(pk=game.pk, host=by, is_practice=True, imported__isnull=False)
    if not found.delete()[0]:
        raise NotHost


def _kept(written: ImportedGame, played: ReplayResult, by: User) -> Game:
    system, seats = SYSTEMS[written.system], len(written.seats)
    game = Game.objects.create(
        system=written.system,
        preset=written.preset,
        options=system.to_options(written.rules),
        name=written.name,
        host=by,
        status=Game.Status.FINISHED,
        visibility=Game.Visibility.INVITED,
        is_practice=True,
        imported=timezone.now(),
        min_players=seats,
        max_players=seats,
        seats_taken=seats,
        seed=written.seed,
        seed_hash=written.commitment,
        state=system.state_to_json(played.state),
        version=len(written.log),
        opened=written.started,
        started=written.started,
        last_change_at=written.finished,
        finished=written.finished,
        ending=played.ending,
        ended_by_moderator=any(entry.text in _BY_MODERATOR for entry in written.log),
    )
    Seat.objects.bulk_create(
        Seat(
            game=game,
            number=number,
            nickname=seat.name,
            bot_level=seat.computer,
            concession_order=seat.conceded,
            ended=written.finished,
        )
        for number, seat in enumerate(written.seats)
    )
    Redeal.objects.bulk_create(
        Redeal(game=game, number=number, seed=seed) for number, seed in written.redeals.items()
    )
    LogEntry.objects.bulk_create(
        LogEntry(
            game=game,
            number=entry.number,
            kind=entry.kind,
            seat=entry.seat,
            text=entry.text,
            events=events,
            author=entry.author,
            origin=entry.origin,
            reason=entry.reason,
            created_at=entry.made,
        )
        for entry, events in zip(written.log, played.events, strict=True)
    )
    return game
