"""The Celery app: `celery -A acquire_site worker`."""

import os
from typing import Any

from celery import Celery

from acquire_site import celery_broker, worker_heartbeat
from acquire_site.process_start import load_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "acquire_site.settings")

celery_broker.mend()

app = Celery("acquire_site")


@app.on_configure.connect
def check_settings(**_: Any) -> None:
    load_settings()


app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
worker_heartbeat.add_to(app)
