"""Command `arena`: let bots play against each other."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from games.engine.bots import learners
from games.engine.bots.arena import match, match_runner, match_scores, progress_bar, results_file, score_text
from games.engine.bots.arena.match import BrokenGame, Result
from games.engine.bots.arena.worker_processes import WorkerLost
from games.engine.rules.rule_systems import SYSTEMS


class Command(BaseCommand):
    help = (
        "Plays a match between computer players in changing seats and shows how often each wins."
        " If you stop it, the same command continues from there."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--players", required=True, help=("players at the table, for example expert,medium,medium,medium")
        )
        parser.add_argument("--games", type=int, default=400, help=("number of games (default: %(default)s)"))
        parser.add_argument(
            "--seed", type=int, default=1, help="seed, to repeat the same games (default: %(default)s)"
        )
        parser.add_argument(
            "--system", default=next(iter(SYSTEMS)), help=("rule system (default: %(default)s)")
        )
        parser.add_argument("--preset", default="", help=("set of rules (default: the first of the system)"))
        parser.add_argument(
            "--processes",
            type=int,
            default=os.cpu_count() or 1,
            help=("number of games to play at the same time (default here: %(default)s)"),
        )
        parser.add_argument(
            "--real-time", action="store_true", help=("stop each decision when its time is up")
        )
        parser.add_argument("--out", type=Path, help="results file (default: a new file in data/arena/)")
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        match = self._match(options)
        for name in ("games", "processes"):
            if options[name] < 1:
                raise CommandError(f"--{name} is 1 or more, not {options[name]}.", returncode=2)
        if set(match.players) & set(learners.PLAYERS.get(match.system, ())):
            for problem, mending in learners.faults():
                raise CommandError(f"{problem} {mending}", returncode=2)
        path = options["out"] or settings.DATA_DIR / "arena" / f"{match.name}.jsonl"
        try:
            results = self._play(match, path, options["games"], options["processes"])
        except (BrokenGame, WorkerLost) as error:
            raise CommandError(str(error)) from error
        except (results_file.ResultsError, OSError) as error:
            raise CommandError(f"The results cannot be kept: {error}", returncode=2) from error
        scores = match_scores.scores(match, results)
        self.stdout.write(score_text.table(match, scores))
        self.stdout.write(f"Each game is in {path}")
        if options["json"]:
            self.stdout.write(score_text.as_json(scores))

    def _match(self, options: dict[str, Any]) -> match.Match:
        players = tuple(name.strip() for name in options["players"].split(","))
        try:
            return match.Match(
                players, options["seed"], options["preset"], options["system"], options["real_time"]
            )
        except ValueError as error:
            raise CommandError(str(error), returncode=2) from error

    def _play(self, match: match.Match, path: Path, games: int, processes: int) -> list[match.Result]:
        """The results of this number of games, including those of former runs."""
        with results_file.Results(path, match) as results:

            def so_far() -> list[Result]:
                return [result for number, result in results.games.items() if number < games]

            try:
                with progress_bar.Progress(sys.stderr, games, len(so_far())) as progress:
                    for _ in match_runner.play_missing_games(results, games, processes):
                        first = match_scores.scores(match, so_far())[0]
                        progress.show(len(so_far()), f"{first.player} {100 * first.share:.1f}%")
            except KeyboardInterrupt:
                raise CommandError(
                    f"Stopped after {len(so_far())} of {games} games; the same command goes on from there.",
                    returncode=130,
                ) from None
            return so_far()
