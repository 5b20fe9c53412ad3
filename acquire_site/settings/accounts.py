"""Settings of accounts, log-in and rate limits."""

from acquire_site.settings.environment import DEVELOPMENT, setting

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.web.membership.auth_backend.AuthenticationBackend"]
# A longer one is no safer and costs more to hash.
LONGEST_PASSWORD = 128
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in {
        "UserAttributeSimilarityValidator": {},
        "MinimumLengthValidator": {"min_length": 10},
        "CommonPasswordValidator": {},
        "NumericPasswordValidator": {},
    }.items()
]
AUTH_PASSWORD_VALIDATORS.append(
    {"NAME": "accounts.membership.password_length.LongestPassword", "OPTIONS": {"most": LONGEST_PASSWORD}}
)
# The second is for passwords stored before the first was introduced; a log-in rehashes them.
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
PASSWORD_RESET_TIMEOUT = 3600
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"

EMAIL_URL = setting("EMAIL_URL")

# Confirmation needs a way to send mail.
EMAIL_MUST_BE_CONFIRMED = setting("EMAIL_MUST_BE_CONFIRMED")
if EMAIL_MUST_BE_CONFIRMED is None:
    EMAIL_MUST_BE_CONFIRMED = bool(EMAIL_URL) and not DEVELOPMENT

ACCOUNT_ADAPTER = "accounts.web.membership.allauth_adapter.AccountAdapter"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "http" if DEVELOPMENT else "https"
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if EMAIL_MUST_BE_CONFIRMED else "optional"
ACCOUNT_FORMS = {"reset_password": "accounts.web.membership.login_forms.ResetPasswordForm"}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
# Only in the browser that signed up, and only once.
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_LOGOUT_REDIRECT_URL = LOGOUT_REDIRECT_URL
# Forms must not reveal whether an address belongs to an account.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_RATE_LIMITS = {
    # Wrong passwords, and requests for a code by mail; see accounts.web.membership.login_limits. The key is
    # the account with the network address, the account alone, or the account with the browser that is known.
    "login_failed": "10/m/ip,5/5m/key,10/h/key",
    "login_failed_account": "30/h/key,100/d/key",
    "login_failed_known": "5/5m/key,30/h/key",
    "request_login_code": "20/m/ip,3/10m/key,6/h/key",
    "request_login_code_account": "60/h/key",
    "request_login_code_known": "3/10m/key,6/h/key",
    # Requests for a new password. Without the first, allauth would limit an address however many ask for it.
    "reset_password": "20/m/ip",
    "request_password_reset": "3/10m/key,6/h/key",
    "request_password_reset_account": "60/h/key",
    "request_password_reset_known": "3/10m/key,6/h/key",
    # Codes typed for one request.
    "login_code": "3/h/key",
    # Forms sent to the log-in page, right or wrong. Counted by our view.
    "login": "",
    "login_page": "30/m/ip",
    "login_page_known": "30/m/key",
    "guest": f"{setting('GUESTS_PER_HOUR')}/h/ip",
    "rename": "5/d/user",
    # Each correction may send a mail to a stranger.
    "correct-address": "5/h/user",
    "export": "10/h/user",
    # Appeals to the staff.
    "appeal": "20/d/user",
    # Advice by a bot: enough for fast play, and no more.
    "advice": "30/m/user,300/h/user",
    # Explored moves: each is computed in the request.
    "explore": "120/m/user",
    # Imported games: each is replayed in the request and assessed by a worker.
    "import": "60/h/user",
    # Answers to puzzles: each replays a game up to the position.
    "puzzle": "60/m/ip",
    # Second tries in game reviews: each replays the whole game.
    "retry": "60/m/ip",
    # Answers to lessons: a whole class may sit behind one address.
    "lesson": "600/m/ip",
    # Test notifications to a browser or a webhook, whose host name is resolved.
    "try-notices": "10/h/user",
    "add-endpoint": "30/h/user",
    # Wishes for a live game, each of which lets the pages of all who wait ask for news.
    "find-live": "20/m/user",
    # Chat messages; notes, which are saved while typing.
    "talk": "12/m/user,200/h/user",
    "note": "120/m/user",
    # Each bot account leaves a user behind; each new token causes a mail.
    "new-program": "20/d/user",
    "new-token": "30/d/user",
    # All API requests of a bot account; moves have a limit of their own.
    "program": f"{setting('PROGRAM_ASKS_PER_MINUTE')}/m/user",
}
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# The password is not asked for again so soon after a log-in.
ACCOUNT_REAUTHENTICATION_TIMEOUT = REAUTH_SECONDS = 15 * 60
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_SIGNUP_FIELDS = [
    "username*",
    "email*" if EMAIL_MUST_BE_CONFIRMED else "email",
    "password1*",
    "password2*",
]
ACCOUNT_USERNAME_MIN_LENGTH = 3
ACCOUNT_USERNAME_VALIDATORS = "accounts.names.validators.username_validators"
MFA_FORMS = {"add_webauthn": "accounts.web.membership.login_forms.AddKeyForm"}
MFA_PASSKEY_LOGIN_ENABLED = True
# Also counts each offer of passkeys where the name is typed. There is nothing to guess.
MFA_RATE_LIMITS = {"webauthn_login": "60/m/ip"}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_ISSUER = "Acquire"
MFA_TOTP_TOLERANCE = 1  # a clock may be half a minute wrong
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = DEVELOPMENT

# The admin requires a second factor on public sites.
STAFF_TOTP = setting("STAFF_TOTP")

# A process caches the site switches for this time.
SWITCH_CACHE_SECONDS = 5

# The operator's address, shown on the contact page.
CONTACT_EMAIL = setting("CONTACT_EMAIL")
