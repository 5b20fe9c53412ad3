"""Security settings: headers, uploads, rate limits, proxies and cookies."""

from acquire_site.settings.base import ALLOWED_HOSTS
from acquire_site.settings.environment import DEVELOPMENT, setting

# Old Safari does not count a WebSocket to the same host as 'self'.
_websockets = [
    f"wss://{host.replace('.', '*.', 1) if host.startswith('.') else host}" for host in ALLOWED_HOSTS
]
if DEVELOPMENT:
    _websockets = [f"ws://{host}:*" for host in ALLOWED_HOSTS if host[0] not in ".["]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "manifest-src": ["'self'"],
        "worker-src": ["'self'"],
        "connect-src": ["'self'", *_websockets],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}

DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 100
# The site accepts only games to import; other uploads are dropped as they arrive.
FILE_UPLOAD_HANDLERS = ["games.web.archive.game_upload_handler.GamesToImport"]

# WebSockets that one account, or anonymous visitors from one address, may have open at once; without Redis
# each web process counts for itself. A page without one polls.
SOCKETS_PER_USER = setting("SOCKETS_PER_USER")
SOCKETS_PER_ADDRESS = setting("SOCKETS_PER_ADDRESS")

# API requests per minute from one address without a token and by one account with one; without Redis each web
# process counts for itself.
API_PER_MINUTE = setting("API_PER_MINUTE")
API_PER_MINUTE_WITH_TOKEN = setting("API_PER_MINUTE_WITH_TOKEN")

# Number of our proxies before the site. Each appends the address of its client to X-Forwarded-For: only this
# many entries at the end are trusted. See acquire_site.trusted_proxies.
TRUSTED_PROXIES = setting("TRUSTED_PROXIES")
USE_X_FORWARDED_HOST = False

PERMISSIONS_POLICY = "camera=(), microphone=(), geolocation=(), payment=(), usb=()"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"

X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "accounts.web.membership.kept_forms.csrf_failure"
# Cookie that identifies a browser used by several accounts; see accounts.moderation.linked_accounts.
BROWSER_COOKIE_NAME = "browser"
# Cookie of browsers in which a member has been logged in; see accounts.web.membership.known_browsers.
KNOWN_BROWSER_COOKIE_NAME = "known-browser"
if not DEVELOPMENT:
    SECURE_SSL_REDIRECT = setting("SSL_REDIRECT")
    SECURE_HSTS_SECONDS = setting("HSTS_SECONDS")
    SECURE_HSTS_INCLUDE_SUBDOMAINS = setting("HSTS_SUBDOMAINS")
    SECURE_HSTS_PRELOAD = setting("HSTS_PRELOAD")
    # Only the operator knows whether all subdomains speak https, for ever.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
    # Probes come from inside, over plain http.
    SECURE_REDIRECT_EXEMPT = ["^healthz$", "^readyz$", "^metrics$"]
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    # Browsers accept such a cookie only from this very host over https, so no subdomain can plant one.
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sid", "__Host-csrf"
    BROWSER_COOKIE_NAME = "__Host-browser"
    KNOWN_BROWSER_COOKIE_NAME = "__Host-known-browser"
