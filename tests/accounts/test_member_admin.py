"""Members in the admin: what each role sees and may change."""

from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import Group
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import AccessTrace, AuditEntry, User
from accounts.moderation import linked_accounts
from accounts.moderation.sanctions import appeal, impose
from accounts.web.moderation.member_admin import UserAdmin
from games.lobby.game_start import create_game, start_game
from games.lobby.game_terms import GameTerms
from games.lobby.invite import invite_address
from games.models import Game, Invitation
from games.moderation.abuse_reports import report_person
from games.ratings.result_queue import count_results
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import play_to_the_end
from tests.support.staff_actions import hidden_fields, shown_for

pytestmark = pytest.mark.django_db

MOST = 45

BAN_IS_FOR_EVER = "This ban is for ever, unless someone lifts it."


@pytest.fixture
def staff():
    """A function that logs in a member of this staff group, or a superuser; returns the browser."""

    def make(group):
        person = User.objects.create_user(f"of-{group[:6]}", is_staff=True, is_superuser=group == "superuser")
        if not person.is_superuser:
            person.groups.add(Group.objects.get(name=group))
        return client_of(person)

    return make


@pytest.fixture
def manager(staff):
    return staff("Member managers")


def page_of(user):
    return reverse("admin:accounts_user_change", args=[user.pk])


def read(client, url):
    answer = client.get(url)
    assert answer.status_code == 200, answer
    return answer.content.decode()


def share(one, other):
    """Record that both use one browser, from different networks."""
    number = linked_accounts.new_browser_id()
    for place, user in enumerate((one, other)):
        linked_accounts.record_access(user, browser=number, address=f"192.0.2.{place + 1}")


# -- Member page -----------------------------------------------------------------------------------


def test_page_shows_sanctions_and_appeals(manager, marta):
    mute = impose(marta, "mute", reason="Rude <b>words</b>.", by=None)
    appeal(marta, mute.pk, "He began.")
    page = read(manager, page_of(marta))
    for words in ("Rude &lt;b&gt;words&lt;/b&gt;.", "He began.", "Waiting for a reply.", "command line"):
        assert words in page


def test_page_names_linked_accounts_without_marks(manager, marta):
    theo = User.objects.create_user("theo")
    share(marta, theo)
    page = read(manager, page_of(marta))
    assert "Shares a browser with theo" in page
    assert page_of(theo) in page
    assert "192.0.2" not in page
    for trace in AccessTrace.objects.all():
        assert trace.mark not in page


def test_page_shows_tables_in_common_with_results(manager, marta):
    theo = User.objects.create_user("theo")
    share(marta, theo)
    game = start_game(system="acquire", preset="classic", host=marta, players=[marta, theo], options={})
    assert "(in progress)." in read(manager, page_of(marta)).partition("Both have a seat in ")[2]
    over = play_to_the_end(game)
    count_results()
    ranks = {result.user_id: result.rank for result in over.results.all()}
    page = read(manager, page_of(marta))
    own, other = ranks[marta.pk], ranks[theo.pk]
    assert f"with ranks {own} and {other}." in page.partition("marta and theo finished ")[2]
    assert reverse("admin:games_game_change", args=[game.pk]) in page
    page = read(manager, page_of(theo))
    assert f"with ranks {other} and {own}." in page.partition("theo and marta finished ")[2]


def test_page_of_a_suspicious_sign_up_names_the_others(manager, marta):
    for name in ("spam1", "spam2", "spam3"):
        User.objects.create_user(name)
    shown = read(manager, page_of(User.objects.get(username="spam2")))
    assert wording.SIMILAR_NEW_NAMES.format(n=3, names="spam3, spam2, spam1") in shown
    assert f'href="{page_of(User.objects.get(username="spam1"))}"' in shown
    assert "Suspicious sign-up" not in read(manager, page_of(marta))


def test_page_names_invitations_by_mail(manager, marta):
    theo = User.objects.create_user("theo")
    game = create_game(host=theo, terms=GameTerms(system="acquire", preset="classic", least=2, most=3))
    invite_address(game_id=game.pk, address="Marta@Example.org", by=theo)
    assert "theo invited this member by email." in read(manager, page_of(marta))
    assert "Invited marta by email." in read(manager, page_of(theo))
    Invitation.objects.all().delete()
    assert "invited" not in read(manager, page_of(marta)).lower().partition("other accounts")[2]


def test_page_links_to_games(manager, marta):
    game = create_game(host=marta, terms=GameTerms(system="acquire", preset="classic", least=2, most=3))
    assert reverse("admin:games_game_change", args=[game.pk]) in read(manager, page_of(marta))
    Game.objects.update(status="closed", finished=timezone.now())
    assert "No games right now." in read(manager, page_of(marta))


def test_page_shows_reports_without_reporter(manager, marta):
    theo = User.objects.create_user("theo")
    report_person(person=marta, user=theo, trouble="insult", reason="Called me a thief.")
    page = read(manager, page_of(marta))
    assert wording.INSULTS_OR_THREATS in page
    assert "open" in page
    assert "theo" not in page


def test_page_offers_actions_or_explains(manager, marta):
    page = read(manager, page_of(marta))
    assert reverse("admin:accounts_user_act", args=[marta.pk, "ban"]) in page
    assert wording.NO_SANCTION in page


@pytest.mark.parametrize(
    "action, told",
    [
        (
            "warn",
            (
                "The member reads this word for word, by email and on their account status page. "
                "Recorded in the audit log"
            ),
        ),
        ("rename", "The member reads this word for word in the email. Recorded in the audit log"),
        ("sign-out", wording.RECORDED_FOR_STAFF),
    ],
)
def test_form_names_readers_of_reason(manager, marta, action, told):
    page = read(manager, reverse("admin:accounts_user_act", args=[marta.pk, action]))
    assert told in page
    assert ("word for word" in page) == ("word for word" in told)


