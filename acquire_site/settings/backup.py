"""Settings of backups."""

from acquire_site.settings.environment import setting

# Run by the shell after each backup, to take the file that BACKUP_FILE names to another machine.
BACKUP_COMMAND = setting("BACKUP_COMMAND")

# After this time without a good backup, doctor complains; 0 if backups are made by other means.
BACKUP_ALARM_HOURS = setting("BACKUP_ALARM_HOURS")
