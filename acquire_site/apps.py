from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "acquire_site"
    verbose_name = "Site"

    def ready(self) -> None:
        from acquire_site import deploy_checks, task_log, telemetry  # noqa: F401

        telemetry.start()
