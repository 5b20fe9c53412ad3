"""The disks of this machine that the site writes to: their space, and whether they take files."""

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection
from prometheus_client.core import GaugeMetricFamily, Metric

from games.moderation.site_health import HealthProblem

# A disk is full with a twentieth left. A large one has time to fill; on a small one the first copy of the
# database fills it.
LEAST_SHARE = 0.05
LARGE_DISK_BYTES = 5e9
SMALL_DISK_BYTES, SMALL_DISK_SHARE = 0.5e9, 0.2


@dataclass(frozen=True)
class Disk:
    """A disk, named by what the site keeps there."""

    name: str
    folder: Path
    size: int
    free: int
    inodes: int
    inodes_free: int

    @property
    def is_full(self) -> bool:
        large = min(LEAST_SHARE * self.size, LARGE_DISK_BYTES)
        return self.free < max(large, min(SMALL_DISK_SHARE * self.size, SMALL_DISK_BYTES))

    @property
    def lacks_inodes(self) -> bool:
        """Return whether files run out; some file systems count none."""
        return bool(self.inodes) and self.inodes_free < LEAST_SHARE * self.inodes


def disks() -> list[Disk]:
    """The disks of this machine that the site writes to, each once.

    PostgreSQL's disk is among them only if PostgreSQL runs on this machine.
    """
    folders = {"data": Path(settings.DATA_DIR), "temporary": Path(tempfile.gettempdir())}
    if (folder_of_database := _folder_of_database()) is not None:
        folders["database"] = folder_of_database
    found: dict[int, Disk] = {}
    for name, folder in folders.items():
        try:
            number, space = folder.stat().st_dev, os.statvfs(folder)
        except OSError:
            continue
        # Space reserved for root is not free.
        disk = Disk(
            *(name, folder, space.f_blocks * space.f_frsize, space.f_bavail * space.f_frsize),
            *(space.f_files, space.f_favail),
        )
        found.setdefault(number, disk)
    return list(found.values())


def health_problems() -> Iterator[HealthProblem]:
    folder = Path(settings.DATA_DIR)
    if reason := _why_no_file_fits(folder):
        yield HealthProblem(
            "disk",
            f"No file can be written into {folder} ({reason}), so there are no backups. See whose it is and"
            f" how its disk is mounted: ls -ld {folder}; findmnt --target {folder}",
        )
    for disk in disks():
        if disk.is_full:
            yield HealthProblem(
                "disk",
                f"The disk of {disk.folder} has only {_size(disk.free)} of {_size(disk.size)} free. See what"
                f" fills it: du -xh --max-depth=2 {disk.folder} | sort -h | tail",
            )
        if disk.lacks_inodes:
            yield HealthProblem(
                "disk",
                f"The disk of {disk.folder} can hold only {disk.inodes_free} more files (of {disk.inodes})."
                f" See where most of them are: du -x --inodes --max-depth=2 {disk.folder} | sort -n | tail",
            )


def metrics() -> Iterator[Metric]:
    for name, about in (
        ("size", "Bytes of a disk that the site writes to"),
        ("free", "Bytes of it that are free"),
        ("inodes", "Files that fit on it; 0 if it does not count"),
        ("inodes_free", "Files that still fit on it"),
    ):
        family = GaugeMetricFamily(f"acquire_disk_{name}", about, labels=["disk"])
        for disk in disks():
            family.add_metric([disk.name], getattr(disk, name))
        yield family


def _why_no_file_fits(folder: Path) -> str:
    """Return the error of a file written into the folder, or ""; one that is missing is made when needed."""
    if not folder.exists():
        return ""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"x")
    except OSError as error:
        return error.strerror or type(error).__name__
    return ""


def _folder_of_database() -> Path | None:
    if connection.vendor == "sqlite":
        return Path(str(connection.settings_dict["NAME"])).parent
    # PostgreSQL names its folder only to its administrators.
    host = str(connection.settings_dict["HOST"])
    is_local = host in {"", "localhost", "127.0.0.1", "::1"} or host.startswith("/")
    return Path(settings.POSTGRES_DIR) if is_local else None


def _size(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"
