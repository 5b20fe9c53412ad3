"""Learning of the valuation: self-play, two stages of training, held-out figures. It needs numpy.

Everything is kept in one folder, so you can stop at any time and continue from there:

games.jsonl      seed and tries, then the moves of each game; packed as games.jsonl.gz when done
stage-….npz      a stage of training after its last whole epoch
valuation.json   the weights with the record of how they were learned

The same seed plays the same games to the last move. The weights are the same on the same processor and
version of numpy; elsewhere they may differ in the last digits.
"""

import gzip
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from games.engine.bots.acquire import evaluation, valuation_training
from games.engine.bots.acquire.monte_carlo import MonteCarloSearch
from games.engine.bots.acquire.network import Arrays, np
from games.engine.bots.acquire.seat_features import COUNT
from games.engine.bots.acquire.self_play import PlayedGame, play_game, play_games
from games.engine.bots.acquire.valuation_training import Positions, Training
from games.engine.bots.acquire.valuation_weights import HIDDEN, WEIGHTS_FILE, Weights, write_weights

# Fewer games would leave none to hold out for some kinds of tables.
MIN_GAMES: Final = 2 * valuation_training.HELD_OUT_EVERY
GAMES: Final = 7500
TRIES: Final = 40
EPOCHS: Final = 6
STAGES: Final = ("linear", "ends", "td")


class LearningError(Exception):
    """A folder with which learning cannot go on; the message is a sentence."""


