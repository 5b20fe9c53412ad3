"""Why staff cannot do something, each with the sentence that says so."""

from collections.abc import Sequence


class ActionRefused(Exception):
    """It cannot be done now, as things are."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class NotForYou(ActionRefused):
    """This person may not do it, or not here."""


class MovedOn(ActionRefused):
    """What it is about is not any more what it was when this person was shown what will happen."""


class WrongInput(ActionRefused):
    """Something that was filled in is missing or makes no sense; `field` names it.

    `others` are further things that are wrong with the same form.
    """

    def __init__(self, sentence: str, field: str, others: Sequence["WrongInput"] = ()) -> None:
        super().__init__(sentence)
        self.field = field
        self.others = others

    @property
    def all(self) -> list["WrongInput"]:
        """All that is wrong, each with its field and its sentence."""
        return [self, *self.others]
