"""Names: look-alikes, reserved names, and names that were given up."""

from datetime import timedelta
from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.membership.name_changes import rename
from accounts.models import ReleasedName, User
from accounts.names import lookalikes
from accounts.names.lookalikes import skeleton
from tests.support.members import sign_up
from tests.support.simultaneous_calls import at_once

LOOK_ALIKES = [
    ("marta", "MARTA"),
    ("oslo", "0sl0"),
    ("lima", "1ima"),
    ("lima", "Iima"),
    ("bill", "biii"),
    ("modern", "modem"),
    ("vvilma", "wilma"),
    ("wv_", "vw_"),
    ("sam5", "sams"),
    ("zoe2", "zoez"),
    ("b8b", "8bB"),
    ("a-b", "a_b"),
    ("a-b", "a--_b"),
    ("marta", "marta_"),
    ("marta", "-marta-"),
]
DIFFERENT = [("marta", "martha"), ("anna", "ana"), ("a-b", "ab0"), ("player1", "player3"), ("nora", "mora")]


# -- Look-alikes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("one, other", LOOK_ALIKES)
def test_look_alikes_share_skeleton(one, other):
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize("one, other", DIFFERENT)
def test_different_names_have_different_skeletons(one, other):
    assert skeleton(one) != skeleton(other)


@pytest.mark.parametrize("taken, wanted", LOOK_ALIKES)
def test_look_alike_of_taken_name_is_refused(client, db, taken, wanted):
    User.objects.create_user(taken)
    answer = sign_up(client, wanted)
    assert answer.status_code == 200
    assert answer.context["form"].errors["username"]
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    "wanted, refusal",
    [
        ("marta", "This name is taken."),
        ("MARTA", "This name is taken."),
        ("marta_", "This name looks too much like one that is taken."),
    ],
)
def test_admin_and_sign_up_refuse_a_name_with_the_same_words(client, marta, wanted, refusal):
    with pytest.raises(ValidationError) as in_admin:
        User(username=wanted).full_clean()
    assert in_admin.value.message_dict["username"] == [f"{refusal} Choose another one."]
    assert sign_up(client, wanted).context["form"].errors["username"] == [f"{refusal} Choose another one."]


@pytest.mark.parametrize("taken, wanted", DIFFERENT)
def test_different_name_is_accepted(client, db, taken, wanted):
    User.objects.create_user(taken)
    assert sign_up(client, wanted).status_code == 302


@pytest.mark.parametrize(
    "name",
    [
        *("ab", "a" * 21, "two words", "semi;colon", "zoë", "marta\u200b", "a\nb"),
        pytest.param("m\u0430rta", id="a Cyrillic letter"),
        pytest.param("marta\u202e", id="turned round"),
        pytest.param("mar\u200bta", id="zero width"),
        pytest.param("\uff4d\uff41\uff52\uff54\uff41", id="full width"),
        pytest.param("ma\u0301rta", id="an accent"),
        *("admin", "Adm1n", "m0derator", "rnoderator", "system", "Acquire", "guest", "Guest_9"),
        *("former-guest-2345", "formerguest2345", "former_player_22", "F0rmerP1ayer"),
    ],
)
def test_malformed_or_reserved_name_is_refused(client, db, name):
    assert sign_up(client, name).status_code == 200
    assert not User.objects.exists()


def test_further_names_can_be_reserved(client, db, monkeypatch):
    monkeypatch.setattr(lookalikes, "_kept_back", set(lookalikes._kept_back))
    lookalikes.reserve("Rollo")
    assert sign_up(client, "r0l1o").status_code == 200
    assert not User.objects.exists()


# -- Stored ----------------------------------------------------------------------------------------


def test_database_refuses_look_alike(marta):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(username="rnarta")


def test_skeleton_follows_name(db):
    [made] = User.objects.bulk_create([User(username="Vilma")])
    assert User.objects.get().skeleton == skeleton("vilma")
    made = User.objects.get()
    made.username = "Wilma"
    made.save(update_fields=["username"])
    assert User.objects.get().skeleton == skeleton("wilma")


@pytest.mark.django_db(transaction=True)
def test_concurrent_look_alikes_make_one_account():
    wanted = ["wilma", "vvilma", "WILMA", "vviIma"]
    results = at_once(*[partial(User.objects.create_user, name) for name in wanted])
    assert sorted(type(result).__name__ for result in results) == ["IntegrityError"] * 3 + ["User"]
    assert User.objects.count() == 1


# -- Renaming --------------------------------------------------------------------------------------


def test_member_is_renamed(marta):
    rename(marta, "theo")
    marta.refresh_from_db()
    assert (marta.username, marta.skeleton) == ("theo", skeleton("theo"))


def test_given_up_name_is_reserved_for_thirty_days(client, marta, time_machine):
    time_machine.move_to(timezone.now())
    rename(marta, "theo")
    assert sign_up(client, "rnarta").status_code == 200
    time_machine.shift(timedelta(days=29))
    assert sign_up(client, "marta").status_code == 200
    time_machine.shift(timedelta(days=2))
    assert sign_up(client, "marta").status_code == 302


def test_member_can_take_own_name_back(marta):
    rename(marta, "theo")
    rename(marta, "marta")
    assert User.objects.get().username == "marta"
    assert [freed.skeleton for freed in ReleasedName.objects.all()] == [skeleton("theo")]


def test_member_can_change_case_of_own_name(marta):
    rename(marta, "Marta")
    assert User.objects.get().username == "Marta"
    assert not ReleasedName.objects.exists()


@pytest.mark.parametrize("name", ["theo", "THE0", "admin", "x", "Guest-2345"])
def test_unavailable_name_is_refused(marta, name):
    User.objects.create_user("theo")
    with pytest.raises(ValidationError):
        rename(marta, name)
    marta.refresh_from_db()
    assert marta.username == "marta"


def test_name_taken_meanwhile_is_refused(marta, monkeypatch):
    User.objects.create_user("theo")
    monkeypatch.setattr("accounts.membership.name_changes.check_name", lambda name, by: None)
    with pytest.raises(ValidationError, match="taken"):
        rename(marta, "theo")
    assert marta.username == "marta"
    assert not ReleasedName.objects.exists()
