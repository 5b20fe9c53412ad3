"""A bot's advice as shown on the page."""

from dataclasses import dataclass

from django.utils.translation import gettext as _


@dataclass(frozen=True, slots=True)
class Advice:
    """A bot's advice: `order` is the move as on its button, `why` some sentences with numbers.

    `answer` holds the values of the decision's fields, joined by commas, "" when there are no fields.
    """

    order: str
    why: str
    answer: str


def percent(share: float) -> str:
    """A share from 0 to 1 in per cent: "41%"; 0% and 100% only when exact."""
    rounded = round(100 * share)
    if rounded == 0 and share > 0:
        return _("under {percent}").format(percent="1%")
    if rounded == 100 and share < 1:
        return _("over {percent}").format(percent="99%")
    return f"{rounded}%"