@pytest.mark.parametrize(("preset", "days"), [("day", 1), ("week", 7)])
def test_mute_preset_begins_with_its_end_and_reason(manager, marta, preset, days):
    url = f"{reverse('admin:accounts_user_act', args=[marta.pk, 'mute'])}?preset={preset}"
    assert f'href="{url}"' in read(manager, page_of(marta))
    with time_machine.travel(timezone.now(), tick=False):
        form = read(manager, url)
        end = timezone.localtime(timezone.now() + timedelta(days=days))
    assert f'value="{end:%Y-%m-%dT%H:%M}"' in form
    assert "Your messages hurt others." in form
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize(
    ("action", "fields", "sentence"),
    [
        ("mute", {}, "This mute is for ever, unless someone lifts it."),
        ("mute", {"until": "2099-01-02 12:00"}, "The mute ends on 2 January 2099"),
        ("ban", {}, BAN_IS_FOR_EVER),
    ],
)
def test_confirmation_says_how_long_a_sanction_holds(manager, marta, action, fields, sentence):
    url = reverse("admin:accounts_user_act", args=[marta.pk, action])
    shown = shown_for(manager, url, {**fields, "reason": "Spam."}).content.decode()
    assert sentence in shown
    assert ("for ever" in shown) == ("until" not in fields)


def test_member_is_banned_from_page(manager, marta):
    url = reverse("admin:accounts_user_act", args=[marta.pk, "ban"])
    page = manager.get(url).content.decode()
    assert BAN_IS_FOR_EVER in page
    for _ in range(2):
        manager.post(url, {"reason": "Spam.", **hidden_fields(page), "confirm": "1"})
    assert User.objects.get(pk=marta.pk).is_suspended
    assert AuditEntry.objects.get().reason == "Spam."


def test_page_queries_do_not_grow(manager, marta):
    def queries():
        with CaptureQueriesContext(connection) as taken:
            read(manager, page_of(marta))
        return len(taken)

    impose(marta, "mute", reason="First.", by=None)
    share(marta, User.objects.create_user("theo"))
    # The first page of a day also records the visit.
    read(manager, page_of(marta))
    few = queries()
    for number in range(5):
        mute = impose(marta, "mute", reason=f"Number {number}", by=None)
        appeal(marta, mute.pk, "No.")
        share(marta, User.objects.create_user(f"other{number}"))
        create_game(host=marta, terms=GameTerms(system="acquire", preset="classic", least=2, most=3))
    assert queries() <= few + 2 <= MOST


# -- Roles -----------------------------------------------------------------------------------------


def test_moderator_sees_no_address(staff, marta):
    moderator = staff("Moderators")
    share(marta, User.objects.create_user("theo"))
    impose(marta, "mute", reason="Rude.", by=None)
    listed = reverse("admin:accounts_user_changelist")
    for url in (page_of(marta), listed, f"{listed}?q=marta"):
        page = read(moderator, url)
        assert "marta" in page
        for hidden in ("example.org", "Shares a browser", "Rude.", "argon2", "md5"):
            assert hidden not in page
    # The search must not reveal whose address it is either.
    assert "0 users" in read(moderator, f"{listed}?q=example.org")
    assert "1 user" in read(staff("Member managers"), f"{listed}?q=example.org")


@pytest.mark.parametrize("query", ["email__startswith=m", "password__startswith=a", "is_superuser__exact=1"])
def test_list_refuses_other_lookups(manager, query):
    answer = manager.get(f"{reverse('admin:accounts_user_changelist')}?{query}")
    assert answer.status_code == 400


@pytest.mark.parametrize("group", ["Moderators", "Member managers", "superuser"])
def test_nobody_changes_members_but_by_staff_actions(staff, marta, group):
    browser = staff(group)
    before = User.objects.get(pk=marta.pk).password
    fields = {"username": "marta", "is_staff": "on", "is_superuser": "on", "is_active": "on"}
    assert browser.post(page_of(marta), fields).status_code == 403
    deleted = reverse("admin:accounts_user_delete", args=[marta.pk])
    assert browser.post(deleted, {"post": "yes"}).status_code == 403
    assert browser.get(reverse("admin:accounts_user_add")).status_code == 403
    password = {"password1": "another long secret", "password2": "another long secret"}
    browser.post(f"/admin/accounts/user/{marta.pk}/password/", password)
    left = User.objects.get(pk=marta.pk)
    assert not (left.is_staff or left.is_superuser)
    assert left.password == before


def test_missing_permission_check_is_detected(manager, marta, monkeypatch):
    """Sabotage twin: all who may view may also change."""
    monkeypatch.setattr(UserAdmin, "has_change_permission", lambda *args, **kwargs: True)
    only_shown = ["last_seen", "last_login", "date_joined", "terms_accepted", "deletion_started_at"]
    monkeypatch.setattr(UserAdmin, "readonly_fields", only_shown)
    fields = {"username": "marta", "is_superuser": "on", "is_active": "on", "mail_stopped": ""}
    manager.post(page_of(marta), fields)
    assert User.objects.get(pk=marta.pk).is_superuser


# -- Appeals ---------------------------------------------------------------------------------------


def test_appeals_are_listed_for_member_managers(staff, manager, marta):
    mute = impose(marta, "mute", reason="Rude.", by=None)
    appeal(marta, mute.pk, "He <i>began</i>.")
    listed = reverse("admin:accounts_appeal_changelist")
    page = read(manager, listed)
    assert "He &lt;i&gt;began&lt;/i&gt;." in page
    assert page_of(marta) in page
    assert staff("Moderators").get(listed).status_code == 403
