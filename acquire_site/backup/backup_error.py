"""The error of backups and restores."""

IN_USE = "The database is in use. Stop the site, then restore again."
OTHER_RESTORE = "Another restore or drill is running. Wait until it has ended."


class BackupError(Exception):
    """A backup could not be made or restored; its message is a sentence."""
