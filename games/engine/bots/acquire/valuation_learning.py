"""Learning of the valuation: two generations of self-play and training. It needs numpy.

Everything is kept in one folder, so you can stop at any time and continue from there:

games.jsonl, games-2.jsonl   what the games follow from, then the moves of each; packed as .gz when done
stage-….npz                  a stage of training after its last whole epoch
valuation.json, …-2.json     the weights of each generation with the record of how they were learned
curve.svg, reliance.svg, …   charts of that record: errors after each epoch, and what the weights rely on
match-….jsonl                games of the learned weights against those in use

The same seed plays the same games to the last move. The weights are the same on the same processor and
version of numpy; elsewhere they may differ in the last digits, and then so do the games of the second
generation.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from games.engine.bots.acquire import valuation_training
from games.engine.bots.acquire.generation import Generation
from games.engine.bots.acquire.stored_games import StoredGamesError
from games.engine.bots.acquire.valuation_weights import WEIGHTS_FILE, WeightsError, digest, read_weights
from games.engine.bots.acquire.weights_match import WeightsMatch

# With fewer, some kinds of tables would have no game held out.
MIN_GAMES: Final = 2 * valuation_training.HELD_OUT_EVERY
GAMES: Final = 5000
MORE: Final = 5000
TRIES: Final = 40
EPOCHS: Final = 6
# Tries for a move in the match that the weights must win.
MATCH_TRIES: Final = 100


class LearningError(Exception):
    """A folder with which learning cannot go on; the message is a sentence."""


class Learning:
    """Learning in a folder from `games` games by the linear valuation and `more` by what they taught.

    Bots have `tries` tries for each move; each stage of training goes `epochs` times through all positions.
    With no `more` games there is one generation only.
    """

    weights_in_use: Final = WEIGHTS_FILE

    def __init__(
        self,
        folder: Path,
        *,
        seed: int,
        games: int = GAMES,
        more: int = MORE,
        tries: int = TRIES,
        epochs: int = EPOCHS,
    ) -> None:
        if games < MIN_GAMES:
            raise LearningError(f"Learning needs at least {MIN_GAMES} games, not {games}.")
        self.folder, self.seed, self.tries, self.epochs = folder, seed, tries, epochs
        self._numbers = [range(games), *([range(games, games + more)] if more else [])]
        self._begun: list[Generation] = []
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def out(self) -> Path:
        """The file with the weights of the last generation that has begun."""
        return self._begun[-1].out

    def generations(self) -> Iterator[Generation]:
        """Each generation, to be played and trained before the next one is asked for.

        Raises LearningError if a file holds other games.
        """
        self._begun = []
        for place, numbers in enumerate(self._numbers, 1):
            earlier = [game for generation in self._begun for game in generation.played]
            try:
                generation = Generation(
                    self.folder,
                    place=place,
                    seed=self.seed,
                    numbers=numbers,
                    tries=self.tries,
                    epochs=self.epochs,
                    earlier=earlier,
                    before=self.out if self._begun else None,
                )
            except StoredGamesError as error:
                raise LearningError(str(error)) from None
            self._begun.append(generation)
            yield generation

    def pack(self) -> None:
        """Pack the games of all generations."""
        for generation in self._begun:
            generation.stored.pack()

    def match(self, most: int) -> WeightsMatch | None:
        """The match that the learned weights must win to be used, of at most `most` games.

        None if no weights of this version are in use, or the learned ones are. Raises WeightsError if the
        learned ones cannot be read.
        """
        try:
            used = digest(read_weights(self.weights_in_use).values)
        except WeightsError:
            return None
        if used == digest(read_weights(self.out).values):
            return None
        return WeightsMatch(
            self.folder, seed=self.seed, new=self.out, used=self.weights_in_use, tries=MATCH_TRIES, most=most
        )

    def use(self) -> None:
        """Replace the weights in use with the learned ones; nothing is lost if this is interrupted."""
        unfinished = self.weights_in_use.with_suffix(".new")
        unfinished.write_bytes(self.out.read_bytes())
        unfinished.replace(self.weights_in_use)
