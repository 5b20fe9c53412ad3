"""Settings of mail and its links, from the environment."""

import pytest

from tests.support.settings_process import PRODUCTION, settings


@pytest.mark.parametrize(
    ("env", "address"),
    [
        ({}, "http://localhost:8000"),
        ({"SITE_URL": "http://192.168.1.9:9000/"}, "http://192.168.1.9:9000"),
        (PRODUCTION, "https://acquire.example"),
        ({**PRODUCTION, "SITE_URL": "https://play.acquire.example"}, "https://play.acquire.example"),
        ({**PRODUCTION, "CSRF_TRUSTED_ORIGINS": "https://*.club.example"}, "https://acquire.example"),
    ],
)
def test_links_in_mails_lead_to_the_site(tmp_path, env, address):
    assert settings(tmp_path, "SITE_URL", **env) == [address]


def test_keys_of_bounce_reports_and_push_are_empty_by_default(tmp_path):
    assert settings(tmp_path, "MAIL_BOUNCE_KEY", "VAPID_PRIVATE_KEY", **PRODUCTION) == ["", ""]
