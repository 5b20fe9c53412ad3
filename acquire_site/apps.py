from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "acquire_site"
    verbose_name = "Site"

    def ready(self) -> None:
        from acquire_site import checks, reporting, tasklogs  # noqa: F401

        reporting.start()
