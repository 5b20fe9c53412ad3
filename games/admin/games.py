"""Games in the admin: what is public, to read. The state, the seed and the log are not for editing."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from accounts.acting import ActingAdmin
from games.models import Game, Seat

from .reading import ReadOnly


class SeatInline(ReadOnly, admin.TabularInline):
    model = Seat
    fields = ["number", "user", "computer", "nickname"]


@admin.register(Game)
class GameAdmin(ReadOnly, ActingAdmin):
    list_display = [
        "public_id",
        "name",
        "system",
        "preset",
        "status",
        "version",
        "host",
        "started",
        "moved",
        "due",
    ]
    list_filter = ["system", "preset", "status", "visibility", "practice"]
    list_select_related = ["host"]
    ordering = ["-pk"]
    search_fields = ["public_id", "name", "host__username"]
    exclude = ["state", "seed", "invite_code"]
    inlines = [SeatInline]

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Only the columns of the filters: by others one could ask for the state and the seed, bit by bit."""
        return lookup.split("__")[0] in self.list_filter

    def view_on_site(self, game: Game) -> str:
        return game.get_absolute_url()

    def get_queryset(self, request: HttpRequest) -> Any:
        return Game.objects.order_by(*self.ordering)
