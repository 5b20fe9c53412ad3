"""Command `compile_engine`: compile rules and bots with mypyc."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any, Final

from django.core.management import BaseCommand, CommandError

from games.engine.compiled_modules import MODULES, ROOT, library, sources

MYPY_SETTINGS: Final = "[mypy]\nstrict = True\nignore_missing_imports = True\nfollow_imports = silent\n"


class Command(BaseCommand):
    help = (
        "Compiles rules and bots, which then play the same games about twice as fast. It needs a C compiler"
        " and the packages of requirements/dev.txt, and takes about a minute. Restart the site afterwards."
    )
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            from mypyc.build import mypycify
            from setuptools import setup  # type: ignore[import-untyped]
            from setuptools.errors import BaseError  # type: ignore[import-untyped]
        except ImportError as error:
            raise CommandError(f"mypyc is missing: install requirements/dev.txt. ({error})") from None
        os.chdir(ROOT)
        with tempfile.TemporaryDirectory(prefix="acquire-compiled-") as name:
            folder = Path(name)
            settings = folder / "mypy.ini"
            settings.write_text(MYPY_SETTINGS, encoding="utf-8")
            extensions = mypycify(
                [
                    *("--config-file", str(settings), "--cache-dir", str(folder / "cache")),
                    *(str(path.relative_to(ROOT)) for path in sources()),
                ],
                opt_level="3",
                target_dir=str(folder / "c"),
                group_name=library(),
            )
            places = ["--build-base", str(folder / "base"), "--build-lib", str(folder / "built")]
            try:
                setup(
                    name=library(),
                    packages=[],
                    py_modules=[],
                    ext_modules=extensions,
                    script_args=["--quiet", "build", *places],
                )
            except (BaseError, SystemExit) as error:
                raise CommandError(f"The C compiler failed: {error}. The site plays on without it.") from None
            _lay_out(folder / "built")
        self.stdout.write(f"{len(MODULES)} modules are compiled. `make plain` takes the compiled files away.")


def _lay_out(built: Path) -> None:
    """Move the compiled files beside their sources, the library first, because the others need it."""
    files = [path for path in built.rglob("*") if path.is_file()]
    for path in sorted(files, key=lambda path: len(path.parts)):
        shutil.move(path, ROOT / path.relative_to(built))
