"""Collect the texts to translate, as Django's command does, from Jinja2 templates too."""

from pathlib import Path

from django.core.management.commands import makemessages
from django.template import engines
from jinja2.ext import extract_from_ast

FUNCTIONS = ("_", "gettext", "ngettext", "pgettext", "npgettext")


class BuildFile(makemessages.BuildFile):
    """A file from which texts are collected."""

    def preprocess(self) -> None:
        """Write the texts of a template as lines of Python, which xgettext reads."""
        path = Path(self.path)
        folders = engines["jinja2"].template_dirs
        if self.is_templatized and any(path.resolve().is_relative_to(folder) for folder in folders):
            texts = gettext_calls(path.read_text(encoding="utf-8"))
            Path(self.work_path).write_text(texts, encoding="utf-8")
        else:
            super().preprocess()


class Command(makemessages.Command):
    build_file_class = BuildFile


def gettext_calls(template: str) -> str:
    """Return the texts of a Jinja2 template as calls in Python, each in the line where it stands."""
    lines = [""] * (template.count("\n") + 1)
    parsed = engines["jinja2"].env.parse(template)  # type: ignore[attr-defined]
    for line, function, texts in extract_from_ast(parsed, FUNCTIONS, babel_style=False):
        lines[line - 1] += f"{function}({', '.join(map(repr, texts or ()))}); "
    return "\n".join(lines)
