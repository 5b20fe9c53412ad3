"""Moves, events and random games of a rule system in compact notation."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from games.engine.rules.rule_errors import IllegalMove, InvalidPosition


@dataclass(frozen=True)
class Notation:
    """A rule system, its moves and kinds of events, and rules for random games."""

    system: Any
    moves: Sequence[Any]
    kinds: Mapping[str, Any]
    random_rules: Callable[[Random], Any]
    most_moves: int

    def play(self, state: Any, *moves: str) -> list[Any]:
        """Play the moves, checking each, and return all events."""
        events: list[Any] = []
        for text in moves:
            move = self.system.parse_move(text)
            self.system.check_move(state, move)
            events += self.system.play(state, move)
            assert self.system.invariants(state) == []
        return events

    def records(self, events: Sequence[Any], kind: str) -> list[dict[str, Any]]:
        """The events of a kind as dictionaries."""
        return [record for record in map(self.system.event_to_json, events) if record.pop("kind") == kind]

    def legal(self, state: Any) -> set[str]:
        """The legal moves in notation."""
        return {move.text for move in self.system.legal_moves(state)}

    def decision(self, state: Any) -> str:
        """The decision and its seat, as in a position text: "buy 1"."""
        return f"{state.decision.kind} {state.decision.seat}"

    def dealt(self, rng: Random) -> Any:
        """A new game under random rules with a random number of seats."""
        rules = self.random_rules(rng)
        return self.system.deal(rules, rng.choice(self.system.seat_counts(rules)), rng.randbytes(32))

    def midgame(self, rng: Random, *, most: int = 0) -> Any:
        """A game after a random number of random moves, which may be over."""
        state = self.dealt(rng)
        for _ in range(rng.randrange(most or self.most_moves)):
            if moves := self.system.legal_moves(state):
                self.system.apply(state, rng.choice(moves))
        return state

    def whole_game(self, rng: Random) -> tuple[Any, list[Any]]:
        """A game of random moves at its end, and all its events."""
        state, events = self.dealt(rng), []
        while moves := self.system.legal_moves(state):
            events += self.system.play(state, rng.choice(moves))
        return state, events

    def check_legal_moves(self, state: Any, expected: Collection[Any], reasons: Collection[str] = ()) -> None:
        """Assert that exactly these moves are offered and pass the check, and that nothing changes."""
        offered, before = self.system.legal_moves(state), self.system.state_to_json(state)
        assert len(set(offered)) == len(offered)
        assert set(offered) == set(expected)
        for move in self.moves:
            if move in offered:
                self.system.check_move(state, move)
            else:
                with pytest.raises(IllegalMove) as refusal:
                    self.system.check_move(state, move)
                assert not reasons or refusal.value.reason in reasons
        assert self.system.state_to_json(state) == before
        assert list(self.system.legal_moves(state)) == list(offered)

    def check_spoiled_positions(self, spoil: Callable[[str, Random], str], rng: Random, number: int) -> None:
        """Assert that texts with mistakes are refused with a message, or can be played to the end.

        People write positions by hand.
        """
        refused = played = 0
        while played < number:
            try:
                state = self.system.position_from_text(
                    spoil(self.system.position_to_text(self.midgame(rng)), rng)
                )
            except InvalidPosition as refusal:
                assert str(refusal)
                refused += 1
                continue
            played += 1
            while moves := self.system.legal_moves(state):
                self.system.apply(state, rng.choice(moves))
                assert self.system.invariants(state) == []
            assert state.ended
        assert refused > number / 3
