"""Texts of the site that several test modules need are quoted from one place, and the site says them."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.utils.translation.template import templatize

from acquire_site.management.commands.makemessages import gettext_calls
from tests.support import wording

ROOT = Path(__file__).parents[1]
MAX_MODULES = 2
# A piece of a text with as many words belongs to this text only.
LONG_PIECE = 4
# Words that mean something else in tests than on the site.
OTHER_MEANINGS = {
    "buy nothing": "the notation of a move",
    "buy nothing and end": "the notation of a move",
    "not on the board": "a reason of the engine",
    "something else": "any words",
    "Phil Leduc": "a person",
}
GETTEXT = re.compile(r"_|gettext(_lazy)?|n(p)?gettext(_lazy)?|(?P<context>n?p)gettext(_lazy)?")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w+\}")
STRING = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")


def in_one_line(text: str) -> str:
    return " ".join(text.split())


def strings(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@cache
def site_texts() -> frozenset[str]:
    """Every text that is marked for translation."""
    found: set[str] = set()
    for package in ("accounts", "games", "acquire_site"):
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and GETTEXT.fullmatch(getattr(node.func, "id", "")):
                    found.update(text for argument in node.args for text in strings(argument))
    for path in (ROOT / "templates").rglob("*.*"):
        source = path.read_text()
        calls = gettext_calls(source) if "jinja2" in path.parts else templatize(source)
        found.update(ast.literal_eval(literal) for literal in STRING.findall(calls))
    return frozenset(map(in_one_line, found))


@cache
def texts_by_beginning() -> dict[tuple[str, ...], list[tuple[str, str]]]:
    """The longest part without placeholder of each text, with the text, by its first words."""
    found = defaultdict(list)
    for text in site_texts():
        part = max(map(in_one_line, PLACEHOLDER.split(text)), key=len)
        if len(part.split()) >= LONG_PIECE:
            found[tuple(part.split()[:LONG_PIECE])].append((part, text))
    return found


@cache
def quoted_texts(literal: str) -> frozenset[str]:
    """The texts that a literal is, is a long piece of, or contains, with whatever in their placeholders."""
    line = in_one_line(literal)
    words = line.split()
    if len(words) < 2 or line in OTHER_MEANINGS:
        return frozenset()
    found = {line} & site_texts()
    if len(words) >= LONG_PIECE and line in all_in_one():
        found |= {text for text in site_texts() if line in text}
    for start in range(len(words) - LONG_PIECE + 1):
        beginning = tuple(words[start : start + LONG_PIECE])
        found |= {text for part, text in texts_by_beginning().get(beginning, ()) if part in line}
    return frozenset(found)


@cache
def all_in_one() -> str:
    return "\n".join(site_texts())


def literals(source: str) -> Iterator[str]:
    """The literals of a module without its docstrings, which quote nothing that a test compares."""
    tree = ast.parse(source)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def modules_by_text(sources: dict[str, str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for name, source in sources.items():
        for literal in literals(source):
            for text in quoted_texts(literal):
                found[text].add(name)
    return found


def test_texts_of_several_modules_are_quoted_from_one_place() -> None:
    sources = {
        str(path.relative_to(ROOT)): path.read_text()
        for path in (ROOT / "tests").rglob("*.py")
        if path not in (Path(__file__), Path(wording.__file__))
    }
    assert len(sources) > 300
    spread = {text: names for text, names in modules_by_text(sources).items() if len(names) > MAX_MODULES}
    assert not spread, (
        f"More than {MAX_MODULES} test modules quote these texts. Name each in tests/support/wording.py and "
        "quote it from there; quote a refusal as the message of its class:\n"
        + "\n".join(f"{text!r}: {', '.join(sorted(names))}" for text, names in sorted(spread.items()))
    )


NAMES = sorted(name for name in vars(wording) if name.isupper())


@pytest.mark.parametrize("name", NAMES)
def test_site_says_what_is_quoted(name: str) -> None:
    text = getattr(wording, name)
    assert text in all_in_one(), (
        f"The site no longer says {text!r}. Put its new words into wording.{name}, or remove the name."
    )


def test_no_text_has_two_names() -> None:
    texts = [getattr(wording, name) for name in NAMES]
    assert len(texts) == len(set(texts)) > 100


@pytest.mark.parametrize(
    "literal",
    [
        "No moderator has paused this game.",
        "No moderator has paused",
        "resume: not possible now. No moderator has paused this game.",
        "No moderator has\n paused this game.",
    ],
)
def test_quoted_text_is_found(literal: str) -> None:
    text = "No moderator has paused this game."
    source = f'def test_game() -> None:\n    """Be kind."""\n    assert page == {literal!r}\n'
    assert modules_by_text({"a": source, "b": source}) == {text: {"a", "b"}}


def test_text_is_found_with_a_value_in_its_placeholder() -> None:
    assert quoted_texts("bob took back the moves that are struck through.") == {wording.TOOK_BACK}


@pytest.mark.parametrize("literal", ["Rematch", "buy nothing", "the moves of bob"])
def test_what_may_mean_something_else_is_no_quote(literal: str) -> None:
    assert quoted_texts(literal) == frozenset()
