"""Which coach mark a user is shown, and which have been read."""

import json
import zipfile
from io import BytesIO

import pytest

from accounts.membership.account_deletion import delete_account
from accounts.models import User
from accounts.privacy.account_data import personal_data_zip
from games.lessons.acquire.coach_moments import MOMENTS
from games.lessons.coach_marks import is_coached, mark_read, next_mark, show_all_again

pytestmark = pytest.mark.django_db


def again(user: User) -> User:
    return User.objects.get(pk=user.pk)


def test_newcomer_is_coached_until_a_game_is_finished(alice: User) -> None:
    assert is_coached(alice, has_finished=False)
    assert not is_coached(alice, has_finished=True)


@pytest.mark.parametrize("has_finished", [True, False])
def test_choice_decides_whatever_was_played(alice: User, has_finished: bool) -> None:
    alice.coach_marks = User.CoachMarks.ON
    assert is_coached(alice, has_finished=has_finished)
    alice.coach_marks = User.CoachMarks.OFF
    assert not is_coached(alice, has_finished=has_finished)


def test_read_mark_gives_way_to_the_next(alice: User) -> None:
    assert next_mark(alice, ["place", "chain"]) == "place"
    mark_read(alice, "place")
    assert next_mark(alice, ["place", "chain"]) == next_mark(again(alice), ["place", "chain"]) == "chain"
    mark_read(alice, "chain")
    assert next_mark(again(alice), ["place", "chain"]) == ""


def test_pages_that_do_not_know_of_each_other_lose_no_mark(alice: User) -> None:
    here, there = again(alice), again(alice)
    mark_read(here, "place")
    mark_read(there, "buy")
    mark_read(there, "place")
    assert sorted(again(alice).read_coach_marks.split()) == ["buy", "place"]


def test_all_marks_can_be_read(alice: User) -> None:
    for name in MOMENTS:
        mark_read(alice, name)
    assert again(alice).read_coach_marks.split() == list(MOMENTS)
    again(alice).full_clean(exclude=["password"])


@pytest.mark.parametrize("name", ["", "nothing", "place buy", "x" * 5000])
def test_unknown_mark_is_ignored(alice: User, name: str) -> None:
    mark_read(alice, name)
    assert again(alice).read_coach_marks == ""


def test_marks_are_shown_again_to_nobody_else(alice: User, bob: User) -> None:
    for user in (alice, bob):
        mark_read(user, "place")
    show_all_again(alice)
    assert next_mark(alice, ["place"]) == "place"
    assert next_mark(again(bob), ["place"]) == ""


def test_export_has_the_choice_and_what_was_read(alice: User) -> None:
    mark_read(alice, "place")
    with zipfile.ZipFile(BytesIO(personal_data_zip(again(alice)))) as files:
        account = json.loads(files.read("account.json"))
    assert account["coach_marks"] == "first game"
    assert account["read_coach_marks"] == "place "


def test_deleted_account_keeps_no_mark(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(coach_marks="off", read_coach_marks="place ")
    delete_account(again(alice))
    left = User.objects.filter(pk=alice.pk).first()
    assert left is None or (left.coach_marks, left.read_coach_marks) == ("first game", "")
