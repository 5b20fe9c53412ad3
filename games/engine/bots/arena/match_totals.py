"""Totals of the games of a match: small enough to keep for good, and to continue from.

A JSON file holds the totals of the first games of one match. The games themselves need not be kept,
as each can be repeated.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Self

from games.engine.bots.arena.match import Match, Result, frozen
from games.engine.bots.arena.match_scores import Tally, added, tallies
from games.engine.bots.arena.results_file import Hardware, ResultsError


@dataclass(frozen=True)
class Sum:
    """The totals of the first `games` games of a match, with one tally for each distinct player.

    `homes` lists the hardware, `hours` is the time that all its cores together needed. `money` and
    `moves` are those of game 0, which shows whether the match still gives the same results.
    """

    match: Match
    homes: tuple[Hardware, ...] = ()
    games: int = 0
    hours: float = 0.0
    money: tuple[int, ...] = ()
    moves: int = 0
    tallies: tuple[Tally, ...] = ()

    def plus(self, results: Collection[Result], home: Hardware) -> Self:
        """These totals plus games that they do not contain yet."""
        if not results:
            return self
        first = next((result for result in results if result.game == 0), None)
        return replace(
            self,
            homes=tuple(dict.fromkeys((*self.homes, home))),
            games=self.games + len(results),
            hours=round(self.hours + sum(result.took for result in results) / home.cores / 3600, 9),
            money=first.money if first else self.money,
            moves=first.moves if first else self.moves,
            tallies=tuple(added([*self.tallies, *tallies(self.match, results)])),
        )

    def plus_next(self, results: Mapping[int, Result], home: Hardware) -> Self:
        """These totals plus the games that directly follow their own without a gap."""
        end = self.games
        while end in results:
            end += 1
        return self.plus([results[number] for number in range(self.games, end)], home)

    def starts_with(self, first: Result) -> bool:
        """Return whether game 0 had this result."""
        return (self.money, self.moves) == (first.money, first.moves)


def write_sum(path: Path, kept: Sum) -> None:
    """Write the totals to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(kept), indent=1) + "\n", encoding="utf-8")


def read_sum(path: Path, match: Match) -> Sum:
    """Read the totals of the match, empty without a file. Raises ResultsError."""
    if not path.exists():
        return Sum(match)
    try:
        record = frozen(json.loads(path.read_bytes()))
        kept = Sum(
            **{
                **record,
                "match": Match(**frozen(record["match"])),
                "homes": tuple(Hardware(**home) for home in record["homes"]),
                "tallies": tuple(Tally(**tally) for tally in record["tallies"]),
            }
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ResultsError(f"{path} holds no sum of a match; delete it.") from error
    if kept.match != match:
        raise ResultsError(
            f"{path} holds the sum of another match ({kept.match.command(kept.games)}); delete it."
        )
    return kept
