"""Viewers of a game: its players and all kinds of others."""

from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import User
from games.models import Game

HOST = "testserver"


@dataclass
class Viewer:
    """A viewer, with their seat if they have one."""

    name: str
    user: User | None
    seat: int | None = None
    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))
    cookies: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.user is not None:
            self.client.force_login(self.user)
        self.cookies = {name: cookie.value for name, cookie in self.client.cookies.items()}

    def ask(self, path: str, form: dict[str, Any] | None, *, htmx: bool = False) -> Any:
        """Return the answer to a GET, or to a POST of a form, as from a new session."""
        self.client.cookies = SimpleCookie(self.cookies)
        headers = {"HX-Request": "true"} if htmx else {}
        if form is None:
            return self.client.get(path, headers=headers)
        return self.client.post(path, form, headers=headers)


def person(name: str, **columns: Any) -> User:
    """Create a member with a mailbox."""
    user = User.objects.create_user(name, email=f"{name}@mail.example", **columns)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


def strangers() -> list[Viewer]:
    """Everybody without a seat, from a visitor to the staff."""
    moderator = person("moderator", is_staff=True)
    own = Permission.objects.exclude(codename__startswith="delete").exclude(content_type__app_label="auth")
    moderator.user_permissions.set(own)
    return [
        Viewer("a spectator", person("spectator")),
        Viewer("a visitor", None),
        Viewer("a guest", User.objects.create_user("Guest-7", is_guest=True)),
        Viewer("a member elsewhere", person("elsewhere")),
        Viewer("a moderator", moderator),
        Viewer("the superuser", person("superuser", is_staff=True, is_superuser=True)),
    ]


def players(game: Game) -> list[Viewer]:
    """The people at the table."""
    return [
        Viewer(f"seat {seat.number}", seat.user, seat.number)
        for seat in game.seats.select_related("user")
        if seat.user is not None
    ]
