"""Texts of Jinja2 templates are found for translation, with their plurals."""

import shutil
from pathlib import Path

import pytest
from django.core.management import call_command
from django.template import engines

from acquire_site.management.commands.makemessages import gettext_calls

ROOT = Path(__file__).parents[2]


def test_text_and_plural_of_a_table_are_found() -> None:
    lines = gettext_calls((ROOT / "templates/jinja2/games/presenters/acquire/_stocks.html").read_text())
    assert "_('Cash');" in lines
    assert "ngettext('%(num)s tile left to draw', '%(num)s tiles left to draw');" in lines


def test_context_is_found() -> None:
    lines = gettext_calls((ROOT / "templates/jinja2/games/presenters/acquire/_plan_form.html").read_text())
    assert "pgettext('verb', 'Place');" in lines


def test_text_stands_in_the_line_of_its_template() -> None:
    assert gettext_calls('<p>\n{{ _("one") }}{# _("no") #}\n{{ name }}\n</p>') == "\n_('one'); \n\n"


@pytest.mark.skipif(not shutil.which("xgettext"), reason="xgettext is not installed")
def test_catalogue_has_texts_of_both_kinds_of_templates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: object
) -> None:
    for name in ("games/lobby/_terms.html", "jinja2/games/presenters/acquire/_stocks.html"):
        copy = tmp_path / "templates" / name
        copy.parent.mkdir(parents=True)
        shutil.copy(ROOT / "templates" / name, copy)
    (tmp_path / "locale").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(settings, "LOCALE_PATHS", [tmp_path / "locale"])
    monkeypatch.setattr(engines["jinja2"], "template_dirs", (tmp_path / "templates/jinja2",))
    call_command("makemessages", locale=["de"], verbosity=0)
    catalogue = (tmp_path / "locale/de/LC_MESSAGES/django.po").read_text()
    assert 'msgid "Net worth"' in catalogue
    assert 'msgid "%(num)s tile left to draw"\nmsgid_plural "%(num)s tiles left to draw"' in catalogue
    assert "_terms.html" in catalogue
