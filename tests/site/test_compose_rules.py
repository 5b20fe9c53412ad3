"""Rules for every service of compose.yaml: what it may do, use, write and see."""

import copy
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from acquire_site.settings.setting_table import SETTINGS
from tests.support.played_site import ROOT
from tests.support.settings_process import python, settings

Compose = dict[str, Any]

COMPOSE: Compose = yaml.safe_load((ROOT / "compose.yaml").read_text())

# What the program of an image cannot do without.
CAPABILITIES = {"caddy": ["NET_BIND_SERVICE"]}
# One ends by itself, of one the doctor knows the age of its work, and one answers for itself.
WITHOUT_HEALTH_CHECK = {"prepare", "backup", "caddy"}
# Volumes that are more than one service's own.
SHARED_VOLUMES = {"data"}
DATABASE = {"database_password"}
KEYS = {"database_password", "secret_key", "secret_key_fallbacks"}
MAIL = {"email_url", "vapid_private_key"}
DOORS = {"metrics_token", "mail_bounce_key"}
OFFSITE = {"restic_password", "s3_credentials"}
SECRETS = {
    "prepare": KEYS | MAIL | DOORS,
    "web": KEYS | MAIL | DOORS,
    "worker": KEYS | MAIL,
    "worker-bots": KEYS,
    "sweeper": KEYS | MAIL,
    "backup": DATABASE | OFFSITE,
    "postgres": DATABASE,
    "redis": set(),
    "caddy": set(),
}
SITE = [name for name, service in COMPOSE["services"].items() if "build" in service]


def faults(compose: Compose) -> Iterator[str]:
    """Yield every broken rule, in words."""
    for name, service in compose["services"].items():
        yield from (f"{name}: {fault}" for fault in _confinement(name, service))
        yield from (f"{name}: {fault}" for fault in _secrets(name, service, compose))
        yield from (f"{name}: {fault}" for fault in _images(service))
        if name not in WITHOUT_HEALTH_CHECK and "test" not in service.get("healthcheck", {}):
            yield f"{name}: does not tell whether it is healthy"
    yield from _volumes(compose)


def _confinement(name: str, service: Compose) -> Iterator[str]:
    if service.get("security_opt") != ["no-new-privileges:true"]:
        yield "may gain privileges"
    if service.get("cap_drop") != ["ALL"] or service.get("cap_add", []) != CAPABILITIES.get(name, []):
        yield "has other capabilities"
    if service.get("privileged") or service.get("network_mode") or service.get("pid"):
        yield "shares a part of the host"
    if service.get("read_only") is not True:
        yield "can write to its own files"
    if not any(path.split(":")[0] == "/tmp" for path in service["tmpfs"]) and name != "redis":
        yield "has no place for temporary files"
    if not re.fullmatch(r"\d+[mg]", str(service.get("mem_limit"))):
        yield "may use all memory"
    if not 0 < int(service.get("pids_limit") or 0) <= 200:
        yield "may start any number of processes"
    options = service.get("logging", {}).get("options", {})
    if not options.get("max-size") or not int(options.get("max-file", 0)):
        yield "has a log that grows for ever"
    if name != "caddy" and service.get("ports"):
        yield "can be reached from outside"
    if name in {"postgres", "redis"} and service.get("networks") != ["inside"]:
        yield "is in a network that leads outside"


def _secrets(name: str, service: Compose, compose: Compose) -> Iterator[str]:
    given = set(service.get("secrets", []))
    if given != SECRETS.get(name):
        yield f"sees {sorted(given)}"
    if not given <= set(compose["secrets"]):
        yield "sees a secret that is not declared"
    environment = service.get("environment", {})
    read = {text.rpartition("/")[2] for key, text in environment.items() if key.endswith("_FILE")}
    if read != given:
        yield f"is given {sorted(given)} and reads {sorted(read)}"
    for key, text in environment.items():
        secret = SETTINGS[key].secret if key in SETTINGS else "PASSWORD" in key and not key.endswith("_FILE")
        # A backup signs nothing, and the other two name no password.
        harmless = (name == "backup" and key == "SECRET_KEY") or re.fullmatch(r"\w+://(\w+@)?[\w.:/]+", text)
        if secret and not harmless:
            yield f"has {key} in its environment"


def _images(service: Compose) -> Iterator[str]:
    image = service["build"]["args"]["PYTHON_IMAGE"] if "build" in service else service["image"]
    if not re.fullmatch(r"\$\{[A-Z]+_IMAGE:-[\w.-]+:[\w.-]*\d[\w.-]*\}", image):
        yield "has an image that cannot be pinned"


