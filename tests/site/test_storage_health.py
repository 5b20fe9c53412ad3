"""The doctor sees disks that fill up."""

from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from acquire_site.health import storage_health
from acquire_site.health.storage_health import Disk

GB = 10**9


def disk(**values: Any) -> Disk:
    usual = {"size": 100 * GB, "free": 50 * GB, "inodes": 1000, "inodes_free": 500}
    return Disk(name="data", folder=Path("/var/lib/acquire"), **{**usual, **values})


@pytest.mark.parametrize(
    ("size", "free", "is_full"),
    [
        (100 * GB, 6 * GB, False),
        (100 * GB, 4 * GB, True),
        (10_000 * GB, 6 * GB, False),
        (4 * GB, 0.6 * GB, False),
        (4 * GB, 0.4 * GB, True),
        (GB // 10, GB // 20, False),
        (GB // 10, GB // 100, True),
    ],
)
def test_a_disk_is_full_before_nothing_fits(size: int, free: int, is_full: bool) -> None:
    assert disk(size=size, free=free).is_full == is_full


def test_files_run_out_before_bytes_do() -> None:
    assert disk(inodes_free=40).lacks_inodes
    assert not disk(inodes_free=60).lacks_inodes
    assert not disk(inodes=0, inodes_free=0).lacks_inodes


def test_a_full_disk_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage_health, "disks", lambda: [disk(free=GB // 2, inodes_free=0)])
    space, inodes = [found.sentence for found in storage_health.health_problems()]
    assert space.startswith("The disk of /var/lib/acquire has only 500 MB of 100.0 GB free.")
    assert "du -xh --max-depth=2 /var/lib/acquire" in space
    assert "can hold only 0 more files (of 1000)" in inodes


def test_folder_that_takes_no_file_is_told(
    monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    monkeypatch.setattr(storage_health, "disks", list)
    settings.DATA_DIR = tmp_path
    assert list(storage_health.health_problems()) == []
    settings.DATA_DIR = tmp_path / "file"
    assert list(storage_health.health_problems()) == []
    settings.DATA_DIR.touch()
    (found,) = storage_health.health_problems()
    assert found.name == "disk"
    assert found.sentence.startswith(f"No file can be written into {tmp_path}/file (Not a directory)")


def test_the_disks_of_this_machine_are_measured(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    found = storage_health.disks()[0]
    assert found.name == "data" and 0 < found.free <= found.size


@pytest.mark.parametrize(
    ("host", "is_watched"),
    [("/var/run/postgresql", True), ("", True), ("127.0.0.1", True), ("10.0.0.1", False)],
)
def test_disk_of_postgresql_is_watched_on_its_own_machine(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, is_watched: bool
) -> None:
    # Each folder is on a disk of its own.
    numbers = iter(range(9))
    monkeypatch.setattr(Path, "stat", lambda path: Mock(st_dev=next(numbers)))
    settings.POSTGRES_DIR = str(tmp_path)
    connection = Mock(vendor="postgresql", settings_dict={"HOST": host, "NAME": "acquire"})
    monkeypatch.setattr(storage_health, "connection", connection)
    found = {disk.name: disk.folder for disk in storage_health.disks()}
    assert found.get("database") == (tmp_path if is_watched else None)


def test_a_folder_that_is_not_there_is_left_out(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "nowhere"
    assert "data" not in [found.name for found in storage_health.disks()]
