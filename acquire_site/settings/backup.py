"""Settings of backups."""

from acquire_site.settings.environment import DEVELOPMENT, env, env_count

# Run by the shell after each backup, to take the file that BACKUP_FILE names to another machine.
BACKUP_COMMAND = env.str("BACKUP_COMMAND", "")

# After this time without a good backup, doctor complains; 0 if backups are made by other means.
BACKUP_ALARM_HOURS = env_count("BACKUP_ALARM_HOURS", 0 if DEVELOPMENT else 26)
