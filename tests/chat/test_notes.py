"""Private notes: saving, conflicts between pages, limits."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.chat.notes import write_note
from games.models import Game, Note
from games.models.note import MAX_NOTE_LENGTH
from tests.support.clients import client_of
from tests.support.htmx import HTMX

pytestmark = pytest.mark.django_db


def address(game: Game) -> str:
    return reverse("notes", args=[game.public_id])


def kept(game: Game, user: User) -> str:
    return Note.objects.get(game=game, user=user).text


def test_notes_are_saved_and_shown(game: Game, alice: User) -> None:
    client = client_of(alice)
    answer = client.post(address(game), {"text": "bob hoards\r\nTower <b>", "version": "0"})
    assert answer.status_code == 302
    assert kept(game, alice) == "bob hoards\nTower <b>"
    page = client.get(game.get_absolute_url()).content.decode()
    assert "bob hoards\nTower &lt;b&gt;" in page


def test_each_save_has_next_version(game: Game, alice: User) -> None:
    client = client_of(alice)
    for version, text in enumerate(["b", "bo", "bob"]):
        answer = client.post(address(game), {"text": text, "version": version}, **HTMX)
        assert answer.status_code == 200
        assert f'name="version" value="{version + 1}"' in answer.content.decode()
    assert kept(game, alice) == "bob"


def test_repeated_save_succeeds_once(game: Game, alice: User) -> None:
    for _ in range(2):
        answer = client_of(alice).post(address(game), {"text": "once", "version": "0"}, **HTMX)
        assert answer.status_code == 200
    assert Note.objects.get().version == 1


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_notes_of_other_page_are_overwritten_on_request_only(
    game: Game, alice: User, headers: dict[str, Any]
) -> None:
    client = client_of(alice)
    write_note(game=game, user=alice, text="from the phone", version=0)
    for typed in ("from the desk", "from the desk, more"):
        answer = client.post(address(game), {"text": typed, "version": "0"}, **headers)
        page = answer.content.decode()
        assert answer.status_code == 409
        assert "from the phone" in page
        assert 'name="version" value="0"' in page
        assert kept(game, alice) == "from the phone"
    assert headers or "from the desk, more" in page
    answer = client.post(address(game), {"text": "both", "version": "0", "over": "1"}, **headers)
    assert answer.status_code in (200, 302)
    assert kept(game, alice) == "both"


def test_overlong_notes_are_refused_and_stay_on_page(game: Game, alice: User) -> None:
    answer = client_of(alice).post(address(game), {"text": "x" * (MAX_NOTE_LENGTH + 1), "version": "0"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Shorten it" in page and "x" * (MAX_NOTE_LENGTH + 1) in page
    assert not Note.objects.exists()


@pytest.mark.parametrize("version", ["", "-1", "x", "9" * 30, "²"])
def test_invalid_version_counts_as_none(game: Game, alice: User, version: str) -> None:
    assert client_of(alice).post(address(game), {"text": "t", "version": version}).status_code == 302


def test_notes_can_be_emptied(game: Game, alice: User) -> None:
    write_note(game=game, user=alice, text="x", version=0)
    client_of(alice).post(address(game), {"text": "", "version": "1"})
    assert kept(game, alice) == ""


def test_visitor_has_no_notes(game: Game, client: Client) -> None:
    assert client.post(address(game), {"text": "x"}).status_code == 302
    assert not Note.objects.exists()
    assert 'id="notes"' not in client.get(game.get_absolute_url()).content.decode()
