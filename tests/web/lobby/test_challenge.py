"""Challenges from the page of a member."""

import pytest
from django.urls import reverse

from accounts.models import User
from games.lobby.remembered_choices import remember_choices
from games.models import Block, Game
from games.refusals import CannotBeInvited
from tests.support.clients import client_of

pytestmark = pytest.mark.django_db

TERMS = {
    "preset": "course",
    "least": "2",
    "most": "2",
    "visibility": "invited",
    "start": "full",
    "unit": "none",
}


def challenge_url(member: User) -> str:
    return f"{reverse('new-game')}?with={member.username}"


def test_profile_offers_a_challenge_with_the_rules_of_the_last_game(alice: User, bob: User) -> None:
    remember_choices(alice, {"system": "acquire", "preset": "course", "visibility": "public"})
    client = client_of(alice)
    profile = client.get(reverse("player", args=["bob"])).content.decode()
    assert f'href="{challenge_url(bob)}"' in profile
    assert "Challenge alice" not in client.get(reverse("player", args=["alice"])).content.decode()
    answer = client.get(challenge_url(bob))
    assert "We invite bob as soon as you create the game." in answer.content.decode()
    form = answer.context["form"]
    assert (form["preset"].value(), form["visibility"].value()) == ("course", "invited")


def test_challenge_is_for_two_whoever_played_last_time(alice: User, bob: User) -> None:
    """In a game of four by invitation, the other seats would wait for nobody."""
    last = {"system": "acquire", "least": "3", "most": "4", "seat_1": "easy", "fill": "easy"}
    remember_choices(alice, last)
    form = client_of(alice).get(challenge_url(bob)).context["form"]
    names = ("least", "most", "seat_1", "fill")
    assert [form[name].value() or "" for name in names] == ["2", "2", "", ""]


def test_challenge_leaves_the_seats_of_the_next_game(alice: User, bob: User) -> None:
    last = {"system": "acquire", "preset": "classic", "visibility": "public", "most": "5", "seat_1": "easy"}
    remember_choices(alice, last)
    client = client_of(alice)
    assert client.post(challenge_url(bob), TERMS).status_code == 302
    form = client.get(reverse("new-game")).context["form"]
    names = ("preset", "visibility", "most", "seat_1")
    assert [form[name].value() for name in names] == ["course", "public", "5", "easy"]


def test_challenged_member_is_invited_at_once(alice: User, bob: User) -> None:
    answer = client_of(alice).post(challenge_url(bob), TERMS)
    assert answer.status_code == 302
    assert [invitation.user for invitation in Game.objects.get().invitations.all()] == [bob]


def test_refused_challenge_opens_no_game(alice: User, bob: User) -> None:
    Block.objects.create(user=bob, person=alice)
    answer = client_of(alice).post(challenge_url(bob), TERMS)
    assert answer.status_code == 403
    assert str(CannotBeInvited.message) in answer.content.decode()
    assert not Game.objects.exists()
