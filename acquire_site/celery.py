"""The Celery app: `celery -A acquire_site worker`."""

import os

from celery import Celery

from acquire_site import celery_broker

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "acquire_site.settings")

celery_broker.mend()

app = Celery("acquire_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
