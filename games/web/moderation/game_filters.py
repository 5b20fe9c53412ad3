"""Filters of the list of games in the admin."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import groupby
from typing import Any, Final

from django.contrib import admin
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import BotFailure, Game
from games.models.playable_systems import playable_systems
from games.moderation import site_health
from games.web.presenters.presenter_registry import PRESENTERS


class HealthFilter(admin.SimpleListFilter):
    """Filter games by health."""

    title = _("health")
    parameter_name = "health"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            ("fine", _("fine")),
            ("stuck", _("stuck")),
            ("failing", _("computer player fails")),
            ("overdue", _("overdue")),
            ("paused", _("paused")),
            ("deleted", _("deleted")),
        ]

    def queryset(self, request: HttpRequest, games: QuerySet[Game]) -> QuerySet[Game]:
        now = timezone.now()
        if self.value() == "fine":
            for wrong in (site_health.stuck(now), site_health.overdue(now)):
                games = games.exclude(pk__in=_keys(wrong))
            return games.filter(paused=None, deleted=None)
        if self.value() == "stuck":
            return games.filter(pk__in=_keys(site_health.stuck(now)))
        if self.value() == "failing":
            failed = BotFailure.objects.filter(version=F("game__version"))
            return games.filter(pk__in=failed.order_by().values("game"), status=Game.Status.RUNNING)
        if self.value() == "overdue":
            return games.filter(pk__in=_keys(site_health.overdue(now)))
        if self.value() == "deleted":
            return games.filter(deleted__isnull=False)
        return games.filter(paused__isnull=False, deleted=None) if self.value() == "paused" else games


class QuietFilter(admin.SimpleListFilter):
    """Filter games by how long nothing has happened in them."""

    title = _("inactive for")
    parameter_name = "quiet"
    _SPANS: Final = {"1": _("a day"), "7": _("a week"), "30": _("a month"), "365": _("a year")}

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return list(self._SPANS.items())

    def queryset(self, request: HttpRequest, games: QuerySet[Game]) -> QuerySet[Game]:
        if (days := self.value()) not in self._SPANS:
            return games
        return games.filter(last_change_at__lt=timezone.now() - timedelta(days=int(days)))


class _FormFilter(admin.ListFilter):
    """A filter drawn as a form, which keeps the other filters."""

    def __init__(self, request: HttpRequest, params: dict[str, Any], model: Any, model_admin: Any) -> None:
        super().__init__(request, params, model, model_admin)
        given = params.pop(self.parameter_name, [""])
        self.given = str(given[-1]).strip()

    parameter_name: str

    def has_output(self) -> bool:
        return True

    def expected_parameters(self) -> list[str | None]:
        return [self.parameter_name]

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Yield the context of the template, as a single choice."""
        others = changelist.get_filters_params()
        yield {
            "name": self.parameter_name,
            "given": self.given,
            "groups": list(self.groups()),
            "without": changelist.get_query_string(remove=[self.parameter_name]),
            "kept": [
                (name, value)
                for name, values in others.items()
                for value in values
                if name != self.parameter_name
            ],
        }

    def groups(self) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """Yield the choices under their headings; nothing for a text field."""
        yield from ()


class PlayerFilter(_FormFilter):
    """Filter games by the full name of a player."""

    title = _("player")
    parameter_name = "player"
    template = "admin/games/game/player_filter.html"

    def queryset(self, request: HttpRequest, games: QuerySet[Game]) -> QuerySet[Game]:
        return games.filter(seats__user__username__iexact=self.given) if self.given else games


class OptionFilter(_FormFilter):
    """Filter games by the value of an option."""

    title = _("option")
    parameter_name = "option"
    template = "admin/games/game/option_filter.html"

    def queryset(self, request: HttpRequest, games: QuerySet[Game]) -> QuerySet[Game]:
        for key, name, value, _said in _options():
            if key == self.given:
                return games.filter(**{f"options__{name}": value})
        return games

    def groups(self) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        names = {
            name: said
            for system in playable_systems()
            for name, said in PRESENTERS[system].option_names().items()
        }
        for name, options in groupby(_options(), key=lambda option: option[1]):
            yield names[name], [(key, said) for key, _name, _value, said in options]


def _options() -> Iterator[tuple[str, str, Any, str]]:
    """Yield each value of each option of the playable systems: key, option, value and sentence."""
    for system in playable_systems():
        for (name, value), said in PRESENTERS[system].option_values().items():
            yield f"{system}.{name}.{value}", name, value, said


def _keys(games: QuerySet[Game]) -> Any:
    return games.order_by().values("pk")