def _volumes(compose: Compose) -> Iterator[str]:
    users: dict[str, list[str]] = {}
    for name, service in compose["services"].items():
        for volume in service.get("volumes", []):
            source, _, rest = volume.partition(":")
            if source.startswith("."):
                if not rest.endswith(":ro"):
                    yield f"{name} can write to {source}"
            else:
                users.setdefault(source, []).append(name)
    for volume, names in users.items():
        if len(names) > 1 and volume not in SHARED_VOLUMES:
            yield f"{volume} is seen by {names}"
    if set(users) != set(compose["volumes"]):
        yield "volumes are declared and not used, or used and not declared"
    if compose["networks"]["inside"] != {"internal": True}:
        yield "the inner network leads outside"


def test_every_service_keeps_the_rules() -> None:
    assert list(faults(COMPOSE)) == []


@pytest.mark.parametrize("name", COMPOSE["services"])
@pytest.mark.parametrize(
    "key", ["security_opt", "cap_drop", "read_only", "mem_limit", "pids_limit", "logging"]
)
def test_service_without_a_rule_is_seen(name: str, key: str) -> None:
    broken = copy.deepcopy(COMPOSE)
    del broken["services"][name][key]
    assert len([fault for fault in faults(broken) if fault.startswith(f"{name}: ")]) == 1


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda services: services["web"].update(cap_add=["NET_ADMIN"]), "web: has other capabilities"),
        (lambda services: services["web"].update(ports=["8000:8000"]), "web: can be reached from outside"),
        (lambda services: services["redis"].update(networks=["outside"]), "redis: is in a network"),
        (lambda services: services["web"].update(network_mode="host"), "web: shares a part of the host"),
        (lambda services: services["web"]["secrets"].remove("email_url"), "web: sees"),
        (lambda services: services["backup"]["secrets"].append("secret_key"), "backup: sees"),
        (
            lambda services: services["web"]["environment"].update(EMAIL_URL="smtp://me:secret@mail.example"),
            "web: has EMAIL_URL in its environment",
        ),
        (
            lambda services: services["postgres"]["environment"].update(POSTGRES_PASSWORD="${PASSWORD}"),
            "postgres: has POSTGRES_PASSWORD in its environment",
        ),
        (lambda services: services["redis"].update(image="redis"), "redis: has an image"),
        (
            lambda services: services["sweeper"].update(healthcheck={"disable": True}),
            "sweeper: does not tell whether it is healthy",
        ),
        (lambda services: services["web"]["volumes"].append("postgres:/database"), "postgres is seen by"),
        (
            lambda services: services["caddy"]["volumes"].append("./deploy:/deploy"),
            "caddy can write to ./deploy",
        ),
    ],
)
def test_breach_of_a_rule_is_seen(change: Callable[[Compose], object], fault: str) -> None:
    broken = copy.deepcopy(COMPOSE)
    change(broken["services"])
    assert any(found.startswith(fault) for found in faults(broken))


# -- Secrets in files ------------------------------------------------------------------------------


def checkout(folder: Path, *files: str) -> Path:
    """A folder with copies of these files of the project."""
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes((ROOT / name).read_bytes())
    return folder


def make_secrets(folder: Path) -> dict[str, str]:
    """Run deploy/secrets there; the content of each file."""
    subprocess.run(["sh", "deploy/secrets"], cwd=folder, check=True)
    return {path.name: path.read_text().strip() for path in (folder / "secrets").iterdir()}


def test_new_site_gets_its_secrets(tmp_path: Path) -> None:
    made = make_secrets(checkout(tmp_path, "deploy/secrets"))
    declared = {Path(secret["file"]).name for secret in COMPOSE["secrets"].values()}
    assert set(made) == declared == set(COMPOSE["secrets"])
    assert {name for name, text in made.items() if text} == {
        "secret_key",
        "database_password",
        "restic_password",
    }
    assert all(re.fullmatch(r"[\w-]{64}", text) for text in made.values() if text)
    assert made["secret_key"] != made["database_password"]
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "secrets").iterdir()} == {0o444}
    assert make_secrets(tmp_path) == made


