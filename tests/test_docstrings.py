"""Docstrings begin with what a thing does, returns or is, not with a question."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("accounts", "acquire_site", "games", "tests")
QUESTIONS = {"What", "How", "Why", "Whether", "Who", "When"}


def riddles(source: str) -> Iterator[str]:
    """The first lines of docstrings that begin with a question."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            words = (ast.get_docstring(node) or "").split(maxsplit=1)
            if words and words[0] in QUESTIONS:
                yield " ".join(words).splitlines()[0]


def test_no_docstring_begins_with_a_question() -> None:
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    # A migration is never edited once it has landed.
    files = [path for path in files if path.parent.name != "migrations"]
    found = {str(path): lines for path in files if (lines := list(riddles(path.read_text())))}
    assert len(files) > 500
    assert found == {}


@pytest.mark.parametrize("word", sorted(QUESTIONS))
def test_docstring_that_begins_with_a_question_is_found(word: str) -> None:
    assert list(riddles(f'def door():\n    """{word} it stays shut."""\n')) == [f"{word} it stays shut."]
