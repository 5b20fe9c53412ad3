from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "acquire_site"
    verbose_name = "Site"

    def ready(self) -> None:
        from acquire_site import (  # noqa: F401
            data_permissions,
            deploy_checks,
            task_log,
            telemetry,
            worker_signs,
        )
        from acquire_site.celery import app

        data_permissions.close_to_others()
        worker_signs.add_to(app)
        telemetry.start()
