"""Settings of mail and push notifications."""

from urllib.parse import parse_qs, unquote, urlsplit

from acquire_site.settings.accounts import EMAIL_URL
from acquire_site.settings.base import ALLOWED_HOSTS, BASE_DIR, CSRF_TRUSTED_ORIGINS, DATA_DIR
from acquire_site.settings.environment import DEVELOPMENT, setting

DEFAULT_FROM_EMAIL = setting("DEFAULT_FROM_EMAIL")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
EMAIL_TIMEOUT = 10
if EMAIL_URL:
    # smtp://name:password@host:587?tls=1 (STARTTLS) or smtps://name:password@host:465
    _mail = urlsplit(EMAIL_URL)
    EMAIL_HOST = _mail.hostname
    EMAIL_USE_SSL = _mail.scheme == "smtps"
    EMAIL_USE_TLS = parse_qs(_mail.query).get("tls", ["0"])[0] == "1"
    EMAIL_PORT = _mail.port or (465 if EMAIL_USE_SSL else 587 if EMAIL_USE_TLS else 25)
    EMAIL_HOST_USER = unquote(_mail.username or "")
    EMAIL_HOST_PASSWORD = unquote(_mail.password or "")
else:
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = DATA_DIR / "mail"
# Pages do not send mail themselves, so their duration does not tell whether there is any. On a workbench they
# do, so that a mail is in the folder at once when something is tried out.
SEND_MAIL_IN_BACKGROUND = bool(EMAIL_URL) or not DEVELOPMENT
# Folder of unsent mail, shown on pages instead of "look into your mailbox".
MAIL_FOLDER = ""
if DEVELOPMENT and not EMAIL_URL:
    MAIL_FOLDER = str(
        EMAIL_FILE_PATH.relative_to(BASE_DIR) if EMAIL_FILE_PATH.is_relative_to(BASE_DIR) else EMAIL_FILE_PATH
    )

# -- Notifications ---------------------------------------------------------------------------------

# Address of the site for links in mails; `manage.py play` sets its port.
SITE_URL = setting("SITE_URL")
if not SITE_URL:
    _origins = [origin for origin in CSRF_TRUSTED_ORIGINS if "*" not in origin]
    _hosts = [f"https://{host.lstrip('.')}" for host in ALLOWED_HOSTS]
    SITE_URL = "http://localhost:8000" if DEVELOPMENT else (_origins or _hosts)[0]

# Key that signs bounce reports; without one nobody can report bounces.
MAIL_BOUNCE_KEY = setting("MAIL_BOUNCE_KEY")

# `manage.py vapid_key` makes one. Without it there is no web push. The subject is where a push service sends
# complaints: mailto:… or https://…, by default the sender of the mails.
VAPID_PRIVATE_KEY = setting("VAPID_PRIVATE_KEY")
VAPID_SUBJECT = setting("VAPID_SUBJECT")
