"""Hypothesis test: any sequence of moves, refusals, round trips and observations keeps the state sound."""

import json
from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.engine.rules.acquire import rule_system as acquire_rule_system
from games.engine.rules.acquire.moves import MOVES, Move
from games.engine.rules.acquire.rule_options import OPTIONS, from_options
from games.engine.rules.acquire.state import State
from games.engine.rules.rule_errors import IllegalMove
from tests.support.proof import examples

RULES = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in OPTIONS.items()})


class Game(RuleBasedStateMachine):
    state: State

    @initialize(
        options=RULES,
        seats=st.sampled_from(acquire_rule_system.SEATS),
        seed=st.binary(min_size=32, max_size=32),
    )
    def deal(self, options: dict[str, object], seats: int, seed: bytes) -> None:
        self.state = acquire_rule_system.deal(from_options(options), seats, seed)

    def running(self) -> bool:
        return acquire_rule_system.decider(self.state) is not None

    @precondition(running)
    @rule(choice=st.floats(0, 1, exclude_max=True), times=st.integers(1, 12))
    def move(self, choice: float, times: int) -> None:
        for _ in range(times):
            if moves := acquire_rule_system.legal_moves(self.state):
                assert acquire_rule_system.play(self.state, moves[int(choice * len(moves))])

    @rule(move=st.sampled_from(MOVES))
    def ask(self, move: Move) -> None:
        before = acquire_rule_system.state_to_json(self.state)
        try:
            acquire_rule_system.check_move(self.state, move)
        except IllegalMove as refusal:
            assert move not in acquire_rule_system.legal_moves(self.state)
            assert refusal.reason
        else:
            assert move in acquire_rule_system.legal_moves(self.state)
        assert acquire_rule_system.state_to_json(self.state) == before

    @rule()
    def store(self) -> None:
        record = acquire_rule_system.state_to_json(self.state)
        self.state = acquire_rule_system.state_from_json(json.loads(json.dumps(record)))
        assert acquire_rule_system.state_to_json(self.state) == record

    @rule()
    def write_down(self) -> None:
        record = acquire_rule_system.state_to_json(self.state)
        self.state = acquire_rule_system.position_from_text(acquire_rule_system.position_to_text(self.state))
        assert acquire_rule_system.state_to_json(self.state) == record

    @precondition(running)
    @rule(choice=st.floats(0, 1, exclude_max=True))
    def try_out(self, choice: float) -> None:
        before = acquire_rule_system.state_to_json(self.state)
        copy = self.state.copy()
        moves = acquire_rule_system.legal_moves(copy)
        acquire_rule_system.apply(copy, moves[int(choice * len(moves))])
        assert acquire_rule_system.state_to_json(self.state) == before

    @rule(chance=st.integers(0, 1000))
    def observe(self, chance: int) -> None:
        for seat in (None, *range(self.state.seats)):
            seen = acquire_rule_system.observe(self.state, seat, memory=True)
            made = acquire_rule_system.sample_state(seen, Random(chance))
            assert acquire_rule_system.invariants(made) == []
            assert acquire_rule_system.observe(made, seat, memory=True) == seen

    @invariant()
    def sound(self) -> None:
        if hasattr(self, "state"):
            assert acquire_rule_system.invariants(self.state) == []
            assert bool(acquire_rule_system.legal_moves(self.state)) == self.running()


TestGame = Game.TestCase
TestGame.settings = settings(max_examples=examples(20, 80), stateful_step_count=80, deadline=None)
