"""A generation of learning: games of bots among themselves, and the weights learned from them.

The first generation plays by the linear valuation, a later one by the weights of the one before. Those games
show where these weights are wrong: a search finds the positions that they judge too well.
It needs numpy.
"""

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from games.engine.bots.acquire import evaluation, valuation_training
from games.engine.bots.acquire.feature_groups import reliance
from games.engine.bots.acquire.feature_list import COUNT
from games.engine.bots.acquire.learning_charts import charts
from games.engine.bots.acquire.monte_carlo import MonteCarloSearch
from games.engine.bots.acquire.network import Arrays, np
from games.engine.bots.acquire.plan_search import PlanSearch
from games.engine.bots.acquire.self_play import PlayedGame, play_game, play_games
from games.engine.bots.acquire.stored_games import StoredGames
from games.engine.bots.acquire.valuation import valuation_of
from games.engine.bots.acquire.valuation_training import Positions, Training
from games.engine.bots.acquire.valuation_weights import HIDDEN, Weights, digest, read_weights, write_weights

STAGES: Final = ("linear", "ends", "td")


class Generation:
    """Games numbered `numbers` with `tries` tries for each move, and training on them and on earlier ones.

    `before` is the weights file by which its bots play, None for the linear valuation. Raises
    StoredGamesError if its files hold other games.
    """

    def __init__(
        self,
        folder: Path,
        *,
        place: int,
        seed: int,
        numbers: range,
        tries: int,
        epochs: int,
        earlier: Sequence[PlayedGame] = (),
        before: Path | None = None,
    ) -> None:
        self.folder, self.place, self.seed, self.tries, self.epochs = folder, place, seed, tries, epochs
        self.numbers, self.before = numbers, before
        self._earlier = earlier
        header: dict[str, Any] = {"seed": seed, "tries": tries}
        if before is not None:
            header |= {"first": numbers.start, "weights": digest(read_weights(before).values)}
        self.stored = StoredGames(folder, f"games{self._suffix}", numbers.start, header)

    @property
    def played(self) -> list[PlayedGame]:
        """Its finished games, as far as they are wanted."""
        return self.stored.games[: len(self.numbers)]

    @property
    def out(self) -> Path:
        """The file with its weights."""
        return self.folder / f"valuation{self._suffix}.json"

    def play(self, processes: int = 1) -> Iterator[int]:
        """Play the missing games, several at once; yield the number of stored ones after each."""
        play = (
            partial(_play_by_line, self.seed, self.tries)
            if self.before is None
            else partial(_play_by_network, self.seed, self.tries, str(self.before))
        )
        missing = self.numbers[len(self.stored.games) :]
        for _ in self.stored.add(play_games(play, missing, processes)):
            yield len(self.stored.games)

    def train(self, commit: str = "") -> Iterator[tuple[str, int, dict[str, float]]]:
        """Train all stages; yield stage, epoch and held-out figures after each epoch.

        Writes the weights and their charts in the end; their record names the commit of the code.
        """
        positions = valuation_training.positions_of([*self._earlier, *self.played])
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
        record = {"commit": commit, **self._record(positions, learned, curve)}
        write_weights(self.out, Weights(values, record))
        for name, drawn in charts(record).items():
            (self.folder / f"{name}{self._suffix}.svg").write_text(drawn, encoding="utf-8")

    def other_checkpoints(self) -> list[str]:
        """The stages whose checkpoint has other settings, so they start again."""
        found = []
        for name in STAGES:
            if self._checkpoint(name).exists():
                with np.load(self._checkpoint(name)) as stored:
                    if _settings_of(stored) != self.settings:
                        found.append(name)
        return found

    @property
    def settings(self) -> dict[str, object]:
        """Everything that the training follows from."""
        own: dict[str, object] = {
            "seed": self.seed,
            "games": self.numbers.stop,
            "tries": self.tries,
            "epochs": self.epochs,
        }
        if self.before is not None:
            own |= {"first": self.numbers.start, "weights": digest(read_weights(self.before).values)}
        return own | valuation_training.CONSTANTS

    @property
    def _suffix(self) -> str:
        return "" if self.place == 1 else f"-{self.place}"

    def _checkpoint(self, name: str) -> Path:
        return self.folder / f"stage-{name}{self._suffix}.npz"

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
        bots = f"searching bots with {self.tries} tries and the linear valuation"
        if self.before is not None:
            bots = f"{self.numbers.start} games of {bots}, then by what these taught"
        return {
            "seed": self.seed,
            "games": self.numbers.stop,
            "positions": len(positions.seats),
            "bots": bots,
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
            "reliance": reliance(learned["td"], positions.only(positions.held_out())),
            "curve": curve,
        }


def _play_by_line(seed: int, tries: int, number: int) -> PlayedGame:
    bot = MonteCarloSearch(tries=tries, judge=evaluation.linear_evaluation, turns=4)
    return play_game(seed, number, bot.choose)


def _play_by_network(seed: int, tries: int, weights: str, number: int) -> PlayedGame:
    return play_game(seed, number, PlanSearch(tries, partial(valuation_of, weights)).choose)


def _settings_of(stored: Any) -> object:
    try:
        return json.loads(str(stored["settings"]))
    except ValueError:
        return None
