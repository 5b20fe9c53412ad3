"""Command `learn`: learn the valuation of the bots from games among themselves."""

import os
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from games.engine.bots import learners
from games.engine.bots.arena.progress_bar import Progress
from games.engine.bots.arena.worker_processes import WorkerLost


class Command(BaseCommand):
    help = (
        "Lets computer players play each other, and learns from these games to judge positions. If you stop"
        " it, run the same command again to continue. The same seed gives the same games."
    )
    # The weights in use may be what is to be mended.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--system", default="acquire", choices=sorted(learners.LEARNERS))
        parser.add_argument("--seed", type=int, required=True, help="seed of the games and of the training")
        parser.add_argument(
            "--games", type=int, help="number of games of the first bots (default: that of the rule system)"
        )
        parser.add_argument(
            "--more",
            type=int,
            help="number of games of bots that learned from these; 0 for none (default: that of the system)",
        )
        parser.add_argument("--tries", type=int, help="tries for a move (default: that of the rule system)")
        parser.add_argument("--epochs", type=int, help="epochs a stage (default: that of the rule system)")
        parser.add_argument(
            "--processes",
            type=int,
            default=os.cpu_count() or 1,
            help="number of games to play at the same time (default here: %(default)s)",
        )
        parser.add_argument(
            "--folder", type=Path, help="folder of games and checkpoints (default: one in data/learn/)"
        )
        parser.add_argument(
            "--match-games",
            type=int,
            default=400,
            help="most games of the learned weights against those in use; 0 for none (default: %(default)s)",
        )
        parser.add_argument(
            "--use",
            action="store_true",
            help="replace the weights in use with the learned ones, if these win the match",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        system, seed = options["system"], options["seed"]
        try:
            module = learners.learner(system)
        except ImportError as error:
            raise CommandError(f"Learning needs numpy: install requirements/app.txt. ({error})") from None
        wanted = {
            name: options[name] for name in ("games", "more", "tries", "epochs") if options[name] is not None
        }
        numbers = wanted | {name: options[name] for name in ("processes", "match_games")}
        for name, number in numbers.items():
            least = 0 if name in ("more", "match_games") else 1
            if number < least:
                option = name.replace("_", "-")
                raise CommandError(f"--{option} is {least} or more, not {number}.", returncode=2)
        folder = options["folder"] or settings.DATA_DIR / "learn" / f"{system}-{seed}"
        try:
            learning = module.Learning(folder, seed=seed, **wanted)
            self._learn(learning, options["processes"])
            self._match(learning.match(options["match_games"]), options["processes"], options["use"])
            if options["use"]:
                learning.use()
                self.stdout.write(f"They are in use: {learning.weights_in_use}")
        except KeyboardInterrupt:
            raise CommandError("Stopped. Run the same command again to continue.", returncode=130) from None
        except (module.LearningError, WorkerLost, OSError) as error:
            raise CommandError(str(error)) from error

    def _learn(self, learning: Any, processes: int) -> None:
        for generation in learning.generations():
            with Progress(sys.stderr, len(generation.numbers), len(generation.played)) as progress:
                for games in generation.play(processes):
                    progress.show(games, "games")
            for stage in generation.other_checkpoints():
                self.stdout.write(
                    f"The checkpoint of stage {stage} has other settings, so this stage starts again."
                )
            for stage, epoch, figures in generation.train(_commit()):
                words = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in figures.items())
                self.stdout.write(f"{stage} {epoch}: held out {words}")
        learning.pack()
        self.stdout.write(f"The weights are in {learning.out}")

    def _match(self, match: Any, processes: int, use: bool) -> None:
        """Play the match against the weights in use; to `use` the new ones it must be won."""
        if match is None:
            return
        with Progress(sys.stderr, match.most, match.games) as progress:
            for games in match.play(processes):
                progress.show(games, f"games against the weights in use, {match.wins / games:.1%} won")
        if match.games:
            self.stdout.write(
                f"Against three players with the weights in use they won {match.wins / match.games:.1%} of"
                f" {match.games} games, which {'proves' if match.are_better else 'does not prove'} that they"
                " are better."
            )
        if use and not match.are_better:
            raise CommandError("The learned weights have not won a match, so those in use stay.")


def _commit() -> str:
    """The commit that is checked out, or an empty text where there is no git."""
    git = shutil.which("git")
    if git is None:
        return ""
    command = [git, "rev-parse", "HEAD"]
    done = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False)
    return done.stdout.strip()
