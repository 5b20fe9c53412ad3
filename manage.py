#!/usr/bin/env python3
"""Django's command line for the site."""

import os
import sys

from django.core.management import execute_from_command_line

from acquire_site.process_start import load_settings

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "acquire_site.settings")
    load_settings()
    execute_from_command_line(sys.argv)
