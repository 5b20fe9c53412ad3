"""Wiring of the site; imports the Celery app so that tasks are registered with it."""

from acquire_site.celery import app as celery_app

__all__ = ["celery_app"]
