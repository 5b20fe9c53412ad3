"""Shares of the win in points."""

MINUS = "−"


def win_points(share: float) -> str:
    """A share of the win in points, of which 100 make a whole win: "4.2"."""
    return f"{100 * share:.1f}".replace("-", MINUS)
