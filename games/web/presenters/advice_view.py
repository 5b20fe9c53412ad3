"""A bot's advice as shown on the page."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

# Keeps the number and the per cent sign on one line.
_SPACE = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True)
class Advice:
    """A bot's advice: `order` is the move as on its button, `why` some sentences with numbers.

    `answer` holds the values of the decision's fields, joined by commas, "" when there are no fields.
    """

    order: str
    why: str
    answer: str


def percent(share: float) -> str:
    """A share from 0 to 1 in per cent: "41 %"; 0 % and 100 % only when exact."""
    rounded = round(100 * share)
    if rounded == 0 and share > 0:
        return _("less than {percent}").format(percent=f"1{_SPACE}%")
    if rounded == 100 and share < 1:
        return _("more than {percent}").format(percent=f"99{_SPACE}%")
    return f"{rounded}{_SPACE}%"
