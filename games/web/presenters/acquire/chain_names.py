"""Names, order and prices of chains for display."""

from collections.abc import Iterable
from dataclasses import dataclass

from games.engine.rules.acquire.chains import CHAIN_BY_NAME, CHAIN_NAMES, STEPS, TIERS, chain_label
from games.engine.rules.acquire.rule_options import Rules


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain for a template: its number, name in moves, label, letter and CSS class."""

    number: int
    name: str
    label: str
    letter: str
    css: str


def chain(rules: Rules, number: int) -> Chain:
    name = CHAIN_NAMES[number]
    label = chain_label(rules.tiers, number)
    return Chain(number, name, label, label[0], f"chain-{name}")


def named(rules: Rules, name: str) -> Chain:
    """The chain with this name, as used in events."""
    return chain(rules, CHAIN_BY_NAME[name])


def label(rules: Rules, number: int) -> str:
    """The displayed name of a chain."""
    return chain_label(rules.tiers, number)


def chain_labels(rules: Rules, numbers: Iterable[int]) -> list[str]:
    return [label(rules, number) for number in numbers]


def tier_order(rules: Rules) -> list[int]:
    """All chains, the dearest tier first: the order of every list of chains."""
    return [CHAIN_BY_NAME[name] for tier in reversed(TIERS[rules.tiers]) for name in tier]


def in_order(rules: Rules, numbers: Iterable[int]) -> list[int]:
    """Sort the chains by tier_order."""
    return sorted(numbers, key=tier_order(rules).index)


def price(rules: Rules, number: int, size: int) -> int:
    """The price of one share of the chain at this size."""
    return rules.prices[number][size]


def next_price(rules: Rules, number: int, size: int) -> tuple[int, int] | None:
    """The next size at which a share costs more, and its price then; None at the top of the chart."""
    return next(((step, rules.prices[number][step]) for step in STEPS if step > size), None)
