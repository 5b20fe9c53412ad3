"""Hypothesis test: any sequence of moves, refusals, round trips and observations keeps the state sound."""

import json
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.engine.rules.rule_errors import IllegalMove
from tests.engine.rules.acquire.acquire_positions import ACQUIRE
from tests.engine.rules.acquisition.acquisition_positions import ACQUISITION
from tests.engine.rules.game_notation import Notation
from tests.support.proof import examples


def state_machine(notation: Notation) -> Any:
    """The state machine of games of a rule system."""
    system = notation.system
    options = {name: st.sampled_from(values) for name, values in system.OPTIONS.items()}

    class Game(RuleBasedStateMachine):
        state: Any

        @initialize(
            options=st.fixed_dictionaries({}, optional=options),
            data=st.data(),
            seed=st.binary(min_size=32, max_size=32),
        )
        def deal(self, options: dict[str, Any], data: st.DataObject, seed: bytes) -> None:
            rules = system.from_options(options)
            self.state = system.deal(rules, data.draw(st.sampled_from(system.seat_counts(rules))), seed)

        def running(self) -> bool:
            return system.decider(self.state) is not None

        @precondition(running)
        @rule(choice=st.floats(0, 1, exclude_max=True), times=st.integers(1, 12))
        def move(self, choice: float, times: int) -> None:
            for _ in range(times):
                if moves := system.legal_moves(self.state):
                    assert system.play(self.state, moves[int(choice * len(moves))])

        @rule(move=st.sampled_from(notation.moves))
        def ask(self, move: Any) -> None:
            before = system.state_to_json(self.state)
            try:
                system.check_move(self.state, move)
            except IllegalMove as refusal:
                assert move not in system.legal_moves(self.state)
                assert refusal.reason
            else:
                assert move in system.legal_moves(self.state)
            assert system.state_to_json(self.state) == before

        @rule()
        def store(self) -> None:
            record = system.state_to_json(self.state)
            self.state = system.state_from_json(json.loads(json.dumps(record)))
            assert system.state_to_json(self.state) == record

        @rule()
        def write_down(self) -> None:
            record = system.state_to_json(self.state)
            self.state = system.position_from_text(system.position_to_text(self.state))
            assert system.state_to_json(self.state) == record

        @precondition(running)
        @rule(choice=st.floats(0, 1, exclude_max=True))
        def try_out(self, choice: float) -> None:
            before = system.state_to_json(self.state)
            copy = self.state.copy()
            moves = system.legal_moves(copy)
            system.apply(copy, moves[int(choice * len(moves))])
            assert system.state_to_json(self.state) == before

        @rule(chance=st.integers(0, 1000))
        def observe(self, chance: int) -> None:
            for seat in (None, *range(self.state.seats)):
                seen = system.observe(self.state, seat, memory=True)
                made = system.sample_state(seen, Random(chance))
                assert system.invariants(made) == []
                assert system.observe(made, seat, memory=True) == seen

        @invariant()
        def sound(self) -> None:
            if hasattr(self, "state"):
                assert system.invariants(self.state) == []
                assert bool(system.legal_moves(self.state)) == self.running()

    return Game


AcquireGame = state_machine(ACQUIRE)
AnyAcquisitionGame: Any = state_machine(ACQUISITION)


class AcquisitionGame(AnyAcquisitionGame):
    @precondition(AnyAcquisitionGame.running)
    @rule(square=st.integers(0, 143))
    def stay_near(self, square: int) -> None:
        """Place tiles side by side, to make groups that random squares seldom make."""
        moves = ACQUISITION.system.legal_moves(self.state)
        ACQUISITION.system.apply(
            self.state, min(moves, key=lambda move: abs(getattr(move, "square", 0) - square))
        )


TestAcquire = AcquireGame.TestCase
TestAcquire.settings = settings(max_examples=examples(20, 80), stateful_step_count=80)

TestAcquisition = AcquisitionGame.TestCase
TestAcquisition.settings = settings(max_examples=examples(15, 50), stateful_step_count=60)
