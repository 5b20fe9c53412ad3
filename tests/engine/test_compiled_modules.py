"""Compiled rules and bots are played with only if they come from today's sources."""

from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from games.engine import compiled_modules
from games.engine.compiled_modules import MODULES, library, refuse_old_compilation

SUFFIX = EXTENSION_SUFFIXES[0]


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose modules are sources of one line."""
    monkeypatch.setattr(compiled_modules, "ROOT", tmp_path)
    for module in MODULES:
        path = tmp_path / f"{module}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("tiles = 108\n")
    return tmp_path


def compile_all(engine: Path) -> None:
    """Make files with the names of compiled modules."""
    for module in (*MODULES, f"{library()}__mypyc"):
        (engine / f"{module}{SUFFIX}").touch()


def test_modules_that_are_compiled_exist() -> None:
    assert all(path.exists() for path in compiled_modules.sources())


def test_plain_modules_are_accepted(engine: Path) -> None:
    refuse_old_compilation()


def test_modules_compiled_from_these_sources_are_accepted(engine: Path) -> None:
    compile_all(engine)
    refuse_old_compilation()


def test_changed_source_is_refused_until_it_is_changed_back(engine: Path) -> None:
    compile_all(engine)
    source = engine / f"{MODULES[0]}.py"
    before = source.read_text()
    source.write_text("tiles = 109\n")
    with pytest.raises(ImportError, match=r"Run `make fast` to compile them again, or `make plain`"):
        refuse_old_compilation()
    source.write_text(before)
    refuse_old_compilation()


@pytest.mark.parametrize("lost", [MODULES[0], MODULES[-1]])
def test_half_a_compilation_is_refused(engine: Path, lost: str) -> None:
    compile_all(engine)
    (engine / f"{lost}{SUFFIX}").unlink()
    with pytest.raises(ImportError):
        refuse_old_compilation()


def test_files_of_another_python_do_not_count(engine: Path) -> None:
    (engine / f"{MODULES[0]}.cpython-27-pdp11.so").touch()
    refuse_old_compilation()
