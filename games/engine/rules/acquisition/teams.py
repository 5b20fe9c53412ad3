"""Teams: there are none, everybody plays alone."""

from games.engine.rules.acquisition.rule_options import SEATS, Rules


def seat_counts(rules: Rules) -> tuple[int, ...]:
    """The numbers of players that these rules are for."""
    return tuple(SEATS)


def teams(rules: Rules, seats: int) -> tuple[tuple[int, ...], ...]:
    """The seats of each team: no teams."""
    return ()


def partners(rules: Rules, seats: int, seat: int) -> tuple[int, ...]:
    """The seats that play with this one: it alone."""
    return (seat,)
