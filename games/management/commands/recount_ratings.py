"""Command `recount_ratings`: compute the ratings from the beginning."""

from argparse import ArgumentParser
from statistics import median
from typing import Any

from django.core.management import BaseCommand, CommandError

from accounts.models import User
from games.engine.rules.rule_systems import SYSTEMS
from games.ratings import rating_history, result_queue
from games.ratings.rating_history import Recount


class Command(BaseCommand):
    help = (
        "Recalculates all ratings from the finished games, in the order in which they ended, and says how"
        " many have changed. They change only if the rating rules have changed. Each rule system gets its"
        " new ratings in one step. If the command is stopped, start it again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--list", action="store_true", help="name each member with a changed rating")

    def handle(self, *args: Any, **options: Any) -> None:
        result_queue.recount_all_results()
        for system in SYSTEMS:
            read = result_queue.read_results(system)
            try:
                done = rating_history.recount(system)
            except RuntimeError as error:
                raise CommandError(str(error)) from error
            self.stdout.write(f"{system}: {read} games read, ratings made from {done.games} games")
            self.stdout.write(f"{system}: {_summary(done)}")
            if left := result_queue.unread(system):
                self.stdout.write(f"{system}: {left} games are still to be read; the sweeper will do that.")
            if options["list"]:
                self._list(done)

    def _list(self, done: Recount) -> None:
        found = User.objects.in_bulk(list(done.changed))
        for user in sorted(found.values(), key=lambda user: user.username):
            before, after = ("none" if one is None else one for one in done.changed[user.pk])
            self.stdout.write(f"  {user.username}: {before}, now {after}")


def _summary(done: Recount) -> str:
    changed = done.changed.values()
    moved = [abs(after - before) for before, after in changed if before is not None and after is not None]
    sizes = f", by {median(moved):.0f} points in the median and {max(moved)} at most" if moved else ""
    return f"{len(changed)} of {len(done.ratings)} members have another rating than before{sizes}"
