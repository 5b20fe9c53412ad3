"""Every refusal has a status and a message of its own."""

import inspect
import pkgutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any

import pytest
from django.utils.translation import gettext_lazy

import accounts
import games
from accounts.models.sanction import NO_END
from accounts.refusals import (
    ActionNotAllowed,
    AppealRejected,
    InvalidToken,
    Refusal,
    RegistrationClosed,
    TargetChanged,
)
from games.archive.import_errors import ImportFault
from games.models import Note
from games.refusals import (
    LimitReached,
    Muted,
    Paused,
    Suspended,
    TableFull,
    TooManyGames,
    TooManyInvitations,
    TooManyMoves,
)
from games.web.api.public.api_response import Problem

RAISED_WITH_MESSAGE = {
    TargetChanged,
    AppealRejected,
    InvalidToken,
    ActionNotAllowed,
    RegistrationClosed,
    Problem,
}

# A value for each parameter of a refusal's constructor.
FACTS: dict[str, Any] = {
    "due": datetime(2031, 5, 3, 14, tzinfo=UTC),
    "field": "seed",
    "last": 7,
    "least": 80,
    "left": 2,
    "most": 3,
    "note": Note(),
    "reason": "Too slow.",
    "sentence": "A message.",
    "until": datetime(2031, 5, 3, 14, tzinfo=UTC),
    "wait": timedelta(seconds=5),
    "wrong": ImportFault.FIELD,
    "year": 2031,
}


def subclasses(of: type[Refusal] = Refusal) -> Iterator[type[Refusal]]:
    """All subclasses of a refusal that the modules of both packages define."""
    for package in (accounts, games):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".migrations" not in module.name:
                import_module(module.name)
    yield from known_subclasses(of)


def known_subclasses(of: type[Refusal]) -> Iterator[type[Refusal]]:
    for subclass in of.__subclasses__():
        if subclass.__module__.startswith(("accounts.", "games.")) and subclass is not LimitReached:
            yield subclass
        yield from known_subclasses(subclass)


def made(refusal: type[Refusal]) -> Refusal:
    """Construct a refusal of this class from FACTS."""
    if refusal in RAISED_WITH_MESSAGE:
        return refusal("A message.")
    if refusal.__init__ is Exception.__init__:
        return refusal()
    parameters = list(inspect.signature(refusal).parameters.values())
    required = [one.name for one in parameters if one.default is one.empty]
    return refusal(**{name: FACTS[name] for name in required})


def problems(refusal: type[Refusal]) -> list[str]:
    """Return the faults in the class of a refusal, in words."""
    name = refusal.__name__
    own = vars(refusal).get("message") or vars(refusal).get("sentence")
    if refusal not in RAISED_WITH_MESSAGE and own is None:
        return [f"{name} has no message of its own"]
    if isinstance(own, str):
        return [f"{name} has a message that is not translated when it is read"]
    error, found = made(refusal), []
    if not 400 <= error.status <= 599:
        found.append(f"{name} has the status {error.status}")
    text = str(error.message)
    if not text.strip() or "{" in text:
        found.append(f"{name} has the message {text!r}")
    return found


@pytest.mark.django_db
def test_every_refusal_has_status_and_message() -> None:
    found = list(subclasses())
    assert len(found) > 70
    assert [problem for refusal in found for problem in problems(refusal)] == []


def test_refusals_stand_in_the_modules_of_refusals() -> None:
    homes = {
        "accounts.refusals",
        "games.refusals",
        "games.archive.import_errors",
        "games.web.api.public.api_response",
    }
    assert {refusal.__module__ for refusal in subclasses()} == homes


def test_planted_refusals_are_found() -> None:
    class Planted(Refusal):
        """A refusal without a message."""

    class PlantedBelow(Paused):
        """A refusal with the message of another one."""

    class PlantedInEnglish(Refusal):
        message = "All seats are taken. Choose another game in the lobby."

    class PlantedEmpty(Refusal):
        message = gettext_lazy(" ")

    class PlantedSuccess(TableFull):
        status = 200
        message = gettext_lazy("All is well.")

    assert problems(Planted) == ["Planted has no message of its own"]
    assert problems(PlantedBelow) == ["PlantedBelow has no message of its own"]
    assert problems(PlantedInEnglish) == [
        "PlantedInEnglish has a message that is not translated when it is read"
    ]
    assert problems(PlantedEmpty) == ["PlantedEmpty has the message ' '"]
    assert problems(PlantedSuccess) == ["PlantedSuccess has the status 200"]


def test_retry_after_is_rounded_up() -> None:
    assert TooManyInvitations(40, timedelta(seconds=1.2)).retry_after == 2
    assert TooManyMoves(timedelta(0)).retry_after == 1
    assert TableFull().retry_after == 0


def test_limit_of_one_is_singular() -> None:
    assert TooManyGames(1).message == "You have 1 unfinished game, which is the limit. Finish it first."
    assert TooManyGames(2).message == "You have 2 unfinished games, which is the limit. Finish one first."


def test_sanction_without_an_end_names_no_date() -> None:
    day = datetime(2031, 5, 3, 14, tzinfo=UTC)
    assert Suspended(day).message.startswith("You are suspended until 3 May 2031, ")
    assert Suspended(NO_END).message == "You are banned. Log in again to see why."
    assert Muted(day).message.startswith("You are muted until 3 May 2031, ")
    assert Muted(NO_END).message == "You are muted. To see why, open “Account status” in your menu."
