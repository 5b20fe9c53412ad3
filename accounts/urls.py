"""URLs of accounts; our log-in and sign-up come before allauth's."""

from django.urls import include, path, re_path

from accounts.web.api_access import bot_account_pages
from accounts.web.membership import (
    account_switch,
    asked_mail,
    kept_forms,
    login_views,
    not_you_page,
    verification_sent,
)
from accounts.web.moderation import standing_page

urlpatterns = [
    path("login/", login_views.login, name="account_login"),
    path("login/code/", login_views.request_code, name="account_request_login_code"),
    path("login/code/confirm/", login_views.confirm_code, name="account_confirm_login_code"),
    path("login/code/mail/", login_views.mail_code, name="account_mail_login_code"),
    path("password/reset/", login_views.reset_password, name="account_reset_password"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        login_views.new_password,
        name="account_reset_password_from_key",
    ),
    path("2fa/webauthn/login/", login_views.login_by_passkey, name="mfa_login_webauthn"),
    path("signup/", login_views.signup, name="account_signup"),
    path("confirm-email/", verification_sent.verification_sent, name="account_email_verification_sent"),
    path("mail-delay/", asked_mail.mail_delay, name="account_mail_delay"),
    re_path(r"^confirm-email/(?P<key>[-:\w]+)/$", login_views.confirm_email, name="account_confirm_email"),
    path("switch/", account_switch.switch, name="account_switch"),
    path("not-you/", not_you_page.not_you, name="account_not_you"),
    path("kept/", kept_forms.kept_form, name="kept-form"),
    path("standing/", standing_page.standing, name="standing"),
    path("standing/<int:key>/read/", standing_page.read, name="standing-read"),
    path("standing/<int:key>/answer/", standing_page.answer, name="standing-answer"),
    path("tokens/", bot_account_pages.programs, name="account_tokens"),
    path("tokens/new/", bot_account_pages.new_token, name="account_new_token"),
    path("tokens/<int:key>/revoke/", bot_account_pages.revoke_token, name="account_revoke_token"),
    path("programs/new/", bot_account_pages.new_program, name="account_new_program"),
    path("programs/<str:name>/", bot_account_pages.describe_program, name="account_program"),
    path("programs/<str:name>/token/", bot_account_pages.new_token, name="account_new_program_token"),
    path("programs/<str:name>/down/", bot_account_pages.take_down_program, name="account_take_down"),
    path("", include("allauth.urls")),
]
