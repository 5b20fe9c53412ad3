"""The wiring of the site. Celery's app is loaded with Django, so that tasks find it."""

from acquire_site.celery import app as celery_app

__all__ = ["celery_app"]
