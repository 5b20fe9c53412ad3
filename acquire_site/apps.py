from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "acquire_site"
    verbose_name = "Site"

    def ready(self) -> None:
        from acquire_site import data_permissions, deploy_checks, task_log, telemetry  # noqa: F401

        data_permissions.close_to_others()
        telemetry.start()
