"""Hypothesis test: any sequence of moves, refusals, round trips and observations keeps the state sound."""

import json
from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.rules import acquire
from games.rules.acquire import OPTIONS, from_options
from games.rules.errors import IllegalMove

RULES = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in OPTIONS.items()})


class Game(RuleBasedStateMachine):
    state: acquire.State

    @initialize(options=RULES, seats=st.sampled_from(acquire.SEATS), seed=st.binary(min_size=32, max_size=32))
    def deal(self, options: dict[str, object], seats: int, seed: bytes) -> None:
        self.state = acquire.deal(from_options(options), seats, seed)

    def running(self) -> bool:
        return acquire.decider(self.state) is not None

    @precondition(running)
    @rule(choice=st.floats(0, 1, exclude_max=True), times=st.integers(1, 12))
    def move(self, choice: float, times: int) -> None:
        for _ in range(times):
            if moves := acquire.legal_moves(self.state):
                assert acquire.play(self.state, moves[int(choice * len(moves))])

    @rule(move=st.sampled_from(acquire.MOVES))
    def ask(self, move: acquire.Move) -> None:
        before = acquire.to_json(self.state)
        try:
            acquire.check(self.state, move)
        except IllegalMove as refusal:
            assert move not in acquire.legal_moves(self.state)
            assert refusal.reason
        else:
            assert move in acquire.legal_moves(self.state)
        assert acquire.to_json(self.state) == before

    @rule()
    def store(self) -> None:
        record = acquire.to_json(self.state)
        self.state = acquire.from_json(json.loads(json.dumps(record)))
        assert acquire.to_json(self.state) == record

    @rule()
    def write_down(self) -> None:
        record = acquire.to_json(self.state)
        self.state = acquire.position_from_text(acquire.position_to_text(self.state))
        assert acquire.to_json(self.state) == record

    @precondition(running)
    @rule(choice=st.floats(0, 1, exclude_max=True))
    def try_out(self, choice: float) -> None:
        before = acquire.to_json(self.state)
        copy = self.state.copy()
        moves = acquire.legal_moves(copy)
        acquire.apply(copy, moves[int(choice * len(moves))])
        assert acquire.to_json(self.state) == before

    @rule(chance=st.integers(0, 1000))
    def observe(self, chance: int) -> None:
        for seat in (None, *range(self.state.seats)):
            seen = acquire.observe(self.state, seat, memory=True)
            made = acquire.determinize(seen, Random(chance))
            assert acquire.invariants(made) == []
            assert acquire.observe(made, seat, memory=True) == seen

    @invariant()
    def sound(self) -> None:
        if hasattr(self, "state"):
            assert acquire.invariants(self.state) == []
            assert bool(acquire.legal_moves(self.state)) == self.running()


TestGame = Game.TestCase
TestGame.settings = settings(max_examples=80, stateful_step_count=80, deadline=None)