def test_secrets_of_the_first_release_move_out_of_the_settings(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(
        "SITE_HOST=acquire.example\n"
        "SECRET_KEY=a-key-with=signs          # python3 -c 'import secrets'\n"
        "POSTGRES_PASSWORD='a password'\n"
        'EMAIL_URL="smtp://me:p#x@mail.example:587?tls=1"\n'
        "METRICS_TOKEN=          # none yet\n"
        "CONTACT_EMAIL=you@acquire.example\n"
    )
    made = make_secrets(checkout(tmp_path, "deploy/secrets"))
    assert made["secret_key"] == "a-key-with=signs"
    assert made["database_password"] == "a password"
    assert made["email_url"] == "smtp://me:p#x@mail.example:587?tls=1"
    assert made["metrics_token"] == ""
    assert (tmp_path / ".env").read_text() == "SITE_HOST=acquire.example\nCONTACT_EMAIL=you@acquire.example\n"


@pytest.mark.parametrize("name", [name for name in SITE if name != "prepare"])
def test_container_starts_with_its_settings(tmp_path: Path, name: str) -> None:
    environment = container_environment(tmp_path, name)
    databases, host = settings(tmp_path, "DATABASES", "ALLOWED_HOSTS", **environment)
    assert (
        databases["default"]["PASSWORD"] == (tmp_path / "secrets" / "database_password").read_text().strip()
    )
    assert host == ["acquire.example"]


def test_settings_of_a_new_site_in_containers_pass_the_check(tmp_path: Path) -> None:
    environment = container_environment(tmp_path, "web")
    done = python(["manage.py", "check", "--deploy", "--fail-level", "WARNING"], tmp_path, **environment)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("name", "code"), [("CONTACT_EMAIL", 0), ("EMIAL_URL", 1)])
def test_mistyped_setting_keeps_the_containers_from_starting(tmp_path: Path, name: str, code: int) -> None:
    """The settings in .env reach `prepare`, with the names that only compose.yaml reads."""
    limits, *command = COMPOSE["services"]["prepare"]["command"][2].split(" && ")[0].split()
    others = dict.fromkeys(["PYTHON_IMAGE", "POSTGRES_IMAGE", "REDIS_IMAGE", "CADDY_IMAGE"], "x:1")
    given = {**others, "SITE_HOST": "acquire.example", name: "me@club.example"}
    environment = container_environment(tmp_path, "prepare") | dict([limits.split("=")])
    done = python(command[1:], tmp_path, **given, **environment)
    assert done.returncode == code, done.stderr
    assert (f"{name} is not a setting" in done.stderr) == bool(code)


def container_environment(folder: Path, name: str) -> dict[str, str]:
    """The environment of a service, with the secrets where this machine has them."""
    make_secrets(checkout(folder, "deploy/secrets"))
    given: dict[str, str] = COMPOSE["services"][name]["environment"]
    texts = {key: re.sub(r"\$\{SITE_HOST[^}]*\}", "acquire.example", text) for key, text in given.items()}
    return {key: text.replace("/run/secrets", str(folder / "secrets")) for key, text in texts.items()}


# -- Images ----------------------------------------------------------------------------------------

# Stands in for the program, which no machine of the tests has.
DOCKER = """#!/bin/sh
case "$1 $2" in
"pull --quiet") ;;
"image inspect") echo "${5%:*}@sha256:$(printf %s "$5" | sha256sum | cut -c1-64)" ;;
*) exit 1 ;;
esac
"""


def test_images_are_pinned_and_pinned_anew(tmp_path: Path) -> None:
    folder = checkout(tmp_path, "deploy/pin-images", "compose.yaml")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "docker").write_text(DOCKER)
    (tmp_path / "bin" / "docker").chmod(0o755)
    env = {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    (tmp_path / ".env").write_text("SITE_HOST=acquire.example\nREDIS_IMAGE=redis:6\n")
    subprocess.run(["sh", "deploy/pin-images"], cwd=folder, env=env, check=True, stdout=subprocess.DEVNULL)
    first = (tmp_path / ".env").read_text()
    lines = dict(line.split("=", 1) for line in first.splitlines())
    assert set(lines) == {"SITE_HOST", "PYTHON_IMAGE", "POSTGRES_IMAGE", "REDIS_IMAGE", "CADDY_IMAGE"}
    assert re.fullmatch(r"postgres:15-bookworm@sha256:[0-9a-f]{64}", lines["POSTGRES_IMAGE"])
    subprocess.run(["sh", "deploy/pin-images"], cwd=folder, env=env, check=True, stdout=subprocess.DEVNULL)
    assert sorted((tmp_path / ".env").read_text().splitlines()) == sorted(first.splitlines())


def test_every_image_of_the_dockerfile_can_be_pinned() -> None:
    text = (ROOT / "Dockerfile").read_text()
    [default] = re.findall(r"^ARG PYTHON_IMAGE=(\S+)", text, re.M)
    assert {line.split()[1] for line in text.splitlines() if line.startswith("FROM ")} == {"${PYTHON_IMAGE}"}
    assert COMPOSE["services"]["web"]["build"]["args"]["PYTHON_IMAGE"] == f"${{PYTHON_IMAGE:-{default}}}"
