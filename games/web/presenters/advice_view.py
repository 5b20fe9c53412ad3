"""What a computer opponent advises, in words."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

# A space that keeps the number and its sign on one line.
_SPACE = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True)
class Advice:
    """`order` is the move as its button says it, `why` some sentences with the numbers behind it.

    `answer` holds the values of the decision's fields, joined by commas, "" when there are none to fill in.
    """

    order: str
    why: str
    answer: str


def percent(share: float) -> str:
    """A share from 0 to 1 in per cent: "41 %"; neither everything nor nothing unless it is just that."""
    rounded = round(100 * share)
    if rounded == 0 and share > 0:
        return _("less than {percent}").format(percent=f"1{_SPACE}%")
    if rounded == 100 and share < 1:
        return _("more than {percent}").format(percent=f"99{_SPACE}%")
    return f"{rounded}{_SPACE}%"
