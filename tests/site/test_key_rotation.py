"""Keys are changed by the commands of docs/key_rotation.md, which run here, and nobody is logged out."""

import re
import subprocess
from pathlib import Path

import pytest
from django.test import Client

from accounts.models import User
from tests.support.played_site import ROOT
from tests.support.settings_process import PRODUCTION, settings

PAGE = (ROOT / "docs" / "key_rotation.md").read_text()
FORMER = PRODUCTION["SECRET_KEY"]


def commands(heading: str, marker: str) -> list[str]:
    """The blocks of commands after a marker under a heading of the page."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    text = section.split(f"{marker}:\n")[1] if marker else section
    blocks: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.startswith("    "):
            blocks[-1].append(line.strip())
        elif line:
            if any(blocks):
                break
        else:
            blocks.append([])
    return ["\n".join(block) for block in blocks if block]


def run(script: str, folder: Path) -> None:
    script = script.replace("/etc/acquire.env", str(folder / "acquire.env"))
    subprocess.run(["sh", "-eu", "-c", script], cwd=folder, check=True)


def env_file(folder: Path, **more: str) -> Path:
    path = folder / "acquire.env"
    path.write_text("".join(f"{name}={text}\n" for name, text in {**PRODUCTION, **more}.items()))
    return path


def env_of(path: Path) -> dict[str, str]:
    return dict(line.split("=", 1) for line in path.read_text().splitlines())


@pytest.mark.parametrize("fallbacks", [{}, {"SECRET_KEY_FALLBACKS": "an-older-key"}], ids=["first", "again"])
def test_commands_change_the_key_and_keep_the_former(tmp_path: Path, fallbacks: dict[str, str]) -> None:
    path = env_file(tmp_path, **fallbacks)
    run(commands("SECRET_KEY, when nothing has happened", "Without containers")[0], tmp_path)
    made = env_of(path)
    assert len(made["SECRET_KEY"]) >= 50 and made["SECRET_KEY"] != FORMER
    assert made["SECRET_KEY_FALLBACKS"] == FORMER
    assert {name: made[name] for name in PRODUCTION if name != "SECRET_KEY"} == {
        name: text for name, text in PRODUCTION.items() if name != "SECRET_KEY"
    }
    assert settings(tmp_path, "SECRET_KEY_FALLBACKS", **made) == [[FORMER]]


def test_commands_change_a_stolen_key_and_keep_nothing(tmp_path: Path) -> None:
    path = env_file(tmp_path, SECRET_KEY_FALLBACKS="an-older-key")
    run(commands("SECRET_KEY, when somebody may have it", "Without containers")[0], tmp_path)
    made = env_of(path)
    assert len(made["SECRET_KEY"]) >= 50 and made["SECRET_KEY"] != FORMER
    assert "SECRET_KEY_FALLBACKS" not in made


@pytest.mark.parametrize(
    ("heading", "kept"),
    [("SECRET_KEY, when nothing has happened", FORMER), ("SECRET_KEY, when somebody may have it", "")],
)
def test_commands_change_the_key_of_containers(tmp_path: Path, heading: str, kept: str) -> None:
    folder = tmp_path / "secrets"
    folder.mkdir()
    for name, text in {"secret_key": FORMER, "secret_key_fallbacks": "an-older-key"}.items():
        (folder / name).write_text(f"{text}\n")
        (folder / name).chmod(0o444)
    run(commands(heading, "With containers")[0], tmp_path)
    fresh = (folder / "secret_key").read_text().strip()
    assert re.fullmatch(r"[\w-]{64}", fresh)
    assert (folder / "secret_key_fallbacks").read_text().strip() == kept
    assert {path.name for path in folder.iterdir()} == {"secret_key", "secret_key_fallbacks"}
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o444}


# -- What the change does --------------------------------------------------------------------------


@pytest.fixture
def visitor(db: None) -> Client:
    """A browser in which a member is logged in."""
    client = Client()
    client.force_login(User.objects.create_user("stays-logged-in"))
    assert is_logged_in(client)
    return client


def is_logged_in(client: Client) -> bool:
    return client.get("/settings/").status_code == 200


def test_nobody_is_logged_out_while_the_former_key_is_known(visitor, settings):
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key", [settings.SECRET_KEY]
    assert is_logged_in(visitor)
    # The visit has signed the session anew.
    settings.SECRET_KEY_FALLBACKS = []
    assert is_logged_in(visitor)


def test_everybody_is_logged_out_by_a_key_without_fallback(visitor, settings):
    settings.SECRET_KEY = "another key"
    assert not is_logged_in(visitor)
