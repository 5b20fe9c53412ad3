"""Jinja2 templates: strict about what is missing, safe, and shown inside Django's pages."""

import re
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template import engines
from django.test import RequestFactory
from django.utils.timezone import override
from jinja2 import UndefinedError

from games.web.presenters.presenter_registry import OPTIONAL_NAMES
from tests.support import wording

TEMPLATES = Path(__file__).parents[2] / "templates"
OF_JINJA = {path.relative_to(TEMPLATES / "jinja2") for path in (TEMPLATES / "jinja2").rglob("*.html")}


def drawn(source: str, **context: Any) -> str:
    return engines["jinja2"].from_string(source).render(context)


@pytest.mark.parametrize(
    "source",
    [
        "{{ nobody }}",
        "{% if nobody %}{% endif %}",
        "{% for one in nobody %}{% endfor %}",
        "{{ nobody.name }}",
        "{{ past.uncovered }}",
        # To Jinja2 itself it is not None: hidden information would be shown.
        "{% if past.uncovered is not none %}hidden{% endif %}",
        "{% if nobody is none %}{% endif %}",
    ],
)
def test_missing_name_is_an_error(source: str) -> None:
    with pytest.raises(UndefinedError):
        drawn(source)


def test_optional_names_are_none() -> None:
    for name in OPTIONAL_NAMES:
        assert drawn(f"{{% if {name} is none %}}none{{% endif %}}") == "none"


def test_page_that_forgets_the_cover_of_hands_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="cover"):
        engines["jinja2"].get_template("games/play/_hand_cover.html").render({})


def test_every_optional_name_is_used() -> None:
    texts = "\n".join((TEMPLATES / "jinja2" / path).read_text() for path in OF_JINJA)
    assert [name for name in OPTIONAL_NAMES if not re.search(rf"\b{name}\b", texts)] == []


def test_values_and_values_in_texts_are_escaped() -> None:
    assert drawn("{{ name }}", name="<b>") == "&lt;b&gt;"
    assert drawn('{{ _("<b>%(name)s</b>", name=name) }}', name="<b>") == "<b>&lt;b&gt;</b>"
    in_context = '{{ pgettext("verb", "<b>%(name)s</b>", name=name) }}'
    assert drawn(in_context, name="<b>") == "<b>&lt;b&gt;</b>"


def test_plural_follows_the_number() -> None:
    source = '{{ ngettext("%(num)s tile", "%(num)s tiles", n) }}'
    assert [drawn(source, n=n) for n in (1, 2)] == ["1 tile", "2 tiles"]


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin"])
@pytest.mark.parametrize("style", ["c", "l H:i e", "j F"])
def test_dates_are_written_as_in_djangos_templates(zone: str, style: str) -> None:
    for at in (datetime(2026, 3, 29, 0, 59, 58, 7, tzinfo=UTC), date(2026, 3, 29)):
        if at.__class__ is date and style != "j F":
            continue
        with override(zone):
            django = engines["django"].from_string(f'{{{{ at|date:"{style}" }}}}').render({"at": at})
            assert drawn(f'{{{{ at|date("{style}") }}}}', at=at) == django


def test_part_of_a_django_page_has_its_context_and_the_token_of_its_forms() -> None:
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    page = engines["django"].from_string(
        '{% load jinja_tags %}{% jinja "games/play/_after_game.html" again_url="/again/" %}'
    )
    shown = page.render({"game": type("Game", (), {"is_practice": True})}, request)
    assert 'action="/again/"' in shown
    assert 'name="csrfmiddlewaretoken"' in shown
    assert wording.GAME_STARTS_RIGHT_AWAY in shown


def test_each_part_is_written_in_one_language() -> None:
    of_django = {
        path.relative_to(TEMPLATES) for path in TEMPLATES.rglob("*.html") if "jinja2" not in path.parts
    }
    assert OF_JINJA
    assert OF_JINJA & of_django == set()


def test_every_jinja_template_is_used() -> None:
    folders = [TEMPLATES, TEMPLATES.parent / "games"]
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in {".html", ".py"}]
    texts = "\n".join(path.read_text() for path in files)
    # The templates of decisions are named after their kind.
    named = [path for path in OF_JINJA if path.parent.name != "decisions"]
    assert [path for path in named if f'"{path}"' not in texts] == []


def test_every_jinja_template_can_be_compiled() -> None:
    for path in OF_JINJA:
        engines["jinja2"].get_template(str(path))
