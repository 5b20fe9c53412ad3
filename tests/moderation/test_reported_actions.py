"""From the page of a report staff act on its game and its person, and the report is settled with it."""

from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, User
from accounts.moderation import sanctions
from accounts.moderation.member_actions import MEMBER_ACTIONS
from games.chat.messages import say
from games.models import AbuseReport, ChatMessage, Game
from games.moderation import abuse_reports, report_claims
from games.moderation.actions.game_actions import GAME_ACTIONS
from games.moderation.report_actions import REPORT_ACTIONS
from games.moderation.reported_actions import possible_actions, reported_actions
from games.moderation.staff_roles import make_groups
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame
from tests.support.staff_actions import hidden_fields

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def staff(name: str, *groups: str) -> User:
    make_groups()
    user = User.objects.create_user(name, is_staff=True)
    user.groups.set(Group.objects.filter(name__in=groups))
    return User.objects.get(pk=user.pk)


@pytest.fixture
def mod(db: None) -> User:
    return staff("mod", "Moderators")


@pytest.fixture
def both(db: None) -> User:
    return staff("both", "Moderators", "Member managers")


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return start(alice, bob, terms={"visibility": "public"})


@pytest.fixture
def stalled(game: Game, carol: User) -> AbuseReport:
    return abuse_reports.report_game(game=game, user=carol, trouble="stalling")


@pytest.fixture
def insult(game: Game, alice: User, bob: User) -> AbuseReport:
    line = say(game_id=game.pk, user=bob, text="You fool.")
    return abuse_reports.report(line=line, user=alice, trouble="insult")


def begin(client: Client, report: AbuseReport, act: str) -> Any:
    """Press a button of the report's page; return the page of the action."""
    return client.post(reverse("admin:games_abusereport_claim", args=[report.pk]), {"act": act}, follow=True)


def do(client: Client, shown: Any, **values: str) -> Any:
    """Do what the page of an action shows, with its fields as they are but for these."""
    form = shown.context["form"]
    fields = {name: str(form[name].value() or "") for name in form.fields}
    sent = {**fields, **hidden_fields(shown.content.decode()), "reason": fields["reason"] or "Seen."}
    url = shown.request["PATH_INFO"]
    return client.post(url, {**sent, **values, "confirm": "Do it"}, follow=True)


def settled(report: AbuseReport) -> str:
    report.refresh_from_db()
    return report.outcome if report.settled else ""


def test_names_of_actions_differ_from_those_of_reports(insult: AbuseReport) -> None:
    names = [*REPORT_ACTIONS, *GAME_ACTIONS, *MEMBER_ACTIONS]
    assert len(names) == len(set(names))
    assert {"mute", "roll-back"} <= set(reported_actions(insult))
    assert not {"give-role", "hide-line", "reply"} & set(reported_actions(insult))


def test_computer_takes_the_late_seat_and_the_report_is_settled(stalled: AbuseReport, mod: User) -> None:
    client = client_of(mod)
    shown = begin(client, stalled, "replace-by-computer:late")
    page = shown.content.decode()
    assert wording.WHAT_WILL_HAPPEN in page
    names = " and ".join(seat.name for seat in Game.objects.get(pk=stalled.game_id).seats.all())
    assert f">the game {names}</a></strong>" in page
    assert f"1 member who reported this will read: “{wording.REPORT_WAS_ACTED_ON}" in page
    assert stalled.game is not None
    late = stalled.game.seats.get(number=stalled.game.seat_to_move)
    assert f'<option value="{late.number + 1}" selected>' in page
    assert f"Done: {wording.REPLACE_WITH_A_COMPUTER}" in do(client, shown).content.decode()
    late.refresh_from_db()
    assert late.is_bot_playing
    assert settled(stalled) == "acted"
    entries = AuditEntry.objects.order_by("action")
    assert [(entry.action, entry.game) for entry in entries] == [
        ("acted", stalled.game.public_id),
        ("replace-by-computer", stalled.game.public_id),
    ]


def test_author_is_muted_and_the_message_removed_at_once(insult: AbuseReport, both: User, bob: User) -> None:
    client = client_of(both)
    do(client, do(client, begin(client, insult, "mute:day"), settle="remove-line"))
    assert User.objects.get(pk=bob.pk).is_muted
    assert ChatMessage.objects.get(pk=insult.line_id).removed is not None
    assert settled(insult) == "removed"
    assert set(AuditEntry.objects.values_list("action", "member")) == {
        ("mute", bob.pk),
        ("remove-line", bob.pk),
    }


def test_message_is_removed_only_where_staff_choose_it(insult: AbuseReport, both: User, bob: User) -> None:
    client = client_of(both)
    do(client, begin(client, insult, "mute:day"))
    assert User.objects.get(pk=bob.pk).is_muted
    assert ChatMessage.objects.get(pk=insult.line_id).removed is None
    assert settled(insult) == "acted"


