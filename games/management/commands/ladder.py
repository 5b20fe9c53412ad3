"""Command `ladder`: play the matches that measure the bot levels, and write the page."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from games.engine.bots.arena import ladder_page, ladder_plan, match, progress_bar, results_file, score_text
from games.engine.bots.arena.worker_processes import WorkerLost


class Command(BaseCommand):
    help = (
        "Plays the matches between the computer players, the fastest first, and updates the page of results"
        " after each match. If you stop it, the same command continues from there."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--only", type=int, nargs="+", metavar="NO", help="only the matches with these numbers"
        )
        parser.add_argument(
            "--processes",
            type=int,
            default=os.cpu_count() or 1,
            help=("number of games to play at the same time (default here: %(default)s)"),
        )
        parser.add_argument("--page", type=Path, default=settings.BASE_DIR / "docs" / "bots.md")
        parser.add_argument(
            "--results", type=Path, default=settings.DATA_DIR / "ladder", help="folder for the results"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        rows = ladder_plan.ROWS
        numbers = options["only"] or range(1, len(rows) + 1)
        if unknown := set(numbers) - set(range(1, len(rows) + 1)):
            raise CommandError(f"There is no match {min(unknown)}; they are 1 to {len(rows)}.", returncode=2)
        if options["processes"] < 1:
            raise CommandError(f"--processes is 1 or more, not {options['processes']}.", returncode=2)
        folder, page = options["results"], options["page"]
        try:
            self._write(page, folder)
            for number in numbers:
                self._play(number, rows[number - 1], folder, _kept(page), options["processes"])
                self._write(page, folder)
        except KeyboardInterrupt:
            self._write(page, folder)
            raise CommandError("Stopped; the same command goes on from there.", returncode=130) from None
        except (match.BrokenGame, WorkerLost, results_file.ResultsError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Everything is in {page}")

    def _play(self, number: int, row: ladder_plan.Row, folder: Path, kept: Path, processes: int) -> None:
        who = f"{number}. {row.hero} against {row.count} {row.others}"
        before = ladder_plan.standing(row, folder, kept).games
        with progress_bar.Progress(sys.stderr, row.games, before) as progress:
            for games in ladder_plan.play_row(row, folder, kept, processes):
                progress.show(games, who)
        now = ladder_plan.standing(row, folder, kept)
        self.stdout.write(score_text.table(row.match, now.scores))
        if row.goal is not None:
            self.stdout.write(
                f"{who}: goal {100 * row.goal:.1f}%, {'reached' if now.reached else 'not reached'}"
            )

    def _write(self, page: Path, folder: Path) -> None:
        page.parent.mkdir(parents=True, exist_ok=True)
        for row in ladder_plan.ROWS:
            ladder_plan.keep_row(row, folder, _kept(page))
        standings = [ladder_plan.standing(row, folder, _kept(page)) for row in ladder_plan.ROWS]
        page.write_text(ladder_page.page(standings), encoding="utf-8")


def _kept(page: Path) -> Path:
    """The folder beside the page with the totals, which stay when the games are deleted."""
    return page.parent / "ladder"
