"""Settings with the middleware of a new Django project only, for the page of bare_urls.py."""

from acquire_site.settings import *  # noqa: F403 - all of them

ROOT_URLCONF = "tests.load.bare_urls"
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    # allauth does not start without it.
    "allauth.account.middleware.AccountMiddleware",
]
