"""The seating of a finished game, to be checked."""

from collections.abc import Sequence
from typing import Any

from games.engine.rules.acquisition import rule_system as acquisition
from games.engine.rules.acquisition.position_text import rules_to_text
from games.engine.rules.acquisition.rule_options import Rules


def deal_context(rules: Rules, names: Sequence[str], seed: bytes) -> dict[str, Any]:
    """The context of games/play/deal.html for a finished game; `names` are in the order of seats."""
    order = acquisition.seating(rules, len(names), seed)
    joined = sorted(range(len(names)), key=order.__getitem__)
    return {
        "seats": list(names),
        "joined": [names[seat] for seat in joined],
        "first": names[0],
        "verify_command": (
            f"python manage.py show_deal {seed.hex()} --system acquisition --players {len(names)}"
            f" --rules '{rules_to_text(rules)}'"
        ),
    }