class Learning:
    """Learning from `games` games of bots with `tries` tries for each move, kept in a folder."""

    weights_in_use: Final = WEIGHTS_FILE

    def __init__(
        self, folder: Path, *, seed: int, games: int = GAMES, tries: int = TRIES, epochs: int = EPOCHS
    ) -> None:
        if games < MIN_GAMES:
            raise LearningError(f"Learning needs at least {MIN_GAMES} games, not {games}.")
        self.folder, self.seed, self.games, self.tries, self.epochs = folder, seed, games, tries, epochs
        self.played: list[PlayedGame] = []
        folder.mkdir(parents=True, exist_ok=True)
        self._read_games()

    @property
    def out(self) -> Path:
        """The file with the learned weights."""
        return self.folder / "valuation.json"

    def play(self, processes: int = 1) -> Iterator[int]:
        """Play the missing games, several at once; yield the number of stored ones after each."""
        play = partial(_play, self.seed, self.tries)
        missing = range(len(self.played), self.games)
        with self._file.open("a", encoding="utf-8") as file:
            for game in play_games(play, missing, processes):
                file.write(_line(game))
                file.flush()
                self.played.append(game)
                yield len(self.played)

    def train(self, commit: str = "") -> Iterator[tuple[str, int, dict[str, float]]]:
        """Train all stages; yield stage, epoch and held-out figures after each epoch.

        Writes the weights in the end; their record names the commit of the code.
        """
        games = self.played[: self.games]
        positions = valuation_training.positions_of(games)
        held_out = positions.held_out()
        curve: list[dict[str, Any]] = []
        learned: dict[str, Arrays] = {}
        targets = positions.chance, positions.money
        for stage, name in enumerate(STAGES):
            if name == "td":
                targets = valuation_training.td_targets(learned["ends"], positions)
            training = Training(
                positions, *targets, seed=self.seed, stage=stage, epochs=self.epochs, linear=name == "linear"
            )
            for epoch, figures in enumerate(self._epochs(training, name, held_out), 1):
                curve.append({"stage": name, "epoch": epoch, **figures})
                yield name, epoch, figures
            learned[name] = training.arrays
        values = valuation_training.packed(learned["td"], learned["linear"])
        write_weights(
            self.out, Weights(values, {"commit": commit, **self._record(positions, learned, curve)})
        )

    def other_checkpoints(self) -> list[str]:
        """The stages whose checkpoint has other settings, so they start again."""
        found = []
        for name in STAGES:
            if self._checkpoint(name).exists():
                with np.load(self._checkpoint(name)) as stored:
                    if _settings_of(stored) != self.settings:
                        found.append(name)
        return found

    def use(self) -> None:
        """Replace the weights in use with the learned ones; nothing is lost if this is interrupted."""
        unfinished = self.weights_in_use.with_suffix(".new")
        unfinished.write_bytes(self.out.read_bytes())
        unfinished.replace(self.weights_in_use)

    def pack(self) -> None:
        """Pack the games, which then need a tenth of the room."""
        packed = gzip.compress(self._file.read_bytes(), mtime=0)
        self._packed.write_bytes(packed)
        self._file.unlink()

    @property
    def settings(self) -> dict[str, object]:
        """Everything that the training follows from."""
        own = {"seed": self.seed, "games": self.games, "tries": self.tries, "epochs": self.epochs}
        return own | valuation_training.CONSTANTS

    def _checkpoint(self, name: str) -> Path:
        return self.folder / f"stage-{name}.npz"

    @property
    def _file(self) -> Path:
        return self.folder / "games.jsonl"

    @property
    def _packed(self) -> Path:
        return self.folder / "games.jsonl.gz"

    def _read_games(self) -> None:
        header = json.dumps({"seed": self.seed, "tries": self.tries})
        text = ""
        if self._file.exists():
            text = self._file.read_text(encoding="utf-8")
        elif self._packed.exists():
            text = gzip.decompress(self._packed.read_bytes()).decode()
        first, *lines = text.split("\n")
        if lines and first != header:
            raise LearningError(
                f"{self.folder} holds games of {first}, not of {header}: name another folder with --folder."
            )
        # The last piece is empty, or a line that was cut off.
        for number, line in enumerate(lines[:-1]):
            self.played.append(PlayedGame(self.seed, number, tuple(json.loads(line))))
        unfinished = self._file.with_suffix(".new")
        unfinished.write_text(f"{header}\n" + "".join(map(_line, self.played)), encoding="utf-8")
        unfinished.replace(self._file)

    def _epochs(self, training: Training, name: str, held_out: Any) -> Iterator[dict[str, float]]:
        """Run the epochs that are missing; yield the held-out figures after each."""
        file = self._checkpoint(name)
        figures: list[dict[str, float]] = []
        if file.exists():
            with np.load(file) as stored:
                if _settings_of(stored) == self.settings:
                    training.restore(stored)
                    figures = json.loads(str(stored["figures"]))
        yield from figures
        while training.epoch < self.epochs:
            training.run_epoch()
            figures.append(valuation_training.held_out_figures(training.arrays, training.positions, held_out))
            unfinished = file.with_suffix(".new.npz")
            np.savez(
                unfinished,
                settings=np.array(json.dumps(self.settings)),
                figures=np.array(json.dumps(figures)),
                **training.stored(),
            )
            unfinished.replace(file)
            yield figures[-1]

    def _record(
        self, positions: Positions, learned: dict[str, Arrays], curve: list[dict[str, Any]]
    ) -> dict[str, Any]:
        """The record of this training."""
        before = valuation_training.beginning(self.seed, linear=True)
        judges = {"before": before, **learned}
        parts = {"all tables": positions.held_out(), "tables of four": positions.held_out(seats=4)}
        return {
            "seed": self.seed,
            "games": self.games,
            "positions": len(positions.seats),
            "bots": f"searching bots with {self.tries} tries and the linear valuation",
            "network": f"{COUNT} features, {HIDDEN} hidden units, linear skip",
            "epochs": self.epochs,
            "held_out": {
                part: {
                    "positions": len(numbers),
                    **{
                        name: valuation_training.held_out_figures(judge, positions, numbers)
                        for name, judge in judges.items()
                    },
                }
                for part, numbers in parts.items()
                if len(numbers)
            },
            "curve": curve,
        }


def _play(seed: int, tries: int, number: int) -> PlayedGame:
    bot = MonteCarloSearch(tries=tries, judge=evaluation.learned_evaluation, turns=4)
    return play_game(seed, number, bot.choose)


def _settings_of(stored: Any) -> object:
    try:
        return json.loads(str(stored["settings"]))
    except ValueError:
        return None


def _line(game: PlayedGame) -> str:
    return json.dumps(game.moves) + "\n"
