"""Page of a staff action: form, preview, confirmation."""

from dataclasses import replace

import pytest
import time_machine
from django.contrib.auth.models import Permission

from accounts.models import AuditEntry, User
from accounts.moderation.action_forms import ActionForm, ChoiceField, NumberField
from accounts.moderation.staff_actions import Action
from accounts.refusals import Refusal
from accounts.web.moderation.member_admin import UserAdmin
from tests.support import wording
from tests.support.staff_actions import hidden_fields, shown_for

pytestmark = pytest.mark.django_db


class MoveForm(ActionForm):
    zone = ChoiceField(label="Zone")
    hours = NumberField(label="Hours", required=False, max_value=48)

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.set_choices("zone", [("Europe/Berlin", f"Berlin for {self.target}")])


def move(target, *, by, reason, zone, hours):
    if hours == 13:
        raise Refusal("Thirteen brings bad luck.")
    User.objects.filter(pk=target.pk).update(time_zone=zone)


MOVE = Action(
    name="move",
    label="Move",
    permission="accounts.manage_member",
    form_class=MoveForm,
    perform=move,
    sentence="Puts the member into another time zone.",
    against=lambda target: None if target.is_active else "The account is closed.",
    bars=lambda target, by: "Leave yourself to others." if target == by else None,
    foresee=lambda target, zone, hours: f"{target} will live in {zone}.",
)


@pytest.fixture(autouse=True)
def _one_action(monkeypatch):
    monkeypatch.setattr(UserAdmin, "acts", {"move": MOVE})


@pytest.fixture
def vera():
    vera = User.objects.create_user("vera", is_staff=True)
    vera.user_permissions.set(Permission.objects.filter(codename__in=["manage_member", "view_user"]))
    return vera


@pytest.fixture
def desk(client, vera):
    client.force_login(vera)
    return client


FILLED_IN = {"zone": "Europe/Berlin", "hours": "5", "reason": "They <b>moved</b>."}


def address(target, name="move"):
    return f"/admin/accounts/user/{target.pk}/act/{name}/"


def hidden(page):
    """The hidden fields of the page of an action."""
    return hidden_fields(page.content.decode())


def zone_of(user):
    return User.objects.get(pk=user.pk).time_zone


def test_action_asks_previews_and_acts(desk, marta):
    asked = desk.get(address(marta)).content.decode()
    assert "Puts the member into another time zone." in asked
    assert "Berlin for marta" in asked
    shown = shown_for(desk, address(marta), FILLED_IN)
    assert "marta will live in Europe/Berlin." in shown.content.decode()
    assert "They &lt;b&gt;moved&lt;/b&gt;." in shown.content.decode()
    assert (zone_of(marta), AuditEntry.objects.count()) == ("", 0)
    done = desk.post(address(marta), {**FILLED_IN, **hidden(shown), "confirm": "Do it"})
    assert (done.status_code, done.headers["Location"]) == (302, f"/admin/accounts/user/{marta.pk}/change/")
    assert zone_of(marta) == "Europe/Berlin"
    assert AuditEntry.objects.get().details == {"zone": "Europe/Berlin", "hours": 5}


def test_confirmation_sent_twice_acts_once(desk, marta):
    sure = {**FILLED_IN, **hidden(shown_for(desk, address(marta), FILLED_IN)), "confirm": "Do it"}
    assert [desk.post(address(marta), sure).status_code for _ in range(2)] == [302, 302]
    assert AuditEntry.objects.count() == 1


def test_repeated_confirmation_succeeds_after_action_is_withdrawn(desk, marta, monkeypatch):
    once = replace(MOVE, against=lambda target: "They live there." if target.time_zone else None)
    monkeypatch.setattr(UserAdmin, "acts", {"move": once})
    sure = {**FILLED_IN, **hidden(shown_for(desk, address(marta), FILLED_IN)), "confirm": "Do it"}
    assert [desk.post(address(marta), sure).status_code for _ in range(2)] == [302, 302]


def test_confirmation_without_preview_shows_preview(desk, marta):
    page = desk.post(address(marta), {**FILLED_IN, "confirm": "Do it"}, follow=True)
    assert wording.WHAT_WILL_HAPPEN in page.content.decode()
    assert zone_of(marta) == ""


def test_page_with_a_preset_says_at_once_what_will_happen_and_can_be_changed(desk, marta):
    page = desk.get(f"{address(marta)}?zone=Europe/Berlin&hours=5")
    assert "marta will live in Europe/Berlin." in page.content.decode()
    sure = {"zone": "Europe/Berlin", "hours": "6", "reason": "They moved.", "confirm": "Do it"}
    desk.post(address(marta), {**sure, **hidden(page)})
    assert AuditEntry.objects.get().details["hours"] == 6


def test_change_of_what_will_happen_is_shown_before_anything_is_done(desk, marta, monkeypatch):
    told = replace(MOVE, foresee=lambda target, zone, hours: f"They sleep for {hours} hours.")
    monkeypatch.setattr(UserAdmin, "acts", {"move": told})
    page = shown_for(desk, address(marta), FILLED_IN)
    assert "They sleep for 5 hours." in page.content.decode()
    other = {**FILLED_IN, "hours": "6"}
    again = desk.post(address(marta), {**other, **hidden(page), "confirm": "Do it"}, follow=True)
    assert wording.NOTHING_DONE_YET in again.content.decode()
    assert "They sleep for 6 hours." in again.content.decode()
    assert not AuditEntry.objects.exists()
    desk.post(address(marta), {**other, **hidden(again), "confirm": "Do it"})
    assert AuditEntry.objects.get().details["hours"] == 6


