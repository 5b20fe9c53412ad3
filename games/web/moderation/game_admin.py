"""Admin of games, read only: the state, the seed and the log cannot be edited."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.moderation import staff_actions
from accounts.web.moderation.action_admin import ActionAdmin, ActionLink
from accounts.web.moderation.read_only_admin import ReadOnly
from games.models import Game
from games.moderation.actions.game_actions import GAME_ACTIONS
from games.moderation.actions.rollback_action import ROLL_BACK
from games.web.moderation import game_admin_page
from games.web.moderation.game_filters import HealthFilter, OptionFilter, PlayerFilter, QuietFilter
from games.web.text.game_titles import title


@admin.register(Game)
class GameAdmin(ReadOnly, ActionAdmin):
    acts = GAME_ACTIONS

    list_display = ["public_id", "name", "preset", "status", "health", "players", "version", "last_change_at"]
    list_filter = ["status", HealthFilter, PlayerFilter, OptionFilter, QuietFilter, "system", "visibility"]
    list_per_page = 50
    ordering = ["-pk"]
    search_fields = ["public_id", "name", "host__username", "seats__user__username"]
    search_help_text = _("Game ID, game name or player name.")
    # Counting all games would take as long as the list itself.
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> Any:
        return Game.moderated.order_by(*self.ordering).prefetch_related("seats__user")

    @admin.display(description=_("health"))
    def health(self, game: Game) -> Any:
        return game_admin_page.health_of(game, timezone.now())

    @admin.display(description=_("players"))
    def players(self, game: Game) -> str:
        return ", ".join(seat.name or seat.bot_level for seat in game.seats.all())

    def target_name(self, target: Game) -> str:
        return title(target)

    def offers(self, request: HttpRequest, target: Game) -> list[ActionLink]:
        """The actions the user has permission for."""
        assert isinstance(request.user, User)
        return [
            self.action_link(action, target, action.against(target) if action.against else None)
            for action in self.acts.values()
            if staff_actions.has_permission(action, request.user)
        ]

    # -- The pages of one game -------------------------------------------------------------------------

    def get_urls(self) -> list[URLPattern]:
        wrapped = self.admin_site.admin_view
        own = [
            path("<int:key>/table/", wrapped(self.table_view), name="games_game_table"),
            path("<int:key>/doctor/", wrapped(self.doctor_view), name="games_game_doctor"),
        ]
        return [*own, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show the page of a game, with links to the actions on it."""
        return self._shown(request, object_id, "page", game_admin_page.context)

    def table_view(self, request: HttpRequest, key: int) -> HttpResponse:
        """Show the table as a spectator sees it."""
        return self._shown(request, key, "table", game_admin_page.table_context)

    def doctor_view(self, request: HttpRequest, key: int) -> HttpResponse:
        """Show the result of the integrity check."""
        return self._shown(request, key, "integrity", game_admin_page.doctor_context)

    def _shown(self, request: HttpRequest, key: Any, name: str, context: Any) -> HttpResponse:
        game = self.get_object(request, str(key))
        if game is None:
            raise Http404
        if request.method not in ("GET", "HEAD") or not self.has_view_permission(request, game):
            raise PermissionDenied
        told = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "game": game,
            **context(game, request.user),
        }
        if name == "page":
            self.forget_drafts(request, game)
        if name == "page" and not told["barred"]:
            told["offers"] = self.offers(request, game)
            told["roll_back_url"] = next(
                (one.url for one in told["offers"] if one.action is ROLL_BACK and not one.against), ""
            )
        return render(request, f"admin/games/game/{name}.html", told)
