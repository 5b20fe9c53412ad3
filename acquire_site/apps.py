from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "acquire_site"
    verbose_name = "Site"

    def ready(self) -> None:
        from acquire_site import deploy_checks, task_log, telemetry, worker_signs  # noqa: F401
        from acquire_site.celery import app

        worker_signs.add_to(app)
        telemetry.start()
