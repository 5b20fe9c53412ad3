"""Games that went on after their end, and a referee who knows only the documents."""

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from hashlib import sha256
from typing import Any

from accounts.models import User
from games.models import Game
from games.moderation.actions.game_actions import GAME_ACTIONS
from tests.support.games import play_on
from tests.support.second_dealer import BOARD, SecondDealer
from tests.support.staff_actions import perform_action

_BACK = re.compile(r"(?:moderator goes )?back to (\d+)(?: and deals again by ([0-9a-f]{64}))?")


def stored(game: Game) -> Game:
    return Game.all_games.defer(None).get(pk=game.pk)


def ended(game: Game, moves: int = 0, *, result: bool = True, seed: int = 1) -> Game:
    """Play some moves and let a moderator end the game, with its standings or without a result."""
    play_on(game, moves, seed)
    name = "end-with-standings" if result else "end-without-result"
    perform_action(GAME_ACTIONS[name], stored(game), None, "That is enough.")
    return stored(game)


def reopened(game: Game, entry: int, by: User | None = None) -> Game:
    """Let a moderator reopen a finished game after this entry."""
    perform_action(GAME_ACTIONS["roll-back"], stored(game), by, "It was a mistake.", entry=entry)
    return stored(game)


class Referee:
    """Follows the hidden tiles of an exported finished game by docs/deal.md, log.md and export.md alone.

    For a game by the rules of the box, with starting tiles.
    """

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = record
        self.seeds = {one["entry"]: one for one in record.get("redeals", ())}
        assert sha256(bytes.fromhex(record["seed"])).hexdigest() == record["commitment"]
        self.dealer, self.turned = SecondDealer(record["seed"]), 0
        seats = len(record["seats"])
        table = self.dealer.table(seats)
        self.hands = [table[f"hand {seat}"].split() for seat in range(seats)]
        self.bag = self.dealer.bag()[7 * seats :]

    def positions(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The hands and the bag after each entry, as the API tells them."""
        past = {0: self._kept()}
        yield 0, self._told()
        for entry in self.record["log"]:
            number = entry["number"]
            for event in entry.get("events", ()):
                self._follow(event)
            if entry["kind"] == "ruling" and (back := _BACK.fullmatch(entry["text"])):
                self.dealer, self.hands, self.bag, self.turned = deepcopy(past[int(back[1])])
                if back[2]:
                    self._deal_again(number, back[2])
            past[number] = self._kept()
            yield number, self._told()

    def _follow(self, event: Mapping[str, Any]) -> None:
        if event["kind"] == "placed":
            self.hands[event["seat"]].remove(event["square"])
        elif event["kind"] in ("turnedup", "redrew"):
            for square in event["squares"]:
                self.hands[event["seat"]].remove(square)
        if event["kind"] in ("drew", "redrew"):
            drawn, self.bag = self.bag[: event["count"]], self.bag[event["count"] :]
            self.hands[event["seat"]] += drawn
        if event["kind"] == "banktile":
            tiles = sorted(self.bag or BOARD, key=BOARD.index)
            assert event["square"] == tiles[self.dealer.number("bank", self.turned, len(tiles))]
            self.turned += 1

    def _deal_again(self, number: int, told: str) -> None:
        one = self.seeds[number]
        assert one["commitment"] == told == sha256(bytes.fromhex(one["seed"])).hexdigest()
        self.dealer = SecondDealer(one["seed"])
        self.hands, self.bag = self.dealer.deal_again(self.hands, self.bag)

    def _kept(self) -> Any:
        return deepcopy((self.dealer, self.hands, self.bag, self.turned))

    def _told(self) -> dict[str, Any]:
        hands = [sorted(hand, key=BOARD.index) for hand in self.hands]
        return {"hands": hands, "bag": list(self.bag)}
