"""Names: what they look like, who may take which, and what becomes of one that is given up."""

from datetime import timedelta
from threading import Barrier, Thread

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from accounts.membership.name_changes import rename
from accounts.models import ReleasedName, User
from accounts.names import lookalikes
from accounts.names.lookalikes import skeleton

PASSWORD = "a long enough secret"

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


def sign_up(client, name, **fields):
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD, "consent": "on", **fields}
    return client.post("/accounts/signup/", form)


@pytest.fixture
def marta(db):
    return User.objects.create_user("marta", "marta@example.org", PASSWORD)


# -- Look-alikes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("one, other", LOOK_ALIKES)
def test_names_that_look_alike_have_one_skeleton(one, other):
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize("one, other", DIFFERENT)
def test_names_that_differ_have_two(one, other):
    assert skeleton(one) != skeleton(other)


@pytest.mark.parametrize("taken, wanted", LOOK_ALIKES)
def test_a_name_that_looks_like_a_taken_one_is_refused(client, db, taken, wanted):
    User.objects.create_user(taken)
    answer = sign_up(client, wanted)
    assert answer.status_code == 200
    assert answer.context["form"].errors["username"]
    assert User.objects.count() == 1


@pytest.mark.parametrize("taken, wanted", DIFFERENT)
def test_another_name_is_free(client, db, taken, wanted):
    User.objects.create_user(taken)
    assert sign_up(client, wanted).status_code == 302


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("m\u0430rta", id="a Cyrillic letter"),
        pytest.param("marta\u202e", id="turned round"),
        pytest.param("mar\u200bta", id="zero width"),
        pytest.param("\uff4d\uff41\uff52\uff54\uff41", id="full width"),
        pytest.param("ma\u0301rta", id="an accent"),
    ],
)
def test_letters_from_elsewhere_are_refused(client, db, name):
    assert sign_up(client, name).status_code == 200
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "name", ["admin", "Adm1n", "m0derator", "rnoderator", "system", "Acquire", "guest", "Guest_9"]
)
def test_the_names_of_the_site_are_for_nobody(client, db, name):
    assert sign_up(client, name).status_code == 200
    assert not User.objects.exists()


@pytest.mark.parametrize("name", ["former-guest-2345", "formerguest2345", "former_player_22", "F0rmerP1ayer"])
def test_nobody_passes_for_an_account_that_was_given_up(client, db, name):
    assert sign_up(client, name).status_code == 200
    assert not User.objects.exists()


def test_names_can_be_kept_back_by_others(client, db, monkeypatch):
    monkeypatch.setattr(lookalikes, "_kept_back", set(lookalikes._kept_back))
    lookalikes.reserve("Rollo")
    assert sign_up(client, "r0l1o").status_code == 200
    assert not User.objects.exists()


# -- Stored ----------------------------------------------------------------------------------------


def test_the_database_itself_refuses_a_look_alike(marta):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(username="rnarta")


def test_the_skeleton_follows_the_name_however_a_row_is_written(db):
    [made] = User.objects.bulk_create([User(username="Vilma")])
    assert User.objects.get().skeleton == skeleton("vilma")
    made = User.objects.get()
    made.username = "Wilma"
    made.save(update_fields=["username"])
    assert User.objects.get().skeleton == skeleton("wilma")


def test_in_the_admin_a_look_alike_is_a_fault_of_the_form(admin_client, marta):
    theo = User.objects.create_user("theo")
    page = f"/admin/accounts/user/{theo.pk}/change/"
    answer = admin_client.post(page, {"username": "rnarta", "email": "", "is_active": "on"})
    assert answer.status_code == 200
    assert "looks like" in answer.content.decode()


@pytest.mark.django_db(transaction=True)
def test_of_many_who_want_look_alikes_at_once_one_gets_the_name():
    wanted = ["wilma", "vvilma", "WILMA", "vviIma"]
    start, made = Barrier(4), []

    def take(name):
        try:
            start.wait()
            made.append(User.objects.create_user(name))
        except IntegrityError:
            pass
        finally:
            connection.close()

    threads = [Thread(target=take, args=[name]) for name in wanted]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == User.objects.count() == 1


# -- Another name ----------------------------------------------------------------------------------


def test_a_member_takes_another_name(marta):
    rename(marta, "theo")
    marta.refresh_from_db()
    assert (marta.username, marta.skeleton) == ("theo", skeleton("theo"))


def test_a_name_that_was_given_up_is_nobodys_for_thirty_days(client, marta, time_machine):
    time_machine.move_to(timezone.now())
    rename(marta, "theo")
    assert sign_up(client, "rnarta").status_code == 200
    time_machine.shift(timedelta(days=29))
    assert sign_up(client, "marta").status_code == 200
    time_machine.shift(timedelta(days=2))
    assert sign_up(client, "marta").status_code == 302


def test_a_member_can_have_the_own_name_back(marta):
    rename(marta, "theo")
    rename(marta, "marta")
    assert User.objects.get().username == "marta"
    assert [freed.skeleton for freed in ReleasedName.objects.all()] == [skeleton("theo")]


def test_a_member_may_write_the_own_name_in_another_way(marta):
    rename(marta, "Marta")
    assert User.objects.get().username == "Marta"
    assert not ReleasedName.objects.exists()


@pytest.mark.parametrize("name", ["theo", "THE0", "admin", "x", "Guest-2345"])
def test_a_member_does_not_get_a_name_that_is_not_free(marta, name):
    User.objects.create_user("theo")
    with pytest.raises(ValidationError):
        rename(marta, name)
    marta.refresh_from_db()
    assert marta.username == "marta"


def test_a_name_taken_at_the_last_moment_is_refused(marta, monkeypatch):
    User.objects.create_user("theo")
    monkeypatch.setattr("accounts.membership.name_changes.check_name", lambda name, by: None)
    with pytest.raises(ValidationError, match="taken"):
        rename(marta, "theo")
    assert marta.username == "marta"
    assert not ReleasedName.objects.exists()