def test_what_was_entered_is_there_again_after_back(desk, marta):
    shown_for(desk, address(marta), FILLED_IN)
    back = desk.get(address(marta)).content.decode()
    assert 'value="5"' in back and "They &lt;b&gt;moved&lt;/b&gt;." in back
    assert "They &lt;b&gt;moved" not in desk.get(f"{address(marta)}?hours=5").content.decode()


def test_what_was_entered_is_forgotten_when_it_is_done_or_left(desk, marta):
    page = shown_for(desk, address(marta), FILLED_IN)
    desk.post(address(marta), {**FILLED_IN, **hidden(page), "confirm": "Do it"})
    assert "moved" not in desk.get(address(marta)).content.decode()
    shown_for(desk, address(marta), FILLED_IN)
    desk.get(f"/admin/accounts/user/{marta.pk}/change/")
    assert "moved" not in desk.get(address(marta)).content.decode()


def test_what_was_entered_is_forgotten_after_a_quarter_of_an_hour(desk, marta):
    with time_machine.travel("2031-05-17T12:00Z", tick=False) as clock:
        shown_for(desk, address(marta), FILLED_IN)
        clock.shift(16 * 60)
        assert "moved" not in desk.get(address(marta)).content.decode()


def test_sent_form_is_answered_by_a_redirect_whatever_comes_of_it(desk, marta):
    for sent in (FILLED_IN, {}, {**FILLED_IN, "zone": "Nowhere"}):
        assert desk.post(address(marta), sent).status_code == 302
    page = shown_for(desk, address(marta), {**FILLED_IN, "hours": "13"})
    sure = {**FILLED_IN, "hours": "13", **hidden(page), "confirm": "Do it"}
    assert desk.post(address(marta), sure).status_code == 302


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"hours": "99"}, wording.WHOLE_NUMBER_EXPECTED.format(field="Hours", least=0, most=48)),
        ({"reason": " "}, wording.ENTER_A_REASON),
        ({"zone": ""}, "Enter “Zone”."),
    ],
)
def test_invalid_form_keeps_input(desk, marta, wrong, sentence):
    page = shown_for(desk, address(marta), {**FILLED_IN, **wrong})
    assert page.status_code == 422
    assert sentence in page.content.decode()
    assert ("They &lt;b&gt;moved" in page.content.decode()) == ("reason" not in wrong)


def test_all_missing_fields_are_named_at_once(desk, marta):
    page = shown_for(desk, address(marta), {})
    assert page.status_code == 422
    told = page.content.decode()
    assert "Enter “Zone”." in told and wording.ENTER_A_REASON in told
    assert told.count("errorlist") == 2


def test_preview_describes_action_once(desk, marta):
    shown = shown_for(desk, address(marta), FILLED_IN).content.decode()
    assert shown.count("Puts the member into another time zone.") == 1
    assert "marta will live in Europe/Berlin." in shown


def test_form_names_readers_of_reason(desk, marta, monkeypatch):
    kept = wording.RECORDED_FOR_STAFF
    assert kept in desk.get(address(marta)).content.decode()
    told = replace(MOVE, read_by="The member reads it word for word.")
    monkeypatch.setattr(UserAdmin, "acts", {"move": told})
    assert f"The member reads it word for word. {kept}" in desk.get(address(marta)).content.decode()


def test_impossible_action_is_explained(desk, marta):
    unlucky = {**FILLED_IN, "hours": "13"}
    sure = {**unlucky, **hidden(shown_for(desk, address(marta), unlucky)), "confirm": "Do it"}
    User.objects.filter(pk=marta.pk).update(is_active=False)
    for page in (desk.get(address(marta)), shown_for(desk, address(marta), FILLED_IN)):
        assert (page.status_code, "The account is closed." in page.content.decode()) == (409, True)
    User.objects.filter(pk=marta.pk).update(is_active=True)
    page = desk.post(address(marta), sure, follow=True)
    assert (page.status_code, "Thirteen brings bad luck." in page.content.decode()) == (409, True)


def test_missing_right_is_explained(desk, vera, marta):
    for page in (desk.get(address(vera)), shown_for(desk, address(vera), FILLED_IN)):
        assert (page.status_code, "Leave yourself to others." in page.content.decode()) == (403, True)
    vera.user_permissions.clear()
    for page in (desk.get(address(marta)), shown_for(desk, address(marta), FILLED_IN)):
        assert (page.status_code, wording.NO_PERMISSION in page.content.decode()) == (
            403,
            True,
        )
    assert zone_of(marta) == ""


def test_member_is_sent_to_staff_login(client, marta):
    client.force_login(marta)
    assert client.get(address(marta)).headers["Location"].startswith("/admin/login/")


def test_unknown_action_and_row_are_not_found(desk, marta):
    assert desk.get(address(marta, "sing")).status_code == 404
    assert desk.get("/admin/accounts/user/999999/act/move/").status_code == 404
    assert desk.put(address(marta)).status_code == 405


def test_row_page_offers_allowed_actions(desk, vera, marta):
    page = desk.get(f"/admin/accounts/user/{marta.pk}/change/").content.decode()
    assert f'href="{address(marta)}"' in page
    own = desk.get(f"/admin/accounts/user/{vera.pk}/change/").content.decode()
    assert ">Move<" in own and ">Leave yourself to others.<" in own
    assert address(vera) not in own
