"""The page of the puzzle archive."""

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Puzzle
from games.models.playable_systems import playable_systems
from games.puzzles.puzzle_answers import streak_of
from games.puzzles.puzzle_archive import ArchivePage, archive_page
from games.puzzles.puzzle_difficulty import EASY, HARD, MEDIUM, UNRATED, difficulty
from games.ratings.skill_model import points
from games.web.page_links import chosen_system, systems
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.puzzles.session_answers import results_in_session
from games.web.requests import Request

_DIFFICULTIES: Final = {
    EASY: gettext_lazy("Easy"),
    MEDIUM: gettext_lazy("Medium"),
    HARD: gettext_lazy("Hard"),
    UNRATED: gettext_lazy("Not rated yet"),
}


class ArchiveFilter(forms.Form):
    """The choices of the archive; a choice that is not offered counts as none."""

    theme = forms.ChoiceField(label=gettext_lazy("Theme"), required=False)
    difficulty = forms.ChoiceField(
        label=gettext_lazy("Difficulty"),
        required=False,
        choices=[("", gettext_lazy("Any difficulty")), *_DIFFICULTIES.items()],
    )
    open = forms.BooleanField(label=gettext_lazy("Only puzzles that you have not answered"), required=False)

    def __init__(self, data: Any, system: str) -> None:
        super().__init__(data)
        themes = [(theme, theme_name(system, theme)) for theme in playable_systems()[system].THEMES]
        self.fields["theme"].choices = [("", gettext_lazy("Any theme")), *themes]  # type: ignore[attr-defined]

    @property
    def chosen(self) -> dict[str, Any]:
        """The valid choices by field, without those that choose nothing."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}


@require_safe
@never_cache
def archive(request: Request, system: str = "") -> HttpResponse:
    """Show the puzzles of past days, by theme and difficulty; `before` is the day where the page begins."""
    system = chosen_system(system)
    filters = ArchiveFilter(request.GET, system)
    chosen = filters.chosen
    found = archive_page(
        request.user,
        system,
        theme=chosen.get("theme", ""),
        difficulty=chosen.get("difficulty", ""),
        only_open=chosen.get("open", False) and request.user.is_authenticated,
        before=_day(request.GET.get("before", "")),
    )
    unlogged = results_in_session(request)
    context = {
        "systems": systems("puzzles-of", system),
        "filters": filters,
        "is_narrow": bool(chosen),
        "action": reverse("puzzles-of", args=[system]),
        "lines": [_line(system, puzzle, unlogged) for puzzle in found.puzzles],
        "following": _following(found, chosen),
        "streak": streak_of(request.user) if request.user.is_authenticated else None,
    }
    return render(request, "games/puzzles/archive.html", context)


def theme_name(system: str, theme: str) -> str:
    """The name of a theme; "" for one that is not known yet."""
    return PRESENTERS[system].theme_names().get(theme, "")


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _following(found: ArchivePage, chosen: dict[str, Any]) -> str:
    if found.before is None:
        return ""
    kept = {name: "on" if value is True else value for name, value in chosen.items()}
    return urlencode({**kept, "before": found.before.isoformat()})


def _line(system: str, puzzle: Puzzle, unlogged: Mapping[int, bool]) -> dict[str, Any]:
    """A line of the table; `unlogged` are answers given without logging in, by puzzle: right or wrong."""
    assert puzzle.day is not None
    name, is_answered = difficulty(puzzle), puzzle.is_answered  # type: ignore[attr-defined]
    return {
        "url": reverse("puzzle", args=[puzzle.day.isoformat()]),
        "day": puzzle.day,
        "theme": theme_name(system, puzzle.theme),
        "seats": ngettext("{n} player", "{n} players", puzzle.seats).format(n=puzzle.seats),
        "difficulty": _DIFFICULTIES[name],
        "points": points(puzzle.mu) if name != UNRATED else None,
        "solvers": ngettext("{n} answer", "{n} answers", puzzle.solvers).format(n=puzzle.solvers),
        "is_answered": is_answered or puzzle.pk in unlogged,
        "is_solved": puzzle.is_solved if is_answered else unlogged.get(puzzle.pk, False),  # type: ignore[attr-defined]
    }
