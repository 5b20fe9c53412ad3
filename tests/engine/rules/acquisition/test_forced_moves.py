"""Acquisition has no forced moves."""

from random import Random

from games.engine.rules.acquisition import rule_system as acquisition
from games.engine.rules.acquisition.rule_options import Rules


def test_every_decision_has_a_choice() -> None:
    rng = Random(1)
    for seats in acquisition.SEATS:
        state = acquisition.deal(Rules(), seats, rng.randbytes(32))
        while legal := acquisition.legal_moves(state):
            assert len(legal) > 1
            assert acquisition.forced_move(state) is None
            acquisition.apply(state, rng.choice(legal))
