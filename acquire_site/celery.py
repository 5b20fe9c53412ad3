"""Celery's app: `celery -A acquire_site worker`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "acquire_site.settings")

app = Celery("acquire_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
