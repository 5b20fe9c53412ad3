"""All that is wrong with the site now, for doctor."""

from datetime import datetime
from itertools import chain

from acquire_site.backup import backup_age
from acquire_site.health import archive_health, outbox_health, process_health, queue_health, storage_health
from games.moderation import site_health
from games.moderation.site_health import HealthProblem


def health_problems(now: datetime) -> list[HealthProblem]:
    """The problems of games, processes, queues, mail, backups and disks; needs the database."""
    return list(
        chain(
            site_health.health_problems(now),
            process_health.health_problems(),
            queue_health.health_problems(),
            outbox_health.health_problems(now),
            backup_age.health_problems(now),
            archive_health.health_problems(now),
            storage_health.health_problems(),
        )
    )
