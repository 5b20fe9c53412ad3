"""Writing to disk so that a power cut loses nothing."""

import os
from pathlib import Path


def flush_to_disk(path: Path) -> None:
    """Wait until the disk holds the file, or the names in the folder."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