def test_page_says_which_message_is_removed(insult: AbuseReport, both: User) -> None:
    client, hidden = client_of(both), "This hides bob’s message: “You fool.”"
    shown = begin(client, insult, "mute:day")
    assert "hidden from everyone" not in shown.content.decode()
    changed = do(client, shown, settle="remove-line")
    assert hidden in changed.content.decode()
    assert "This hides bob’s message: “You fool.”" in begin(client, insult, "remove-line").content.decode()
    hide = reverse("admin:games_game_act", args=[insult.game_id, "hide-line"])
    assert (
        "This hides bob’s message: “You fool.”" in client.get(hide, {"line": insult.line_id}).content.decode()
    )
    assert client.get(hide, {"line": "99999"}).status_code == 200


def test_report_can_stay_open(stalled: AbuseReport, mod: User) -> None:
    client = client_of(mod)
    shown = begin(client, stalled, "pause")
    changed = do(client, shown, settle="open")
    assert "The report stays open, and you are still handling it." in changed.content.decode()
    do(client, changed)
    assert settled(stalled) == ""
    assert report_claims.has_claimed(stalled, mod)
    assert AuditEntry.objects.get().action == "pause"
    assert Game.objects.get(pk=stalled.game_id).held_at is not None


def test_beginning_claims_the_report_and_shows_others_who_is_at_it(stalled: AbuseReport, mod: User) -> None:
    begin(client_of(mod), stalled, "roll-back")
    assert report_claims.has_claimed(stalled, mod)
    other = client_of(staff("other", "Moderators"))
    refused = begin(other, stalled, "roll-back").content.decode()
    assert "od is handling this report, until" in refused
    assert 'name="act"' not in refused
    page = other.get(reverse("admin:games_abusereport_act", args=[stalled.pk, "roll-back"]))
    assert (page.status_code, wording.HANDLE_REPORT_FIRST in page.content.decode()) == (403, True)


def test_refused_action_leaves_the_report_open(stalled: AbuseReport, mod: User) -> None:
    client = client_of(mod)
    shown = begin(client, stalled, "replace-by-computer:late")
    client.post(reverse("admin:games_game_act", args=[stalled.game_id, "delete"]), {})
    Game.objects.filter(pk=stalled.game_id).update(version=9)
    answer = do(client, shown)
    assert answer.status_code == 409
    assert wording.MOVED_ON_NOTHING_DONE in answer.content.decode()
    assert settled(stalled) == ""
    assert not AuditEntry.objects.exists()


def test_settling_that_fails_undoes_the_action(
    stalled: AbuseReport, mod: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(mod)
    shown = begin(client, stalled, "pause")

    def fail(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr(report_claims, "settle", fail)
    with pytest.raises(RuntimeError):
        do(client, shown)
    assert Game.objects.get(pk=stalled.game_id).held_at is None
    assert not AuditEntry.objects.exists()


def test_only_actions_within_ones_rights_are_offered(insult: AbuseReport, mod: User, both: User) -> None:
    assert {action.name for action in possible_actions(insult, mod)} & {"mute", "ban"} == set()
    assert {action.name for action in possible_actions(insult, both)} >= {"mute", "ban", "pause"}
    client = client_of(mod)
    begin(client, insult, "pause")
    page = client.get(reverse("admin:games_abusereport_act", args=[insult.pk, "mute"]))
    assert (page.status_code, wording.NO_PERMISSION in page.content.decode()) == (
        403,
        True,
    )


def test_nobody_acts_on_a_game_of_their_own_from_a_report(
    start: NewGame, bob: User, carol: User, mod: User
) -> None:
    report = abuse_reports.report_game(game=start(mod, bob), user=carol, trouble="stalling")
    client = client_of(mod)
    assert (
        'name="act"'
        not in client.get(reverse("admin:games_abusereport_change", args=[report.pk])).content.decode()
    )
    assert wording.MODERATOR_IS_INVOLVED in begin(client, report, "pause").content.decode()
    assert Game.objects.get(pk=report.game_id).held_at is None


def test_report_that_was_handed_on_is_settled_by_a_member_manager(alice: User, bob: User, mod: User) -> None:
    report = abuse_reports.report_person(person=bob, user=alice, trouble="cheating")
    report_claims.claim(report, mod)
    report_claims.escalate(report, by=mod)
    client = client_of(staff("manager", "Member managers"))
    do(client, begin(client, report, "warn"))
    assert sanctions.open_appeals().count() == 0
    assert bob.sanctions.active().get().kind == "warning"
    assert settled(report) == "acted"
    assert set(AuditEntry.objects.values_list("action", flat=True)) == {"warn", "member-acted"}


def test_unknown_action_claims_nothing(stalled: AbuseReport, mod: User) -> None:
    assert begin(client_of(mod), stalled, "sing").status_code == 404
    assert not report_claims.has_claimed(stalled, mod)
