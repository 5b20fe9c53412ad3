"""Why staff cannot do something, each with the sentence that says so."""


class ActionRefused(Exception):
    """It cannot be done now, as things are."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class NotForYou(ActionRefused):
    """This person may not do it, or not here."""


class WrongInput(ActionRefused):
    """Something that was filled in is missing or makes no sense; `field` names it."""

    def __init__(self, sentence: str, field: str) -> None:
        super().__init__(sentence)
        self.field = field
