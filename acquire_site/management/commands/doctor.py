"""The command doctor: reports faults of the site or of games."""

import sys
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import astuple
from random import Random
from typing import Any, NoReturn

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import ngettext

from acquire_site.health import operator_mail, service_health, site_report
from games.models import Game
from games.moderation import integrity_check

SAMPLE = 20


class Command(BaseCommand):
    help = (
        "Checks the site's health. Lists each problem with the command that fixes it: stuck games, missed"
        " deadlines, unsent emails, processes that hang or do not match, wrong clocks, delayed or failed"
        " tasks, full disks, old backups, games that do not replay. Prints no secrets. Exits with 1 if it"
        " finds a problem, so that cron can tell. If you name games, it checks only these."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("games", nargs="*", metavar="ID", help="ID of a game, as in its address")
        parser.add_argument(
            "--sample",
            type=int,
            default=SAMPLE,
            help="number of games to check in full (default: %(default)s)",
        )
        parser.add_argument(
            "--mail",
            metavar="ADDRESS",
            help="also mail problems there: new ones at once, the same ones once a day, and that all is well",
        )
        parser.add_argument("--quiet", action="store_true", help="print nothing unless there is a problem")

    def handle(
        self, *args: Any, games: list[str], sample: int, quiet: bool, mail: str | None, **options: Any
    ) -> None:
        if mail and games:
            raise CommandError("--mail reports on the whole site. Name no games.")
        if mail and not settings.EMAIL_URL:
            raise CommandError("Without EMAIL_URL no email can be sent.")
        self._mail_to, self._found, self._names = mail, list[tuple[str, str]](), set[str]()
        wrong = 0 if games else self._services()
        if (answer := service_health.database()) != service_health.OK:
            sentence = (
                f"The database {answer}. Restart it: systemctl restart postgresql"
                " (docker compose restart postgres)"
            )
            self._end(wrong + self._report_problem("database", sentence))
        try:
            if (answer := service_health.migrations()) != service_health.OK:
                # Without them the rest cannot be read.
                self._end(wrong + self._report_problem("migrations", f"Migrations: {answer}"))
            wrong += 0 if games else self._site()
            chosen = self._chosen(games, sample)
            wrong += sum(self._game(game, in_full=bool(games)) for game in chosen)
        except DatabaseError as error:
            # The error's message may quote a row.
            sentence = (
                f"The database returned an error ({type(error).__name__}). Its log says why:"
                " tail /var/log/postgresql/*.log (docker compose logs postgres)"
            )
            self._end(wrong + self._report_problem("database", sentence))
        if wrong:
            self._end(wrong)
        if mail:
            self._try_mail(lambda: operator_mail.tell_the_end(mail))
        if not quiet:
            self.stdout.write(_all_well(len(chosen)))

    def _end(self, wrong: int) -> NoReturn:
        self.stdout.write(_summary(wrong))
        if to := self._mail_to:
            text = "".join(f"{name}: {sentence}\n\n" for name, sentence in self._found)
            self._try_mail(lambda: operator_mail.tell(to, self._names, text + _summary(wrong)))
        sys.exit(1)

    def _try_mail(self, send: Callable[[], bool]) -> None:
        """Send a mail. If that fails, say so on stderr; the next run tries again."""
        try:
            send()
        except OSError as error:  # those of the mail server, and of the file
            self.stderr.write(f"The email could not be sent ({type(error).__name__}).")

    def _report_problem(self, name: str, sentence: str, *, told_as: str = "") -> int:
        """Report a problem and return 1, so that callers can count.

        What was mailed under the same name, or `told_as`, is mailed again after a day only.
        """
        self.stdout.write(f"{name}: {sentence}")
        self._found.append((name, sentence))
        self._names.add(told_as or name)
        return 1

    def _services(self) -> int:
        if settings.BROKER_URL and (answer := service_health.hints()) != service_health.OK:
            return self._report_problem(
                "redis",
                f"Redis {answer}. Pages update more slowly and bots do not search, but nothing is lost."
                f" {service_health.redis_command(answer)}",
            )
        return 0

    def _site(self) -> int:
        return sum(
            self._report_problem(*astuple(trouble)) for trouble in site_report.health_problems(timezone.now())
        )

    def _chosen(self, games: list[str], sample: int) -> list[Game]:
        """The named games, or a random sample of this size."""
        every = Game.all_games.defer(None)
        if games:
            chosen = list(every.filter(public_id__in=games))
            if missing := set(games) - {game.public_id for game in chosen}:
                raise CommandError(f"No game has the ID {', '.join(sorted(missing))}.")
            return chosen
        dealt = list(Game.all_games.filter(seed__isnull=False).values_list("pk", flat=True))
        drawn = Q(pk__in=Random().sample(dealt, min(sample, len(dealt))))
        if self._mail_to:
            # Their end must not be mailed only because they were not drawn again.
            told = [
                name.removeprefix(operator_mail.GAME)
                for name in operator_mail.told_names()
                if name.startswith(operator_mail.GAME)
            ]
            drawn |= Q(public_id__in=told)
        return list(every.filter(drawn))

    def _game(self, game: Game, *, in_full: bool) -> int:
        if in_full:
            self.stdout.write(f"Game {game}: {self._state(game)}.")
        # The site's own problems already list all stuck and overdue games.
        found = integrity_check.examine(game, timezone.now()) if in_full else integrity_check.faults(game)
        for fault in found:
            sentence = f"Game {game}: {fault} Details: manage.py check_games {game.public_id}"
            self._report_problem("game", sentence, told_as=operator_mail.GAME + game.public_id)
        return len(found)

    def _state(self, game: Game) -> str:
        words = [f"{game.get_status_display()}, version {game.version}"]
        if game.paused:
            words.append(f"paused since {game.paused:%Y-%m-%d %H:%M} UTC")
        if game.seat_to_move is not None:
            who = "the person" if game.waiting_for_id else "the computer player"
            words.append(f"{who} in seat {game.seat_to_move + 1} is to move ({game.decision_kind})")
        if game.deadline:
            words.append(f"move by {game.deadline:%Y-%m-%d %H:%M} UTC")
        return "; ".join(words)


def _all_well(games: int) -> str:
    sentence = ngettext(
        "No problems found. {n} game was checked in full.",
        "No problems found. {n} games were checked in full.",
        games,
    )
    return sentence.format(n=games)


def _summary(problems: int) -> str:
    sentence = ngettext(
        "{n} problem found. See docs/operating.md.", "{n} problems found. See docs/operating.md.", problems
    )
    return sentence.format(n=problems)
