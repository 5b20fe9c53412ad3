"""The first step of every process: loading the settings."""

import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


def load_settings() -> None:
    """Load the settings; if they cannot be used, end the process with a sentence for each fault."""
    try:
        settings.INSTALLED_APPS  # noqa: B018 # loads them
    except ImproperlyConfigured as error:
        sys.exit(str(error))
